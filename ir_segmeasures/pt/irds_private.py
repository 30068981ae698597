"""Private ground of PyTerrier: its datasets of ir_datasets, which have no public class. It is imported with the first of
our datasets only."""

from pyterrier.datasets._irds import IRDSDataset

__all__ = ['IRDSDataset']
