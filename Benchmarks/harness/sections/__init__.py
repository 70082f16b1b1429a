"""The sections of the page, a module each, in the page's order.

A section has:

- `TITLE`: its heading
- `PROGRAMS`: the products of the package Benchmarks that it runs
- `measure(bench)`: measures, and returns what JSON can store: the samples of each round, and perhaps "targets", a list
  of what `harness.samples.target` returns
- `page(results, charts)`: its Markdown, without the heading

and perhaps:

- `NEEDS_NOVA`: whether it runs nova or nova-serve; default: False
- `prepare()`: builds what else it runs
- `ROUNDS`: its rounds, unless `--rounds` is given; default: 5
"""

import importlib
import pkgutil

ORDER = [
    "calls", "grpc", "breakdown", "client", "paging", "profile", "codec", "cache", "mock", "startup", "serve", "events", "transfers", "offline",
    "fixtures", "programs",
]


def load():
    """The modules by name; what ORDER lacks comes last."""
    found = sorted(module.name for module in pkgutil.iter_modules(__path__))
    names = [name for name in ORDER if name in found] + [name for name in found if name not in ORDER]
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}
