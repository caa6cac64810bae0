#!/usr/bin/env bash
# release.sh ARGUMENT…: `make release-check` and `make release`. Makes what goes into the archives, and starts goreleaser release with
# these arguments; .goreleaser.yaml says what it makes of them, in dist/.
#
# PRACTICE_PLATFORMS   platforms of the practice program, separated by commas; each takes about ten minutes the first time
set -euo pipefail
cd "$(dirname "$0")/../.."

own=bin/release
rm -rf "$own"
mkdir -p "$own/completions" "$own/fieldmark" "$own/practice"

bin/fieldmark completion bash >"$own/completions/fieldmark.bash"
bin/fieldmark completion zsh >"$own/completions/_fieldmark"
bin/fieldmark completion fish >"$own/completions/fieldmark.fish"
bin/fieldmark completion powershell >"$own/completions/fieldmark.ps1"

# Licences ask that their texts come with the program. A program has other modules on other platforms, and pages load programs too.
pages=(wasm/*/main.go)
pages=("${pages[@]%/main.go}")
go run ./dev/licences -npm package.json {linux,darwin,windows}/{amd64,arm64}:./server "${pages[@]/#/js/wasm:./}" \
	>"$own/fieldmark/THIRD-PARTY-LICENCES.txt"
go run ./dev/licences -C practice {linux,darwin}/{amd64,arm64}:./cmd/fieldmark-practice >"$own/practice/THIRD-PARTY-LICENCES.txt"

# The guide has the responses of the practice cluster of this release. They differ from build to build: names, times and UIDs are the cluster's.
bin/fieldmark guide export "$own/guide"

PATH="$PWD/bin/tools/release:$PATH"
PRACTICE_LDFLAGS=$(practice/build.sh --ldflags)
# Files have the time of the commit, so that the same commit makes the same archives. goreleaser itself knows neither in a clone
# that has no remote.
COMMIT=$(git rev-parse --short HEAD)
COMMIT_TIME=$(git log -1 --format=%ct)
COMMIT_DATE=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
export PATH PRACTICE_LDFLAGS PRACTICE_PLATFORMS COMMIT COMMIT_TIME COMMIT_DATE
exec goreleaser release --clean "$@"
