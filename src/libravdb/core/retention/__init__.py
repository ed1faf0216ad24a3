"""How long what is kept: the rules of an operator, read and asked."""
