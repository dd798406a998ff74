"""What a loop of the program carries from one iteration to the next: variables, what becomes of them, tensors."""
