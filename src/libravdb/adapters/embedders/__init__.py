"""The embed room: texts to vectors, at the edge, behind the `Embedder` port.

`text/passages` says which vectors a text has, `pooling` holds the array maths, `tokenizer` finds who reads a model's
tokens (`wordpiece` for a plain BERT), and each other file is one embedder: `bundled` (shipped), `onnx` (a local model
folder), `http` (an OpenAI-compatible or Ollama server). Importing this package loads none of them.
"""
