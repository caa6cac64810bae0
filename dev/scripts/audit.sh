#!/usr/bin/env bash
# audit.sh: known vulnerabilities in our dependencies. It fails on a finding. If the network prevents the search, it prints a clear message.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$(mktemp)
trap 'rm -f "$out"' EXIT

skipped() {
	printf '\n!!!! SKIPPED: %s\n!!!! %s\n!!!! Nothing was checked. Run `make check-audit` where the network allows.\n\n' "$1" "$2" >&2
}

unreachable='dial tcp|no such host|i/o timeout|connection refused|TLS handshake|HTTP GET .* returned unexpected status|40[35] |50[234] |ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN'

# govulncheck ends with 3 if it found something, and with 1 if it couldn't search. The browser's program has other code
# of the same modules than the other programs.
go_modules() {
	local code=0
	{ bin/tools/govulncheck ./... && GOOS=js GOARCH=wasm bin/tools/govulncheck ./wasm/...; } >"$out" 2>&1 || code=$?
	if [ "$code" = 1 ] && grep -qE "$unreachable" "$out"; then
		skipped 'govulncheck could not reach its database' "$(grep -m1 -E "$unreachable" "$out")"
	elif [ "$code" != 0 ]; then
		cat "$out" >&2
		return 1
	fi
}

# npm audit ends with 1 in both cases. Only its JSON distinguishes a finding from a failed search.
npm_packages() {
	if npm audit --json --audit-level=moderate >"$out" 2>/dev/null; then return; fi
	local why
	why=$(node -e '
		const report = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		if (!report.metadata) console.log(report.message ?? report.error?.summary ?? "no answer");
	' "$out" 2>/dev/null || echo 'no answer that could be read')
	if [ -n "$why" ]; then
		skipped 'npm audit could not reach the registry' "$why"
		return
	fi
	npm audit --audit-level=moderate >&2 || return 1
}

bad=0
go_modules || bad=1
npm_packages || bad=1
exit "$bad"
