#!/bin/sh
# The followers of a user with their names and counts, as lines for a spreadsheet that are separated by tabs.
#
#   ./followers-table.sh <user-id> [<count>] > followers.tsv
set -eu

nova followers "${1:?the ID of a user}" --limit "${2:-100}" --template '{{user_id}}\t{{username}}\t{{follower_count}}'
