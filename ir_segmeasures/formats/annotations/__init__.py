"""Exports of annotation tools, and files of judges, as judgements with the names of the assessors."""
