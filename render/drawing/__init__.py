"""The means of drawing: cards, felt, text, plots, and the PNG writer."""
