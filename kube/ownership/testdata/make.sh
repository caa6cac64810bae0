#!/usr/bin/env bash
# make.sh KUBECONFIG: make the objects of these tests on a practice cluster, as people and controllers would, and save what
# the server then says of them beside this script. It works in a namespace and an API group of its own, and removes both.
set -euo pipefail
cd "$(dirname "$0")"
export KUBECONFIG=$1
kubectl=${KUBECTL:-../../../bin/kubectl}
ns=own-fixtures

cleanup() {
	$kubectl --namespace $ns patch configmap finalizers --type=merge --patch '{"metadata":{"finalizers":null}}' &>/dev/null || true
	$kubectl delete namespace $ns --ignore-not-found --wait=false >/dev/null
	$kubectl delete crd {loose,strict,moving}.own.fieldmark.example --ignore-not-found --wait=false >/dev/null
}
trap cleanup EXIT

k() { $kubectl --namespace $ns "$@"; }
apply() { k apply --server-side --field-manager "$@" --filename - >/dev/null; }
patch() { k patch --field-manager "$@" >/dev/null; }
save() { k get "$2" "$3" --output json --show-managed-fields >"$1.json"; }

$kubectl create namespace $ns >/dev/null
$kubectl apply --filename crds.yaml >/dev/null
$kubectl wait --for=condition=Established crd/{loose,strict,moving}.own.fieldmark.example >/dev/null

# Two who apply agree on one value and go their own ways on the rest; a third changes what one of them applied.
apply alice <<'YAML'
{apiVersion: v1, kind: ConfigMap, metadata: {name: coowners, labels: {app: shop}}, data: {both: same, alice: a, taken: mine}}
YAML
apply bob <<'YAML'
{apiVersion: v1, kind: ConfigMap, metadata: {name: coowners}, data: {both: same, bob: b}}
YAML
patch carol configmap coowners --type=merge --patch '{"data":{"taken":"yours","added":"c"}}'
save coowners configmap coowners

# The same name under two operations.
apply alice <<'YAML'
{apiVersion: v1, kind: ConfigMap, metadata: {name: twice}, data: {a: "1", kept: "1"}}
YAML
patch alice configmap twice --type=merge --patch '{"data":{"a":"2","b":"2"}}'
save twice configmap twice

# Finalizers are a set; annotations have dots and slashes; a text of several lines.
apply guard <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata:
  name: finalizers
  finalizers: [own.fieldmark.example/one, own.fieldmark.example/two]
  annotations: {example.com/a.b: "1", "a.b": "2"}
data:
  config.yaml: |
    first: 1

    second: <&>
YAML
patch other configmap finalizers --type=merge --patch '{"metadata":{"finalizers":["own.fieldmark.example/one","own.fieldmark.example/three"]}}'
save finalizers configmap finalizers

# Ports have two keys, one of which the manifest leaves out; a Service gets its addresses from the server.
apply ops <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: service}
spec:
  selector: {app: shop}
  ports: [{port: 80, name: web}, {port: 53, protocol: UDP, name: dns}, {port: 53, name: dns-tcp}]
YAML
save service service service

# A Deployment is applied, scaled, and rolled out by its controller.
apply deployer <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: scaled, labels: {app: shop}}
spec:
  replicas: 0
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers:
        - name: app
          image: nginx:1.27
          args: [--listen, ":80"]
          ports: [{containerPort: 80}]
          resources: {limits: {memory: 64Mi}}
        - {name: side, image: "busybox:1"}
YAML
k rollout status deployment scaled >/dev/null
k scale deployment scaled --replicas=1 >/dev/null
k rollout status deployment scaled --timeout=60s >/dev/null
patch setter deployment scaled --type=strategic --patch '{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.28"}]}}}}'
k rollout status deployment scaled --timeout=60s >/dev/null
save scaled deployment scaled

# A Pod that was created the plain way, with values from elsewhere, and a name in env twice; it is never scheduled.
k create --save-config=false --field-manager creator --filename - >/dev/null 2>&1 <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  schedulerName: nobody
  containers:
    - name: app
      image: nginx:1.27
      command: [sh, -c, "sleep 1"]
      env:
        - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
        - {name: TWICE, value: a}
        - {name: TWICE, value: b}
      ports: [{containerPort: 80}]
      volumeMounts: [{name: tmp, mountPath: /tmp}]
  volumes: [{name: tmp, emptyDir: {}}]
YAML
save pod pod pod

# What belongs to somebody: an item that is owned as a whole.
uid=$(k get configmap coowners --output 'jsonpath={.metadata.uid}')
apply owner <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: owned
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: coowners, uid: $uid}]
  labels: {}
YAML
save owned configmap owned

# No schema: maps are merged, lists are not; keys may be anything.
apply loose <<'YAML'
apiVersion: own.fieldmark.example/v1
kind: Loose
metadata: {name: loose}
spec: {"": empty, "a.b/c": dotted, list: [{name: x}, {name: z}], deep: {er: {est: 1}}, nothing: {}, unset: null}
YAML
patch updater loose loose --type=merge --patch '{"spec":{"deep":{"er":{"more":[1,2]}},"made":{"by":"update"}}}'
save loose loose loose

# Keys with whatever strings may hold, sets, big numbers, and a status of its own.
apply strict <<'YAML'
apiVersion: own.fieldmark.example/v1
kind: Strict
metadata: {name: strict}
spec:
  items: [{name: 'a "quoted" <b>&', text: one}, {name: apps/v1, text: two}, {name: "größe 🌱", text: three}, {name: "", text: four}]
  ports: [{port: 80}, {port: 80, protocol: UDP}]
  numbers: [1, 9007199254740993, -5]
  words: [x, "1", "<b>"]
  whole: {a: 1, b: [1, 2]}
  plain: [{name: p}, {name: q}]
YAML
patch adder strict strict --type=json --patch '[{"op":"add","path":"/spec/items/-","value":{"name":"added","text":"five"}},{"op":"add","path":"/spec/numbers/-","value":9007199254740995}]'
k apply --server-side --field-manager reporter --subresource=status --filename - >/dev/null <<'YAML'
apiVersion: own.fieldmark.example/v1
kind: Strict
metadata: {name: strict}
status: {phase: Ready, conditions: [{type: Ready, status: "True"}]}
YAML
save strict strict strict

# Eleven who update are one more than the server keeps apart.
k create configmap crowd --from-literal=made=first >/dev/null
for i in {1..11}; do
	patch "updater-$i" configmap crowd --type=merge --patch "{\"data\":{\"key-$i\":\"$i\"}}"
done
save crowd configmap crowd

# Written in an older version, which has a field that the newer one doesn't.
apply past <<'YAML'
{apiVersion: own.fieldmark.example/v1beta1, kind: Moving, metadata: {name: moving}, spec: {kept: a, former: b}}
YAML
apply present <<'YAML'
{apiVersion: own.fieldmark.example/v1, kind: Moving, metadata: {name: moving}, spec: {kept: a, later: c}}
YAML
save moving moving.v1.own.fieldmark.example moving

# Whoever sends one empty entry takes the whole record away.
k create configmap untracked --from-literal=a=1 >/dev/null
k patch configmap untracked --type=merge --patch '{"metadata":{"managedFields":[{}]}}' >/dev/null
save untracked configmap untracked
