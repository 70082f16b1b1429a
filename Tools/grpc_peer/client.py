"""A client for every RPC of Proto/, on grpcio.

    Tools/grpc-peer client HOST:PORT graph.GetFollowers '{"user_id":"u1"}'     one call
    Tools/grpc-peer client HOST:PORT                    one call for each line of standard input, as JSON:
        {"rpc": "graph.GetFollowers", "request": {"user_id": "u1"}, "metadata": [["x-a", "1"]], "timeout": 2, "take": 1}

Prints one line of JSON for each call: its status, message, answers, headers, trailers, and the types of its details.
"""
import argparse
import json
import sys

import grpc

from .calls import Client


def run(client, line):
    compression = grpc.Compression.Gzip if line.get("gzip") else None
    outcome = client.call(
        line["rpc"], line.get("request"), [tuple(pair) for pair in line.get("metadata", ())], line.get("timeout", 30),
        compression, line.get("take"))
    print(json.dumps({"rpc": line["rpc"], **outcome.as_json()}, ensure_ascii=False), flush=True)
    return outcome


def main():
    parser = argparse.ArgumentParser(
        prog="Tools/grpc-peer client", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", help="host:port")
    parser.add_argument("rpc", nargs="?", help="for example graph.GetFollowers")
    parser.add_argument("request", nargs="?", default="{}", help="the request as JSON; default: empty")
    parser.add_argument("--ca", metavar="FILE", help="use TLS, and trust this authority")
    parser.add_argument("--certificate", metavar="FILE")
    parser.add_argument("--key", metavar="FILE")
    parser.add_argument("--token")
    arguments = parser.parse_args()
    client = Client(arguments.target, arguments.ca, arguments.certificate, arguments.key, arguments.token)
    if arguments.rpc:
        if arguments.rpc not in client.methods:
            sys.exit(f"Tools/grpc-peer client: no RPC {arguments.rpc}; one of {', '.join(client.methods)}")
        outcome = run(client, {"rpc": arguments.rpc, "request": json.loads(arguments.request)})
        sys.exit(0 if outcome.code == 0 else 1)
    for line in sys.stdin:
        run(client, json.loads(line))


main()
