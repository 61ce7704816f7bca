"""reviewbot: what an upstream PyTorch pull request does to torch_npu, with proof."""

__version__ = "0.1.0"
