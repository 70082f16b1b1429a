# Tries what docs/install.md says. Runs in a clean system: dpkg -i, apt's dependencies, and the first calls, within a
# minute. $PACKAGE is the package.
for program in cc gcc clang swift swiftc; do
  ! command -v "$program" >/dev/null || { echo "this system has $program, so it proves nothing"; exit 1; }
done
begin=$SECONDS
dpkg -i "/tmp/$PACKAGE" >/dev/null 2>&1 && { echo "libcurl should be missing here, and dpkg -i fail"; exit 1; }
apt-get install --no-download -y -qq --no-install-recommends -f >/dev/null
nova --version
nova-serve --version
nova serve --port 8080 >/tmp/serve.out 2>&1 &
server=$!
for _ in $(seq 100); do (: </dev/tcp/127.0.0.1/8080) 2>/dev/null && break || sleep 0.1; done
export NOVA_BASE_URL=http://127.0.0.1:8080
test "$(nova followers mock-user-id --limit 3 -o ids | wc -l)" = 3
kill "$server"
wait "$server" || true
seconds=$((SECONDS - begin))
[ "$seconds" -le 60 ] || { echo "took $seconds s, and not a minute"; exit 1; }
echo "installed and called within $seconds s"

# Neither enabled nor started.
test ! -e /etc/systemd/system/multi-user.target.wants/nova-serve.service
if pgrep -x nova-serve; then exit 1; fi

# nova finds its libraries and nova-serve.
unset NOVA_BASE_URL
nova doctor --mock >/tmp/doctor 2>&1
for part in libcurl nova-serve; do
  grep -Eq "^$part[[:space:]]+ok" /tmp/doctor || { cat /tmp/doctor; exit 1; }
done

# Manual pages.
man -w nova nova-serve nova-post-create >/dev/null
man nova | col -b | grep NovaSocial >/dev/null
man nova-serve | grep -- --ready-file >/dev/null

# Completions, as each shell finds them by itself.
bash -c 'source /usr/share/bash-completion/bash_completion; _completion_loader nova; complete -p nova' | grep _nova >/dev/null
zsh -fc 'autoload -Uz compinit; compinit -u; [[ $_comps[nova] == _nova ]]'
fish -c 'complete -C "nova followe"' | grep followers >/dev/null

# Purged, nothing is left.
dpkg -L nova | while read -r path; do [ -d "$path" ] || echo "$path"; done >/tmp/files
# What systemd makes for a service that was enabled.
mkdir -p /var/lib/private/nova-serve /etc/systemd/system/multi-user.target.wants
ln -s private/nova-serve /var/lib/nova-serve
ln -s /lib/systemd/system/nova-serve.service /etc/systemd/system/multi-user.target.wants/nova-serve.service
dpkg -r nova >/dev/null 2>&1
test -e /etc/default/nova-serve
test ! -e /usr/bin/nova
dpkg -P nova >/dev/null 2>&1
while read -r path; do [ ! -e "$path" ] && [ ! -L "$path" ] || { echo "$path is left"; exit 1; }; done </tmp/files
# man keeps the pages that it has shown in /var/cache.
elsewhere=(-path /var/cache -o -path /proc -o -path /tmp -o -path /root -o -path /dev -o -path /sys)
left=$(find / -xdev \( "${elsewhere[@]}" \) -prune -o -name '*nova*' -print)
[ -z "$left" ] || { echo "left after purge: $left"; exit 1; }
