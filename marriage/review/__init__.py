"""Review finished deals: their steps, what each seat did, and their audit."""
