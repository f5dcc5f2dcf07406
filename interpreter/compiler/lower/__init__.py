"""From typed trees to the core: expressions, effects, actions, stages."""
