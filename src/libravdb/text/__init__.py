"""What any tool that works with text may know: Unicode, tokens, sentences, terms, dates, technical artefacts."""
