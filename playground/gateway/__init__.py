"""The gateway: its sessions and sockets, and the events sent over them."""
