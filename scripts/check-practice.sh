#!/usr/bin/env bash
# check-practice.sh: lint and tidiness of the nested module practice/.
set -euo pipefail
cd "$(dirname "$0")/../practice"

bad=0
../scripts/practice-env.sh ../bin/tools/golangci-lint run --config ../.golangci.yml || bad=1
go mod tidy -diff || bad=1
exit "$bad"
