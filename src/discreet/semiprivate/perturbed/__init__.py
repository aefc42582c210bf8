"""The perturbed leader (Algorithm 2)."""
