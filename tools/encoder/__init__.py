"""How the shipped encoder was made: corpus, mining, training, export, evaluation. Never imported by the package."""
