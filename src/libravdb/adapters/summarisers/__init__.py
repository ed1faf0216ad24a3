"""The summarise room: many texts to one short one, at the edge, behind the `Summariser` port.

`extractive` chooses sentences and is always there. `transcript` is what a model reads and `drafts` what it may give;
each other part is one summariser: `onnx` (a local sequence-to-sequence model: `folder`, `decoder` and `greedy` are its
parts) and `endpoint` (an OpenAI-compatible or Ollama server). Importing this package loads none of them.
"""
