"""A private name of ir_datasets: without it, a dataset that is removed, or replaced, stays what it
was until the program ends."""

import ir_datasets


def unregister(id: str) -> None:
    """Takes a dataset out of the registry of ir_datasets, if it is there.

    The public way that is missing is a call of ``ir_datasets.Registry`` beside ``register``.
    """
    ir_datasets.registry._registered.pop(id, None)
