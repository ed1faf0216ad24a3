"""The embed room: texts to vectors, at the edge, behind the `Embedder` port.

`passages` says which vectors a text has, `rows` holds the array maths, and each other file is one embedder:
`minilm` (shipped), `onnx` (a local model folder), `endpoint` (an OpenAI-compatible or Ollama server). Import the
one that is needed: importing this package loads none of them.
"""
