"""What any tool that works with text may know: Unicode, tokens, sentences, passages, terms, dates, technical artefacts."""
