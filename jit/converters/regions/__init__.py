"""Regions: code under a tensor's test or in a loop of the program, its paths, and how values join where paths meet.

A construct's own file is in ../; its user code on several paths is run and joined here. No file here knows syntax.
"""
