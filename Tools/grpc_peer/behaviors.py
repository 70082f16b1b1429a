"""The ways to misbehave, by name."""
import collections

from . import behaviors_of_calls, behaviors_of_connections, behaviors_of_streams
from .behavior import Behavior

BEHAVIORS: dict[str, Behavior] = collections.OrderedDict(
    (behavior.name, behavior)
    for module in (behaviors_of_calls, behaviors_of_streams, behaviors_of_connections)
    for behavior in module.__dict__.values() if isinstance(behavior, Behavior))
