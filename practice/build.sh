#!/usr/bin/env bash
# build.sh OUTDIR [--kubectl]: build OUTDIR/fieldmark-practice, and OUTDIR/kubectl too if asked.
#
# The first time this compiles Kubernetes, and shows how far it is. After that Go's build cache answers in seconds.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || { [ $# -eq 2 ] && [ "$2" != --kubectl ]; }; then
	echo 'usage: practice/build.sh OUTDIR [--kubectl]' >&2
	exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
packages=(./cmd/fieldmark-practice)
if [ "${2:-}" = --kubectl ]; then
	packages+=(./cmd/kubectl)
fi
cd "$(dirname "$0")"

# The same flags everywhere, or the build cache is of no use: no C compiler is needed, and no path of this machine
# gets into the programs.
export CGO_ENABLED=0
export GOFLAGS="${GOFLAGS:-} -trimpath"

# What the programs say of themselves. It is the same for everyone who builds this version.
kubernetes=$(awk '$1 == "k8s.io/kubernetes" { print $2 }' go.mod)
IFS=. read -r major minor _ <<<"${kubernetes#v}"
ldflags='-s -w'
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
	ldflags+=" -X $package.gitVersion=$kubernetes -X $package.gitMajor=$major -X $package.gitMinor=$minor"
	ldflags+=" -X $package.gitCommit=unknown -X $package.gitTreeState=clean -X $package.buildDate=2026-09-23T17:06:22Z"
done

# show TEXT: tell how far we are; a terminal gets one line that changes.
show() {
	if [ -t 1 ]; then
		printf '\r\033[K%s' "$1"
	else
		printf '%s\n' "$1"
	fi
}

end_of_show() {
	if [ -t 1 ]; then printf '\r\033[K'; fi
}

# download: fetch the modules that are compiled, and say so.
download() {
	if GOPROXY=off go list -deps "${packages[@]}" >/dev/null 2>&1; then
		return
	fi
	echo "Downloading Kubernetes ${kubernetes#v} and the modules it is made of, once."
	go list -deps "${packages[@]}" 2>&1 >/dev/null | count_downloads
	end_of_show
}

count_downloads() {
	local n=0 line
	while IFS= read -r line; do
		if [[ $line == 'go: downloading '* ]]; then
			n=$((n + 1))
			if [ -t 1 ] || [ $((n % 25)) -eq 0 ]; then show "  $n modules"; fi
		else
			printf '%s\n' "$line" >&2
		fi
	done
}

# count TOTAL: read what `go build -v` says. A line without a blank is a package that is being compiled; anything else is
# for the reader, compile errors above all.
count() {
	local total=$1 n=0 told=0 line
	while IFS= read -r line; do
		if [[ $line == *[[:space:]]* ]]; then
			end_of_show >&2
			printf '%s\n' "$line" >&2
			continue
		fi
		n=$((n + 1))
		if [ "$total" -lt 50 ]; then continue; fi
		if [ -t 1 ] || [ $((10 * n / total)) -gt "$told" ]; then
			told=$((10 * n / total))
			show "  $n of $total packages ($((100 * n / total)) %)"
		fi
	done
	end_of_show
}

download
# Go knows which packages are not in its cache: those are what is left to do.
total=$(go list -deps -f '{{if .Stale}}{{.ImportPath}}{{end}}' "${packages[@]}" | grep -c . || true)
if [ "$total" -gt 1000 ]; then
	echo "Compiling Kubernetes ${kubernetes#v} from source: about 10 minutes on 2 cores, once."
elif [ "$total" -ge 50 ]; then
	echo "Compiling $total packages of the practice cluster."
fi
go build -v -ldflags "$ldflags" -o "$out/" "${packages[@]}" 2>&1 | count "$total"
