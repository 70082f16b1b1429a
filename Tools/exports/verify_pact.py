"""Verifies a pact against a server with Pact's own verifier. Usage: verify_pact.py <pact> <url of the server>"""
import json
import os
import re
import sys

# The verifier would report each run to its makers.
os.environ["PACT_DO_NOT_TRACK"] = "true"

from pact import Verifier  # noqa: E402

pact, url = sys.argv[1:]
with open(pact, encoding="utf-8") as file:
    expected = len(json.load(file)["interactions"])
verifier = (
    Verifier("NovaSocial", host="127.0.0.1")
    .add_source(pact)
    .add_transport(url=url)
    .state_handler(f"{url}/_nova/provider-state", body=True, teardown=False)
)
failure = None
try:
    verifier.verify()
except RuntimeError as error:
    failure = error
output = verifier.output(strip_ansi=True)
verified = len(re.findall(r"^    returns a response which$", output, re.MULTILINE))
failures = output.partition("\nFailures:\n")[2]
if failure or failures or verified != expected:
    print(failures[:20_000])
    sys.exit(f"{verified} of {expected} interactions were tried: {failure or 'see above'}")
print(f"  pact: {verified} interactions verified")
