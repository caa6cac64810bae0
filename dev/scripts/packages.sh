#!/usr/bin/env bash
# packages.sh alone|racing|clustered|unclustered: our packages by the needs of their tests, as import paths in one line.
#   alone        have no concurrent code (dev/rules tests it), so the race detector would find nothing
#   racing       all others
#   clustered    those of racing whose tests need an API server, and skip without one
#   unclustered  racing without clustered
set -euo pipefail
cd "$(dirname "$0")/../.."

alone() { go list ./kube/... ./components/... ./web/... ./dev/rules | grep -v -e /kube/census/reading -e /kube/lazy -e /kube/upgrade/gather; }
racing() { comm -23 <(go list ./... | sort) <(alone | sort); }
clustered() {
	local files='{{$p := .}}{{range .TestGoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}'
	go list -f "$files" ./... | while read -r package file; do
		if [ -n "$file" ] && grep -q '"FIELDMARK_TEST_PRACTICE_KUBECONFIG"' "$file"; then echo "$package"; fi
	done | sort -u | comm -12 - <(racing)
}
unclustered() { comm -23 <(racing) <(clustered); }

"$1" | tr '\n' ' '
