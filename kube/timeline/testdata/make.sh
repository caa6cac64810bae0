#!/usr/bin/env bash
# make.sh KUBECONFIG: let two managers fight over a ConfigMap on a practice cluster, and save every version of it beside
# this script, one to a line. It works in a namespace of its own, and removes it.
set -euo pipefail
cd "$(dirname "$0")"
export KUBECONFIG=$1
kubectl=${KUBECTL:-../../../bin/kubectl}
ns=own-timeline
trap '$kubectl delete namespace $ns --ignore-not-found --wait=false >/dev/null' EXIT

k() { $kubectl --namespace $ns "$@"; }
apply() {
	k apply --server-side --force-conflicts --field-manager "$1" --filename - >/dev/null <<YAML
{apiVersion: v1, kind: ConfigMap, metadata: {name: fight}, data: $2}
YAML
	keep
}
patch() {
	k patch configmap fight --field-manager "$1" --type=merge --patch "$2" >/dev/null
	keep
}
keep() { k get configmap fight --show-managed-fields --output json | tr -d '\n' >>fight.jsonl; echo >>fight.jsonl; }

$kubectl create namespace $ns >/dev/null
rm -f fight.jsonl
apply git '{level: "1", kept: "yes"}'
patch operator '{"data":{"level":"2"}}'
apply git '{level: "1", kept: "yes"}'
patch operator '{"data":{"level":"2"}}'
apply git '{level: "1", kept: "yes"}'
patch operator '{"data":{"own":"x"}}'
apply other '{kept: "yes"}'
apply git '{level: "1"}'
patch cleaner '{"data":{"own":null}}'
patch cleaner '{"metadata":{"labels":{"swept":"true"}}}'
