"""What the integrators are shown to do; see tools/convergence.py."""
