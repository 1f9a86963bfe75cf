"""Monitoring of the bot: metrics for Prometheus, a health check, and the systemd watchdog."""
