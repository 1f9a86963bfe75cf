"""Drawing tools: cards, felt, text, plots, and the PNG writer."""
