# Runs in a clean system: the two lines of docs/install.md, a tampered package, and keys that are not the repository's.
# $VERSION is the version. /tmp/repository is signed with the key in its keyring, /tmp/other.asc is another one.
rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
install -d /etc/apt/keyrings /srv/apt
cp -r /tmp/repository/. /srv/apt
(cd /srv/apt && exec python3 -m http.server --bind 127.0.0.1 8081) >/dev/null 2>&1 &
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/8081) 2>/dev/null && break || sleep 0.1; done
key=/etc/apt/keyrings/nova-archive-keyring.asc
list() { echo "deb [signed-by=$key] http://127.0.0.1:8081 stable main" >/etc/apt/sources.list.d/nova.list; }
update() { rm -rf /var/lib/apt/lists/*; apt-get update -o APT::Update::Error-Mode=any 2>&1; }
refused() { if output=$(update); then echo "apt accepted $1"; exit 1; fi; }

cp /tmp/repository/nova-archive-keyring.asc "$key"
list
update >/dev/null || { update; exit 1; }
apt-cache policy nova | grep "Candidate: $VERSION" >/dev/null
cd /tmp
apt-get download -qq nova
cmp nova_*.deb /srv/apt/pool/nova_*.deb

# A wrong key, and none.
cp /tmp/other.asc "$key"
refused 'a wrong key'
cp /tmp/repository/nova-archive-keyring.asc "$key"

# Lists that were changed after they were signed.
sed -i 's/^Suite: stable/Suite: unstable/' /srv/apt/dists/stable/InRelease
refused 'a changed InRelease'
cp /tmp/repository/dists/stable/InRelease /srv/apt/dists/stable/InRelease
rm /srv/apt/dists/stable/InRelease /srv/apt/dists/stable/Release.gpg
refused 'unsigned lists'
cp /tmp/repository/dists/stable/* /srv/apt/dists/stable/ 2>/dev/null || true
update >/dev/null

# A package with another byte.
package=$(ls /srv/apt/pool/nova_*.deb)
size=$(stat -c %s "$package")
printf '\x00\x01' | dd of="$package" bs=1 seek=$((size / 2)) conv=notrunc status=none
rm -f nova_*.deb
if apt-get download -qq nova >/dev/null 2>&1; then echo 'apt accepted a tampered package'; exit 1; fi
