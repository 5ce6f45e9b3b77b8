"""The web: thin views by topic. `app.py` puts them together; no view imports another."""
