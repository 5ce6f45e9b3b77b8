"""Companion: the phone app beside the real cards at a game night."""
