"""For those who watch the bot: figures for Prometheus, whether it is well, signs of life for systemd."""
