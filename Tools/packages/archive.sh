# Tries what docs/install.md says. Runs in a clean system: the archive, as its README says. $ARCHIVE is the archive.
apt-get install --no-download -y -qq --no-install-recommends libcurl4 >/dev/null 2>&1
cd /tmp
tar -xzf "$ARCHIVE"
cd "${ARCHIVE%.tar.gz}"
commands=$(sed -n 's/^    //p' README.md)
run() { bash -euo pipefail -c "$(grep -F -- "$1" <<<"$commands" | sed 's/^sudo //')"; }
run 'sudo cp -a'
nova followers mock-user-id --mock --limit 1 -o ids | grep user- >/dev/null
nova-serve --version
man -w nova nova-serve >/dev/null
uninstall=$(sed -n '/^sudo rm/,$p' <<<"$commands" | sed 's/^sudo //')
bash -euo pipefail -c "$uninstall"
left=$(find /usr/local -name '*nova*')
[ -z "$left" ] || { echo "left after uninstalling: $left"; exit 1; }

# The same for one user, with the lines for zsh in docs/find-commands.md.
export HOME=/tmp/home
mkdir -p "$HOME"
run 'mkdir -p ~/.local'
PATH="$HOME/.local/bin:$PATH" nova followers mock-user-id --mock --limit 1 -o ids | grep user- >/dev/null
PATH="$HOME/.local/bin:$PATH" man -w nova nova-serve >/dev/null
cat >"$HOME/.zshrc" <<'END'
fpath=(~/.local/share/zsh/site-functions $fpath)
autoload -Uz compinit && compinit
END
zsh -ic '[[ $_comps[nova] == _nova ]]'
bash -euo pipefail -c "${uninstall//\/usr\/local/$HOME/.local}"
left=$(find "$HOME/.local" -name '*nova*')
[ -z "$left" ] || { echo "left after uninstalling: $left"; exit 1; }
