"""What daemon and clients say to one another: methods, values, error codes, endpoints."""
