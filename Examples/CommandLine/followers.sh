#!/bin/sh
# The followers of a user, newest first, for people:
#
#   ./followers.sh <user-id> [<count>]
set -eu

nova followers "${1:?the ID of a user}" --limit "${2:-10}"
