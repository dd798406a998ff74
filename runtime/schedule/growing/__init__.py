"""Arrays whose number of rows only a run knows, kept in lists of the VM: which, in which list, and by what steps."""
