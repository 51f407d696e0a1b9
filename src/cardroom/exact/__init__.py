"""Probabilities and expected values, exact."""

from cardroom.core.kernels import forget_stale_kernels

forget_stale_kernels("exact")
