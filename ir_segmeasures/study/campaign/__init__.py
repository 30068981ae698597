"""Campaigns: pools of the runs that take part, the agreement of the assessors who judge them, and one set of judgements
from several assessors.
"""
