"""How a peer starts and ends."""
import argparse
import json
import os
import sys
import threading


def add_lifetime(parser: argparse.ArgumentParser):
    parser.add_argument("--until-input-ends", action="store_true", help="end when standard input ends")


def announce(arguments, **ports):
    """Prints the ports, and ends the program with its input where that is asked for."""
    print(json.dumps(ports), flush=True)
    if arguments.until_input_ends:
        def wait():
            while sys.stdin.buffer.read(4096):
                pass
            os._exit(0)
        threading.Thread(target=wait, daemon=True).start()
