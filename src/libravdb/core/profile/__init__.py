"""Who the person is: what his memories state of him, as a few current lines in his own words."""
