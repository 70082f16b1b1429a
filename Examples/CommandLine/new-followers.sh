#!/bin/sh
# The followers that a user has now and did not have at the last run, one ID per line. The file keeps those of the last run.
#
#   ./new-followers.sh <user-id> <file>
set -eu

user=${1:?the ID of a user}
known=${2:?a file for the known followers}
touch "$known"
# First into another file, so that a failure in the middle of the list loses nothing.
nova followers "$user" --all -o ids > "$known.new"
sort "$known" > "$known.sorted"
sort "$known.new" | comm -13 "$known.sorted" -
mv "$known.new" "$known"
rm "$known.sorted"
