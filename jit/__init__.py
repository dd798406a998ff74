"""Python functions to programs: conversion, tracing, cache, guards."""
