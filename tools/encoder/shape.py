"""The shape of MiniLM, as both its network and its graph have it."""

LAYERS, HEADS, HIDDEN = 6, 12, 384
MAX_TOKENS = 256
EPSILON = 1e-12
FROZEN = ("embeddings.word_embeddings.weight",)
"""Not trained: the corpus holds a tenth of the words, and the others would stay behind where those go."""
UNUSED = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
