"""Documents that people write for their agents: Markdown to nodes, nodes to tiers, sentences to rules."""
