"""What an event asks for: a review is ordered, one is called off, a command is carried out, or nothing is done."""

from __future__ import annotations

from reviewbot.intake.handling import Intake

__all__ = ["Intake"]
