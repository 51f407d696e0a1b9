"""Engine, exact, simulation and published figures side by side."""
