"""Standing wishes to the agent: which sentences are some, what each is about, and which one takes another's place."""
