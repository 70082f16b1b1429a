#!/bin/sh
# Follows the newest followers of a user back: IDs from one command are the arguments of the next.
#
#   ./follow-back.sh <user-id> [<count>]
set -eu

user=${1:?the ID of a user}
count=${2:-10}

nova followers "$user" --limit "$count" -o ids | nova follow "$user" -

# The exit code alone is the answer; 3 is "no".
for follower in $(nova followers "$user" --limit "$count" -o ids); do
  if nova is-following "$follower" "$user" --quiet; then
    echo "$follower follows $user"
  fi
done
