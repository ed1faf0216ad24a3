"""What any tool of texts may know: Unicode, tokens, sentences, passages, terms, dates, technical artefacts."""
