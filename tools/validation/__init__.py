"""Comparison of models with published tables and closed forms; see tools/validate.py."""
