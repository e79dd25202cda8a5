"""The regret of `auto`: see tools/evidence/regret.py."""
