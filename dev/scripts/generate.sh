#!/usr/bin/env bash
# generate.sh [--check]: generate the *_templ.go files, docs/packages.md and docs/reference in place, and what documents say about kinds of findings, or
# list committed files that differ from the result. The check uses a copy, so it doesn't need a clean tree, and doesn't change it.
set -euo pipefail
cd "$(dirname "$0")/../.."

templ=$PWD/bin/tools/templ

sources() { git ls-files --cached --others --exclude-standard -- '*.templ' | while read -r f; do if [ -e "$f" ]; then echo "$f"; fi; done; }
generated() { git ls-files --cached --others --exclude-standard -- '*_templ.go' | while read -r f; do if [ -e "$f" ]; then echo "$f"; fi; done; }

if [ "${1:-}" != --check ]; then
	"$templ" generate -log-level error
	go test -count=1 -run TestPackageTable ./dev/rules -update >/dev/null
	go test -count=1 -run TestReference ./server/program -update >/dev/null
	go test -count=1 -run TestDocumentsHaveTheTable ./kube/check -update >/dev/null
	exit
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
if [ -n "$(sources)" ]; then
	sources | tar -cf - -T - | tar -xf - -C "$copy"
	cp go.mod go.sum "$copy"
	(cd "$copy" && "$templ" generate -log-level error)
fi

stale=0
complain() {
	echo "generated files: $1" >&2
	stale=1
}
while read -r f; do
	if [ -z "$f" ]; then continue; fi
	out=${f%.templ}_templ.go
	if ! cmp -s "$copy/$out" "$out"; then complain "$out is not what templ makes of $f"; fi
done < <(sources)
while read -r f; do
	if [ -z "$f" ]; then continue; fi
	if [ ! -e "${f%_templ.go}.templ" ]; then complain "$f has no source any more"; fi
done < <(generated)
if [ "$stale" != 0 ]; then
	echo "Please run 'make generate' and commit the result." >&2
	exit 1
fi
