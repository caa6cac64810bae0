#!/usr/bin/env bash
# need.sh go|node|cc|chromium|neovim: check that a program exists. If possible, install it with the package manager; otherwise say what is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

die() {
	printf '\nmake: %s\n\n' "$*" >&2
	exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# at_least WANT HAVE: is version HAVE the same as WANT, or newer?
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n1)" = "$1" ]; }

apt_install() {
	local what=$1
	if ! have apt-get; then die "$what is missing. Please install it with your system's package manager."; fi
	if [ "$(id -u)" != 0 ]; then die "$what is missing. Please run: sudo apt-get install $what"; fi
	echo "Installing $what with apt-get…"
	local log
	log=$(mktemp)
	exec 9>"${TMPDIR:-/tmp}/fieldmark-apt-get.lock" # make installs several programs at the same time, and apt-get doesn't wait
	flock 9
	if ! { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$what"; } >"$log" 2>&1; then
		tail -n 20 "$log" >&2
		rm -f "$log"
		die "apt-get could not install $what (its last words are above)."
	fi
	rm -f "$log"
}

case ${1:-} in
go)
	want=$(sed -n 's/^go //p' go.mod)
	have go || die "Go is missing. Fieldmark needs Go $want or newer: https://go.dev/dl/"
	got=$(go env GOVERSION)
	at_least "$want" "${got#go}" || die "Go ${got#go} is too old. Fieldmark needs Go $want or newer: https://go.dev/dl/"
	;;
node)
	want=$(sed -n 's/.*"node": ">=\([0-9.]*\)".*/\1/p' package.json)
	{ have node && have npm; } || die "Node is missing. Fieldmark needs Node $want or newer, with npm: https://nodejs.org/"
	got=$(node --version)
	at_least "$want" "${got#v}" || die "Node ${got#v} is too old. Fieldmark needs Node $want or newer: https://nodejs.org/"
	;;
cc)
	# The race detector links with C.
	if ! have "$(go env CC)"; then
		apt_install gcc
		apt_install libc6-dev
	fi
	;;
chromium)
	browser=${CHROMIUM:-/usr/bin/chromium}
	if [ -x "$browser" ]; then exit 0; fi
	if [ -n "${CHROMIUM:-}" ]; then die "CHROMIUM is $CHROMIUM, and no program is there."; fi
	for other in chromium-browser google-chrome; do
		if have "$other"; then die "no /usr/bin/chromium, but $other is here. Please run: export CHROMIUM=$(command -v "$other")"; fi
	done
	apt_install chromium
	;;
neovim)
	have nvim || apt_install neovim
	;;
*)
	die "need.sh knows go, node, cc, chromium and neovim, not '${1:-}'."
	;;
esac
