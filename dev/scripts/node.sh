#!/usr/bin/env bash
# node.sh PROGRAM ARGS…: runs a test that was compiled to WebAssembly in Node. Most tests are over before the optimizing compiler has done its work, which
# took more than half of their processor time.
set -euo pipefail
exec node --stack-size=8192 --liftoff-only "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" "$@"
