"""Private ground of PyTerrier: its datasets of ir_datasets, which have no public class. The first of our
datasets imports it."""

from pyterrier.datasets._irds import IRDSDataset

__all__ = ['IRDSDataset']
