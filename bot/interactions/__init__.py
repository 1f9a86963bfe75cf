"""An interaction on its way in and its answer on the way out: who asks, for what, and what he is told."""
