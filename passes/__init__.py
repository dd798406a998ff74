"""Program to program: simplification, fusion, memory planning, each pass in a file of its own."""
