#!/bin/sh
# Whether two users follow each other. Exits with 0 if so, with 1 if not, and with the code of `nova` if that is not known.
#
#   ./mutual-followers.sh <user-id> <user-id>
set -eu

one=${1:?the ID of a user}
other=${2:?the ID of another user}
# In an assignment of its own, so that a failure of `nova` ends the script.
there=$(nova is-following "$one" "$other")
back=$(nova is-following "$other" "$one")
echo "$one follows $other: $there"
echo "$other follows $one: $back"
[ "$there $back" = "true true" ]
