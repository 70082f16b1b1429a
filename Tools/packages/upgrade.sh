# Tries what docs/install.md says. Runs in a clean system: an upgrade from an older version. $OLD and $PACKAGE are the
# packages, $VERSION the new version.
dpkg -i "/tmp/$OLD" >/dev/null 2>&1 || true
apt-get install --no-download -y -qq --no-install-recommends -f
echo '# changed by the administrator' >>/etc/default/nova-serve

# Files of the command line, from the older version.
nova context add local --base-url http://127.0.0.1:8080 --use >/dev/null
nova alias set mine 'followers mock-user-id --limit 3 -o ids' >/dev/null
nova-serve --port 8080 --state /root/nova.state >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/8080) 2>/dev/null && break || sleep 0.1; done
nova follow user-0001 --as mock-user-id >/dev/null 2>&1 || true
before=$(nova mine)
kill "$server"
wait "$server" || true

dpkg -i "/tmp/$PACKAGE" >/dev/null 2>&1
test "$(dpkg-query -W -f '${Version}' nova)" = "$VERSION"
tail -1 /etc/default/nova-serve | grep 'changed by the administrator' >/dev/null
nova context list | grep http://127.0.0.1:8080 >/dev/null
nova-serve --port 8080 --state /root/nova.state >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/8080) 2>/dev/null && break || sleep 0.1; done
test "$(nova mine)" = "$before"
test -n "$before"
kill "$server"
wait "$server" || true

# The options of the service's default work, as systemd splits them.
. /etc/default/nova-serve
mkdir -p /var/lib/nova-serve
nova-serve $NOVA_SERVE_OPTIONS >/dev/null 2>&1 &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/8080) 2>/dev/null && break || sleep 0.1; done
nova mine >/dev/null
kill "$server"
wait "$server" || true

# OpenStack's client has a /usr/bin/nova, too: apt replaces one with the other only if the user agrees.
apt-get install -s python3-novaclient 2>&1 | grep '^Remv nova' >/dev/null
