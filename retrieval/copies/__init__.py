"""Copies: definitions of one tree that are copies of definitions of another, whatever they are called or wherever.

``tokens`` normalises code, ``sketch`` takes a few fingerprints of it to find candidates by, ``alignment`` says how
alike two pieces are and which lines they share, ``state`` what a copy has of a change. All of it is pure.
"""
