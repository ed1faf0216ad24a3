"""Host messages become what was really said: read, freed of our own echo and of secrets, and named. Pure functions."""
