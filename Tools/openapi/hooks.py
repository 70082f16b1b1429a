"""Examples/Python/nova_hooks.py, which users copy, and a log of the requests. Tools/check-openapi loads this file."""
import os

import requests_log

requests_log.start(os.environ["NOVA_REQUESTS_LOG"])

import nova_hooks  # noqa: E402, F401 (registers its hooks)
