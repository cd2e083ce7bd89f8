"""attn: attention as linear algebra. Small modules, one idea each; every chapter of the course builds one.

axes · softmax · masks · core          one attention
heads · circuits · positions · block   what a transformer makes of it
grads · flash · cache · features       the same function, backwards, in blocks, token by token, reassociated
memory                                 one matrix in place of all keys and values
induction · senses · transformer       small models, really trained
encoder                                a published one, whole
cost · laws                            what it costs, and what any correct implementation obeys

attn.show (figures), attn.gpu (torch) and attn.exercises are wings: import them by name when you need them.
"""

__version__ = "0.1.0"
