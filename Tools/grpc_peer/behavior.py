"""What a way to misbehave is."""
import dataclasses
import inspect
from typing import Callable


@dataclasses.dataclass(frozen=True)
class Behavior:
    name: str
    run: Callable
    is_of_connections: bool

    @property
    def summary(self):
        return " ".join(inspect.getdoc(self.run).split())


def of_calls(function):
    """A behavior `async def name(call, argument=default, …)`."""
    return Behavior(function.__name__.replace("_", "-"), function, False)


def of_connections(function):
    """A behavior `async def name(connection, argument=default, …)`, from the moment a connection is there."""
    return Behavior(function.__name__.replace("_", "-"), function, True)
