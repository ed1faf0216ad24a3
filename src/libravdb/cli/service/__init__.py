"""Run the daemon as a service of the operating system."""
