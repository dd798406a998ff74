"""Times, memory and traffic of runs on many ranks, from a model of the network and a virtual clock."""
