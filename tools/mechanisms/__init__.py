"""Random mechanisms and what must hold for them; tools/random_mechanisms.py is the command."""
