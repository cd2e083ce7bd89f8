"""Figures for the course: still ones (`figures`, matplotlib) and interactive ones (`widgets`, anywidget)."""
