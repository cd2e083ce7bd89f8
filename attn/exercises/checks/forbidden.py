"""What answers may not call: the functions of libraries that do what an exercise asks to be written, "package.name"."""

SOFTMAX = (
    "torch.softmax",
    "torch.Softmax",
    "torch.log_softmax",
    "scipy.softmax",
    "scipy.log_softmax",
    "jax.softmax",
    "attn.softmax",
)
LOGSUMEXP = ("torch.logsumexp", "torch.special_logsumexp", "scipy.logsumexp", "jax.logsumexp", "attn.logsumexp")
ATTENTION = (
    "torch.scaled_dot_product_attention",
    "torch.MultiheadAttention",
    "torch.multi_head_attention_forward",
    "torch.flex_attention",
    "jax.dot_product_attention",
    "attn.scaled_dot_product_attention",
    "attn.trace",
    "attn.flash_attention",
    "attn.multi_head_attention",
    "attn.grouped_query_attention",
)
LAYER_NORM = ("torch.layer_norm", "torch.native_layer_norm", "torch.LayerNorm", "attn.layer_norm")
MEMORY = ("attn.write", "attn.recurrent", "attn.chunked", "attn.matrix", "attn.decay_mask")
