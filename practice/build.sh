#!/usr/bin/env bash
# build.sh OUTDIR [--kubectl] [--beside]: build OUTDIR/fieldmark-practice, and OUTDIR/kubectl too if asked.
# build.sh OUTDIR --kubernetes 1.33: build the control plane of another release of Kubernetes, OUTDIR/fieldmark-controlplane-1.33.
# build.sh --ldflags: print the linker's flags, for others that build the program (dev/image), and build nothing.
#
# The first time this compiles Kubernetes, and shows how far it is. Go's build cache keeps each package as soon as it is
# compiled. So a build that was interrupted goes on where it was, and one with nothing to do takes seconds.
#
# --beside is for a program that starts this script and goes on with its own work (fieldmark --practice-build). The
# progress is one JSON object a line on standard output: {"step":"download","done":25}, then
# {"step":"compile","done":312,"total":1140}, then {"step":"link"}. Everything else goes to standard error. The compiler
# gets out of the way of other programs (nice), and the build ends when standard input ends.
set -euo pipefail

usage() {
	echo 'usage: practice/build.sh OUTDIR [--kubectl] [--beside] | OUTDIR --kubernetes VERSION | --ldflags' >&2
	exit 2
}

[ $# -ge 1 ] || usage
out=
if [ "$1" != --ldflags ]; then
	mkdir -p "$1"
	out=$(cd "$1" && pwd)
fi
shift
packages=(./cmd/fieldmark-practice)
target=
minutes='about 10'
what='the practice cluster'
beside=
go=(go)
cd "$(dirname "$0")"
while [ $# -gt 0 ]; do
	case $1 in
	--kubectl) packages+=(./cmd/kubectl) ;;
	--beside)
		beside=yes
		go=(nice -n 10 go)
		;;
	--kubernetes)
		[ $# -ge 2 ] || usage
		other=$2
		shift
		if [ ! -f "releases/$other/go.mod" ]; then
			echo "practice/releases has no Kubernetes $other. There are: $(cd versions && echo [0-9]*)." >&2
			exit 2
		fi
		cd "releases/$other"
		packages=(.)
		target=fieldmark-controlplane-$other
		minutes='3 to 5'
		what="the control plane of Kubernetes $other"
		;;
	*) usage ;;
	esac
	shift
done

# end_with_stdin: our process group ends when standard input does, which it does even if whoever holds the other end is
# killed. What is deaf to that is killed. go build leaves its temporary folder behind then, so it gets one of ours.
end_with_stdin() {
	GOTMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/fieldmark-build.XXXXXX")
	export GOTMPDIR
	exec 3<&0 </dev/null
	{
		trap '' TERM
		read -r -u 3 || true
		exec >/dev/null 2>&1
		kill -TERM -- "-$$"
		for _ in {1..50}; do sleep 0.1; done
		kill -KILL -- "-$$"
	} &
	watcher=$!
	disown "$watcher" # or bash tells how it ends
	trap 'exit 143' TERM
	trap 'kill -KILL "$watcher" 2>/dev/null || true; rm -rf "$GOTMPDIR" || { sleep 0.5 && rm -rf "$GOTMPDIR"; }' EXIT
	exec 3<&-
}
if [ "$beside" ]; then end_with_stdin; fi

# The same flags everywhere, or the build cache is of no use: no C compiler is needed, and no path of this machine
# gets into the programs.
export CGO_ENABLED=0
export GOFLAGS="${GOFLAGS:-} -trimpath"

# What the programs say of themselves. It is the same for everyone who builds this version.
kubernetes=$(awk '$1 == "k8s.io/kubernetes" { print $2 }' go.mod)
IFS=. read -r major minor _ <<<"${kubernetes#v}"
built=$(go list -m -f '{{with .Time}}{{.Format "2006-01-02T15:04:05Z"}}{{else}}1970-01-01T00:00:00Z{{end}}' k8s.io/kubernetes)
ldflags='-s -w'
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
	ldflags+=" -X $package.gitVersion=$kubernetes -X $package.gitMajor=$major -X $package.gitMinor=$minor"
	ldflags+=" -X $package.gitCommit=unknown -X $package.gitTreeState=clean -X $package.buildDate=$built"
done
if [ ! "$out" ]; then
	printf '%s\n' "$ldflags"
	exit
fi

# show TEXT: tell how far we are; a terminal gets one line that changes.
show() {
	if [ "$beside" ]; then
		return
	elif [ -t 1 ]; then
		printf '\r\033[K%s' "$1"
	else
		printf '%s\n' "$1"
	fi
}

# title TEXT: tell people what comes now.
title() {
	if [ ! "$beside" ]; then printf '%s\n' "$1"; fi
}

# news JSON: tell the program that started us how far we are.
news() {
	if [ "$beside" ]; then printf '{"step":%s}\n' "$1"; fi
}

end_of_show() {
	if [ ! "$beside" ] && [ -t 1 ]; then printf '\r\033[K'; fi
}

# download: fetch the modules that are compiled, and say so.
download() {
	if GOPROXY=off "${go[@]}" list -deps "${packages[@]}" >/dev/null 2>&1; then
		return
	fi
	title "Downloading Kubernetes ${kubernetes#v} and the modules it is made of, once."
	news '"download","done":0'
	"${go[@]}" list -deps "${packages[@]}" 2>&1 >/dev/null | count_downloads
	end_of_show
}

count_downloads() {
	trap '' TERM # go may have a last word
	local n=0 line
	while IFS= read -r line; do
		if [[ $line == 'go: downloading '* ]]; then
			n=$((n + 1))
			news "\"download\",\"done\":$n"
			if [ -t 1 ] || [ $((n % 25)) -eq 0 ]; then show "  $n modules"; fi
		else
			printf '%s\n' "$line" >&2
		fi
	done
}

# count DONE TOTAL: read what `go build -v` says. A line without a blank is a package that is being compiled; anything
# else is for the reader, compile errors above all. DONE packages of TOTAL were in the cache already.
count() {
	trap '' TERM
	local before=$1 total=$2 n=$1 told=$((10 * $1 / $2)) line
	while IFS= read -r line; do
		if [[ $line == *[[:space:]]* ]]; then
			end_of_show >&2
			printf '%s\n' "$line" >&2
			continue
		fi
		n=$((n < total ? n + 1 : n))
		news "\"compile\",\"done\":$n,\"total\":$total"
		if [ "$n" -eq "$total" ]; then news '"link"'; fi
		if [ $((total - before)) -lt 50 ]; then continue; fi
		if [ -t 1 ] || [ $((10 * n / total)) -gt "$told" ]; then
			told=$((10 * n / total))
			show "  $n of $total packages ($((100 * n / total)) %)"
		fi
	done
	end_of_show
}

download
# Go knows which packages are not in its cache: those are what is left to do.
read -r total stale < <("${go[@]}" list -deps -f '{{.Stale}}' "${packages[@]}" | awk '$1 == "true" { stale++ } END { print NR, stale + 0 }')
if [ "$stale" -gt 1000 ]; then
	title "Compiling Kubernetes ${kubernetes#v} from source: $minutes minutes on 2 cores, once."
elif [ "$stale" -ge 50 ]; then
	title "Compiling $stale packages of $what."
fi
news "\"compile\",\"done\":$((total - stale)),\"total\":$total"
"${go[@]}" build -v -ldflags "$ldflags" -o "$out/$target" "${packages[@]}" 2>&1 | count $((total - stale)) "$total"
