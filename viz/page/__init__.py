"""The report: what is known of a program as plain data, and the page that shows it."""
