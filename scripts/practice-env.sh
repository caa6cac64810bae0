#!/usr/bin/env bash
# practice-env.sh COMMAND…: run a Go command with the compiler flags of practice/build.sh, so that it finds Kubernetes
# in the build cache instead of compiling it again with other flags.
export GOFLAGS="${GOFLAGS:-} -trimpath"
exec "$@"
