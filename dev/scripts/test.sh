#!/usr/bin/env bash
# test.sh: `make test`. What can fail early comes first: the checks and the tests that need no cluster run before
# Kubernetes is compiled. What needs the cluster comes last, all of it, so that one failure doesn't hide another; the
# output ends with the summaries of go test and Playwright.
set -euo pipefail
cd "$(dirname "$0")/../.."

begun=$SECONDS
step() {
	local what=$1 from=$SECONDS
	shift
	printf '\n──── %s\n' "$what"
	"$@" || {
		printf '──── %s: FAILED after %d s\n' "$what" $((SECONDS - from)) >&2
		return 1
	}
	printf '──── %s: %d s (%d s since the start)\n' "$what" $((SECONDS - from)) $((SECONDS - begun))
}

step 'Set-up: tools, npm packages, what pages load, Chromium' make -j2 test-setup
step 'Checks' make check-root
step 'Go tests without a cluster' make test-unit
step 'The same as WebAssembly, in Node' make test-wasm
step 'Build: Fieldmark, the practice cluster, kubectl' make bin/fieldmark bin/kubectl
step 'Checks of practice/' make check-practice
step 'The practice cluster itself' make test-practice

failed=0
step 'Go tests on a practice cluster' make test-cluster || failed=1
step 'Lessons of the guide on a practice cluster' make test-lessons || failed=1
printf '\n──── Browser tests (%d s since the start)\n' $((SECONDS - begun))
make test-browser || failed=1
exit "$failed"
