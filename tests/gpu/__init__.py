"""Tests of attn.gpu. They run on a CPU: the kernel in Triton's interpreter, the ring on processes of this machine."""
