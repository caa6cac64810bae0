package refusal

// sample is a text as a tool prints it. The comment before each names who prints it: with a version, the wording is from the source of that
// version; "reported" means that it is as users quote it in issues. Names of objects are ours.
type sample struct{ name, text, want string }

const advice = `
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the ` + "`--force-conflicts`" + ` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
`

var conflicts = []sample{
	// kubectl 1.37, apply --server-side of one document
	{"kubectl apply", `error: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas` + advice, `Conflict 409 | by kubectl | with "kubectl" Update scale apps/v1  [.spec.replicas]`},
	// kubectl 1.37, apply --server-side of several documents, some of which are applied
	{"kubectl apply of a folder", `namespace/shop serverside-applied
Apply failed with 4 conflicts: conflicts with "Go-http-client" using apiextensions.k8s.io/v1:
- .status.storedVersions
conflicts with "kubectl-client-side-apply" using apiextensions.k8s.io/v1:
- .status.conditions
- .status.acceptedNames.kind
- .metadata.annotations.controller-gen.kubebuilder.io/version` + advice + `Apply failed with 1 conflict: conflict with "gitops": .spec.template.spec.containers[name="app"].image` + advice, `Conflict 409 | by kubectl | with "Go-http-client" Update  apiextensions.k8s.io/v1  [.status.storedVersions] | with "kubectl-client-side-apply" Update  apiextensions.k8s.io/v1  [.status.conditions .status.acceptedNames.kind .metadata.annotations.controller-gen.kubebuilder.io/version]
Conflict 409 | by kubectl | with "gitops" Apply    [.spec.template.spec.containers[name="app"].image]
rest "namespace/shop serverside-applied"`},
	// kube-apiserver: the source prints a time where an entry has one; versions since at least 1.37 leave it out
	{"a time", `error: Apply failed with 2 conflicts: conflicts with "hpa" with subresource "scale" using apps/v1 at 2021-05-23T23:36:04Z:
- .spec.replicas
conflicts with "helm" using apps/v1 at 2021-05-20T01:00:00Z:
- .metadata.labels.app.kubernetes.io/version` + advice, `Conflict 409 | by kubectl | with "hpa" Update scale apps/v1 2021-05-23T23:36:04Z [.spec.replicas] | with "helm" Update  apps/v1 2021-05-20T01:00:00Z [.metadata.labels.app.kubernetes.io/version]`},
	// Helm 4.2, upgrade
	{"Helm 4 upgrade", `Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas`, `Conflict 409 | by Helm | on apps/v1 Deployment  shop/web | with "kubectl" Update scale apps/v1  [.spec.replicas]`},
	// Helm 4.2, install, an object of the core group without a namespace, two fields
	{"Helm 4 install", `Error: INSTALLATION FAILED: conflict occurred while applying object /shop /v1, Kind=Namespace: Apply failed with 2 conflicts: conflicts with "kubectl-patch" using v1:
- .metadata.labels.team
- .metadata.labels.app.kubernetes.io/part-of
`, `Conflict 409 | by Helm | on /v1 Namespace  /shop | with "kubectl-patch" Update  v1  [.metadata.labels.team .metadata.labels.app.kubernetes.io/part-of]`},
	// Flux (fluxcd/pkg/ssa of July 2026), as a Kustomization says it
	{"Flux dry run", `Deployment/shop/web dry-run failed (FieldManagerConflict): Apply failed with 1 conflict: conflict with "kubectl-edit" using apps/v1: .spec.template.spec.containers[name="app"].image`, `Conflict 409 | by Flux | on / Deployment  shop/web | with "kubectl-edit" Update  apps/v1  [.spec.template.spec.containers[name="app"].image]`},
	// Flux, a line of kustomize-controller's log, with the words of versions before the status reason stood in brackets; reported
	{"Flux log", `{"level":"error","ts":"2023-05-23T23:36:04.160Z","msg":"Reconciliation failed after 1.008442786s, next try in 10m0s","controller":"kustomization","Kustomization":{"name":"apps","namespace":"flux-system"},"revision":"main/a3b95a0","error":"Ingress/shop/web dry-run failed, reason: Conflict, error: Operation cannot be fulfilled on ingresses.networking.k8s.io \"web\": the object has been modified; please apply your changes to the latest version and try again"}`, `Modified 409 | by Flux | on networking.k8s.io/ Ingress ingresses shop/web | says "the object has been modified; please apply your changes to the latest version and try again"`},
	// Argo CD, the message of a sync operation; reported
	{"Argo CD sync", `one or more objects failed to apply, reason: Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using apps/v1:
- .spec.replicas
- .spec.template.spec.containers[name="app"].resources.limits.memory (retried 5 times).`, `Conflict 409 | by Argo CD | with "kubectl-client-side-apply" Update  apps/v1  [.spec.replicas .spec.template.spec.containers[name="app"].resources.limits.memory]`},
	// Argo CD, server-side diff; reported
	{"Argo CD diff", `ComparisonError: Failed to compare desired state to live state: failed to calculate diff: error calculating server side diff: serverSideDiff error: error running server side apply in dryrun mode for resource Deployment/web: Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas`, `Conflict 409 | by Argo CD | on / Deployment  /web | with "hpa" Update  apps/v1  [.spec.replicas]`},
	// terraform-provider-kubernetes, kubernetes_manifest, in Terraform's frame; wording from the provider's apply.go
	{"Terraform", `╷
│ Error: There was a field manager conflict when trying to apply the manifest for "elastic-system/order-service-es"
│
│   with kubernetes_manifest.elasticsearch_cluster[0],
│   on logging.tf line 63, in resource "kubernetes_manifest" "elasticsearch_cluster":
│   63: resource "kubernetes_manifest" "elasticsearch_cluster" {
│
│ The API returned the following conflict: "Apply failed with 1 conflict: conflict with \"elastic-operator\" using
│ elasticsearch.k8s.elastic.co/v1: .spec.nodeSets"
│
│ You can override this conflict by setting "force_conflicts" to true in the "field_manager" block.
╵
`, `Conflict 409 | by Terraform | on /   elastic-system/order-service-es | with "elastic-operator" Update  elasticsearch.k8s.elastic.co/v1  [.spec.nodeSets]
rest "with kubernetes_manifest.elasticsearch_cluster[0],\n  on logging.tf line 63, in resource \"kubernetes_manifest\" \"elasticsearch_cluster\":\n  63: resource \"kubernetes_manifest\" \"elasticsearch_cluster"`},
	// pulumi-kubernetes 4, preview; wording from the provider's await.go
	{"Pulumi preview", `Diagnostics:
  kubernetes:core/v1:ServiceAccount (web-vault):
    error: Preview failed: 1 error occurred:
    	* the Kubernetes API server reported that "shop/web-vault" failed to fully initialize or become live: Server-Side Apply field conflict detected. See https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/#handle-field-conflicts-on-existing-resources for troubleshooting help.
    The resource managed by field manager "pulumi-kubernetes-51b738f0" had an apply conflict: Apply failed with 1 conflict: conflict with "pulumi-kubernetes-cef7f602": .metadata.labels.pulumi_stack
`, `Conflict 409 | by Pulumi | on /   shop/web-vault | as pulumi-kubernetes-51b738f0 | with "pulumi-kubernetes-cef7f602" Apply    [.metadata.labels.pulumi_stack]
rest "Diagnostics:\n  kubernetes:core/v1:ServiceAccount (web-vault):\n    error: Preview failed: 1 error occurred:\n    \t*"
rest "See https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/managing-resources-with-server-side-apply/#handle-field-conflicts-on-existing-resources"`},
	// pulumi-kubernetes 4, update, with a URN and several paths; reported
	{"Pulumi update", `    error: resource "urn:pulumi:pr-107::infra::kubernetes:batch/v1:Job::db-init-job" was not successfully created by the Kubernetes API server: Server-Side Apply field conflict detected.
    The resource managed by field manager "pulumi-kubernetes-9880894e" had an apply conflict: Apply failed with 2 conflicts: conflicts with "gkebackup" using apps/v1:
    - .spec.template.spec.containers[name="project"].image
    - .spec.template.spec.containers[name="project"].env[name="JAVA_OPTS"].value
`, `Conflict 409 | by Pulumi | on batch/v1 Job  / | as pulumi-kubernetes-9880894e | with "gkebackup" Update  apps/v1  [.spec.template.spec.containers[name="project"].image .spec.template.spec.containers[name="project"].env[name="JAVA_OPTS"].value]`},
	// pulumi-kubernetes 3.21; reported
	{"Pulumi 3", `the Kubernetes API server reported that "namespace/devs-role3" failed to fully initialize or become live: use ` + "`pulumi.com/patchForce`" + ` to override the conflict: Apply failed with 1 conflict: conflict with "pulumi-resource-kubernetes" using rbac.authorization.k8s.io/v1: .rules`, "Conflict 409 | by Pulumi | on /   namespace/devs-role3 | with \"pulumi-resource-kubernetes\" Update  rbac.authorization.k8s.io/v1  [.rules]\nrest \"use `pulumi.com/patchForce` to override the conflict\""},
	// kube-apiserver 1.37, the response itself
	{"a Status", `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Apply failed with 2 conflicts: conflicts with \"hpa\" with subresource \"scale\" using apps/v1:\n- .spec.replicas\nconflicts with \"helm\":\n- .spec.replicas","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"hpa\" with subresource \"scale\" using apps/v1","field":".spec.replicas"},{"reason":"FieldManagerConflict","message":"conflict with \"helm\"","field":".spec.replicas"}]},"code":409}`, `Conflict 409 | by Status | with "hpa" Update scale apps/v1  [.spec.replicas] | with "helm" Apply    [.spec.replicas]`},
	// Ansible; reported. It prints the response as Python prints bytes
	{"Ansible", `fatal: [localhost]: FAILED! => {"changed": false, "msg": "Failed to apply object: b'{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"Apply failed with 1 conflict: conflict with \\\\\"kubectl-client-side-apply\\\\\" using apiextensions.k8s.io/v1: .spec.versions\",\"reason\":\"Conflict\",\"details\":{\"causes\":[{\"reason\":\"FieldManagerConflict\",\"message\":\"conflict with \\\\\"kubectl-client-side-apply\\\\\" using apiextensions.k8s.io/v1\",\"field\":\".spec.versions\"}]},\"code\":409}\\n'", "reason": "Conflict"}`, `Conflict 409 | by Status | with "kubectl-client-side-apply" Update  apiextensions.k8s.io/v1  [.spec.versions]
rest "Failed to apply object: b"`},
	// controller-runtime, a line of a log for people
	{"controller-runtime", `2026-11-22T20:07:30.123Z	ERROR	Reconciler error	{"controller": "shop", "controllerKind": "Shop", "Shop": {"name":"web","namespace":"shop"}, "namespace": "shop", "name": "web", "reconcileID": "c2a4", "error": "Apply failed with 1 conflict: conflict with \"argocd-controller\": .spec.template.spec.tolerations"}`, `Conflict 409 | by client-go | with "argocd-controller" Apply    [.spec.template.spec.tolerations] | around shop
rest "ERROR"`},
	// klog, structured
	{"klog", `E1122 20:07:30.123456       1 controller.go:347] "Reconciler error" err="Operation cannot be fulfilled on deployments.apps \"web\": the object has been modified; please apply your changes to the latest version and try again" controller="shop"`, `Modified 409 | by client-go | on apps/  deployments /web | says "the object has been modified; please apply your changes to the latest version and try again"
rest "E1122 20:07:30.123456       1 controller.go:347"
rest "controller=\"shop"`},
	// client-go 0.37, any program that prints the error
	{"client-go", `Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling "my-hpa": the object has been modified; please apply your changes to the latest version and try again`, `Modified 409 | on autoscaling/  horizontalpodautoscalers /my-hpa | says "the object has been modified; please apply your changes to the latest version and try again"`},
	// kubectl 1.37: its advice follows every conflict, also this one
	{"kubectl, modified", `error: Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again` + advice, `Modified 409 | by kubectl | on apps/  deployments /web | says "the object has been modified; please apply your changes to the latest version and try again"`},
	// kubectl 1.37, replace
	{"kubectl replace", `Error from server (Conflict): error when replacing "web.yaml": Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`, `Modified 409 | by kubectl | on apps/  deployments /web | from web.yaml | says "the object has been modified; please apply your changes to the latest version and try again"`},
	// kube-apiserver 1.37, an apply with another uid
	{"a precondition", `Error from server (Conflict): Operation cannot be fulfilled on configmaps "settings": Precondition failed: UID in precondition: 1234, UID in object meta: 5678`, `Modified 409 | by kubectl | on /  configmaps /settings | says "Precondition failed: UID in precondition: 1234, UID in object meta: 5678"`},
	// Flux, an event that was cut
	{"a cut list", `Deployment/shop/web dry-run failed (FieldManagerConflict): Apply failed with 30 conflicts: conflicts with "kubectl-edit" using apps/v1:
- .spec.replicas
- .spec.templ`, `Conflict 409 | by Flux | on / Deployment  shop/web | with "kubectl-edit" Update  apps/v1  [.spec.replicas .spec.templ] | untold 28`},
	// kubectl 1.37 in a terminal of 80 columns, copied with its line ends
	{"80 columns", "error: Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"s\ncale\" using apps/v1: .spec.template.spec.containers[name=\"app\"].resources.limits\n.memory" + advice, `Conflict 409 | by kubectl | with "kubectl" Update scale apps/v1  [.spec.template.spec.containers[name="app"].resources.limits.memory]`},
	// kubectl 1.37 in a log of GitHub Actions, with colours and CRLF
	{"a CI log", "2026-11-22T20:07:30.1234567Z \x1b[31merror: Apply failed with 2 conflicts: conflicts with \"helm\" using apps/v1:\x1b[0m\r\n2026-11-22T20:07:30.1234568Z - .spec.replicas\r\n2026-11-22T20:07:30.1234569Z - .spec.paused\r\n", `Conflict 409 | by kubectl | with "helm" Update  apps/v1  [.spec.replicas .spec.paused]`},
	// kube-apiserver 1.37: a name in Go's quotes, of 128 characters at most
	{"a hostile name", `Apply failed with 1 conflict: conflict with "a \"b\"\n: .spec.x\tApply failed with 1 conflict: conflict with" using v2: .spec.l[name="x y",port=8080].v`, `Conflict 409 | with "a \"b\"\n: .spec.x\tApply failed with 1 conflict: conflict with" Update  v2  [.spec.l[name="x y",port=8080].v]`},
	// client-go 0.37: only the inside of a line of a JSON log was copied
	{"without its quotes", `Apply failed with 1 conflict: conflict with \"kubectl\" using apps/v1: .spec.replicas`, `Conflict 409 | with "kubectl" Update  apps/v1  [.spec.replicas]`},
	// structured-merge-diff 6, without the API server's words
	{"structured-merge-diff", "conflicts with \"a\":\n- .spec.one\n- .spec[1]\nconflicts with \"b\":\n- .spec.list[=\"v\"]", `Conflict 409 | with "a" Apply    [.spec.one .spec[1]] | with "b" Apply    [.spec.list[="v"]]`},
	// Helm 4.2, two objects of one upgrade
	{"Helm, two objects", `Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas && conflict occurred while applying object shop/db apps/v1, Kind=StatefulSet: Apply failed with 1 conflict: conflict with "kubectl-edit" using apps/v1: .spec.replicas`, `Conflict 409 | by Helm | on apps/v1 Deployment  shop/web | with "kubectl" Update scale apps/v1  [.spec.replicas]
Conflict 409 | by Helm | on apps/v1 StatefulSet  shop/db | with "kubectl-edit" Update  apps/v1  [.spec.replicas]`},
	// Argo CD, in an Application's YAML, which is folded; reported
	{"Argo CD, YAML", `  message: 'one or more objects failed to apply, reason: Apply failed with 1 conflict:
    conflict with "kubectl-client-side-apply" using apps/v1: .spec.template.spec.containers[name="app"].image'
  phase: Failed`, `Conflict 409 | by Argo CD | with "kubectl-client-side-apply" Update  apps/v1  [.spec.template.spec.containers[name="app"].image]
rest "phase: Failed"`},
	// kube-apiserver 1.37, a message of several lines that somebody has put on one
	{"one line", `conflicts with "helm-controller" using apiextensions.k8s.io/v1: - .metadata.annotations.a/b - .spec.versions`, `Conflict 409 | with "helm-controller" Update  apiextensions.k8s.io/v1  [.metadata.annotations.a/b .spec.versions]`},
	// GitHub, an issue that quotes a mail
	{"quoted", "> Error: UPGRADE FAILED: conflict occurred while applying object kube-system/traefik apps/v1, Kind=Deployment: Apply failed\n> with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas", `Conflict 409 | by Helm | on apps/v1 Deployment  kube-system/traefik | with "kubectl" Update scale apps/v1  [.spec.replicas]`},
}

var invalids = []sample{
	// kubectl 1.37, apply
	{"kubectl, a field", `The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"web2"}}: field is immutable`, `Immutable 422 | by kubectl | on / Deployment  /web | field .spec.selector: Invalid value: {"matchLabels":{"app":"web2"}}: field is immutable !`},
	// kubectl 1.37, several causes
	{"kubectl, fields", `The Deployment "web" is invalid: 
* spec.template.metadata.labels: Invalid value: {"app":"web"}: ` + "`selector` does not match template `labels`" + `
* spec.template.spec.containers[0].image: Required value
`, "Invalid 422 | by kubectl | on / Deployment  /web | field .spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels` | field .spec.template.spec.containers[0].image: Required value"},
	// kubectl 1.37, without details
	{"kubectl, no details", `The request is invalid: patch: Invalid value: "map[spec:map[x:1]]": strict decoding error: unknown field "spec.x"`, `Invalid 422 | by kubectl | field .patch: Invalid value: "map[spec:map[x:1]]": strict decoding error: unknown field "spec.x"`},
	// Helm 3 and 4, client-side upgrade; the words of the API server are reported
	{"Helm 3, immutable", `Error: UPGRADE FAILED: cannot patch "web" with kind StatefulSet: StatefulSet.apps "web" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`, `Immutable 422 | by Helm | on apps/ StatefulSet  /web | field .spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden !`},
	// Flux, two fields of one object
	{"Flux, two fields", `Deployment/jit/jit-broker dry-run failed (Invalid): Deployment.apps "jit-broker" is invalid: [spec.template.spec.containers[0].env[9].valueFrom: Invalid value: "": may not be specified when ` + "`value`" + ` is not empty, spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy ` + "`type`" + ` is 'Recreate']`, "Invalid 422 | by Flux | on apps/ Deployment  jit/jit-broker | field .spec.template.spec.containers[0].env[9].valueFrom: Invalid value: \"\": may not be specified when `value` is not empty | field .spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"},
	// Flux (fluxcd/pkg/ssa of July 2026), a Secret
	{"Flux, a secret", `Secret/shop/key dry-run failed (Invalid): Secret "key" is invalid: data: Forbidden: field is immutable when ` + "`immutable`" + ` is set`, "Immutable 422 | by Flux | on / Secret  shop/key | field .data: Forbidden: field is immutable when `immutable` is set !"},
	// Argo CD, by kubectl's replace; reported
	{"Argo CD, immutable", `Failed sync attempt to be99317bd6e5b52650f5aab8bb8ce576d0dd7173: one or more objects failed to apply, reason: error when replacing "/dev/shm/3939400155": StorageClass.storage.k8s.io "longhorn" is invalid: [parameters: Forbidden: updates to parameters are forbidden., reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.]`, `Immutable 422 | by Argo CD | on storage.k8s.io/ StorageClass  /longhorn | field .parameters: Forbidden: updates to parameters are forbidden. ! | field .reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden. !
rest "be99317bd6e5b52650f5aab8bb8ce576d0dd7173"`},
	// Argo CD, two objects in one message, separated by a comma; each reported
	{"Argo CD, two objects", `one or more objects failed to apply, reason: error when patching "/dev/shm/2264556553": Job.batch "migrate" is invalid: spec.template: Invalid value: {"labels":{"a":"b"},"Spec":{"Volumes":null}}: field is immutable,CustomResourceDefinition.apiextensions.k8s.io "scaledjobs.keda.sh" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes`, `Immutable 422 | by Argo CD | on batch/ Job  /migrate | field .spec.template: Invalid value: {"labels":{"a":"b"},"Spec":{"Volumes":null}}: field is immutable !
Invalid 422 | by Argo CD | on apiextensions.k8s.io/ CustomResourceDefinition  /scaledjobs.keda.sh | field .metadata.annotations: Too long: may not be more than 262144 bytes`},
	// terraform-provider-kubernetes, a Status; wording from the provider's diagnostics.go
	{"Terraform, invalid", `╷
│ Error: API response status: Failure
│
│   with kubernetes_manifest.web,
│   on main.tf line 1, in resource "kubernetes_manifest" "web":
│    1: resource "kubernetes_manifest" "web" {
│
│ Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0
╵
╷
│ Error: Kubernetes API Error: Invalid Deployment.apps [web]
╵
`, `Invalid 422 | by Terraform | on apps/ Deployment  /web | field .spec.replicas: Invalid value: -1: must be greater than or equal to 0
rest "with kubernetes_manifest.web,\n  on main.tf line 1, in resource \"kubernetes_manifest\" \"web\":\n   1: resource \"kubernetes_manifest\" \"web"`},
	// kubectl 1.37, create with an unknown field
	{"strict decoding", `Error from server (BadRequest): error when creating "web.yaml": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica", duplicate field "spec.template.spec.containers[0].image"`, `Invalid 400 | by kubectl | on /v1 Deployment  / | from web.yaml | field .spec.replica: unknown field | field .spec.template.spec.containers[0].image: duplicate field`},
	// Helm 4.2, install, server-side apply of duplicates
	{"Helm 4, duplicates", `Error: INSTALLATION FAILED: server-side apply failed for object shop/web apps/v1, Kind=Deployment: failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="identity"].env: duplicate entries for key [name="LICENSE_KEY"]`, `Invalid 500 | by Helm | on apps/v1 Deployment  shop/web | field .spec.template.spec.containers[name="identity"].env: duplicate entries for key [name="LICENSE_KEY"]`},
	// Flux, two fields that the schema doesn't have; reported
	{"Flux, undeclared", `Ingress/shop/web dry-run failed: failed to create typed patch object (shop/web; networking.k8s.io/v1, Kind=Ingress): errors:
  .spec.rules[0].paths: field not declared in schema
  .spec.tsl: field not declared in schema`, `Invalid 500 | by Flux | on networking.k8s.io/v1 Ingress  shop/web | field .spec.rules[0].paths: field not declared in schema | field .spec.tsl: field not declared in schema`},
	// kubectl 1.37, apply of a field that another version of the CRD lacks
	{"another version lacks the field", `Error from server: failed to prune fields: failed to convert merged object to last applied version: .spec.new: field not declared in schema`, `Invalid 500 | by kubectl | field .spec.new: field not declared in schema of another version (kubernetes#111937)`},
	// older kubectl, which validated itself; reported
	{"kubectl's validation", `error: error validating "web.yaml": error validating data: [ValidationError(Deployment.spec): unknown field "replica" in io.k8s.api.apps.v1.DeploymentSpec, ValidationError(Deployment.spec.template): unknown field "metadat" in io.k8s.api.core.v1.PodTemplateSpec]; if you choose to ignore these errors, turn validation off with --validate=false`, `Invalid 0 | by kubectl | on / Deployment  / | from web.yaml | field .spec: unknown field "replica" in io.k8s.api.apps.v1.DeploymentSpec | field .spec.template: unknown field "metadat" in io.k8s.api.core.v1.PodTemplateSpec`},
	// kubectl 1.37, a pod update: the server adds the difference
	{"a pod's update", `The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than ` + "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`" + `
  core.PodSpec{
  	... // 2 identical fields
- 	Name: "a",
+ 	Name: "b",
  }
`, "Immutable 422 | by kubectl | on / Pod  /web | field .spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`\n  core.PodSpec{\n  \t... // 2 identical fields\n- \tName: \"a\",\n+ \tName: \"b\",\n  } !"},
	// kubectl 1.37, client-side apply
	{"kubectl, a patch", `Error from server (Invalid): error when applying patch:
{"spec":{"clusterIP":"10.0.0.1"}}
to:
Resource: "/v1, Resource=services", GroupVersionKind: "/v1, Kind=Service"
Name: "web", Namespace: "shop"
for: "web.yaml": error when patching "web.yaml": Service "web" is invalid: spec.clusterIPs[0]: Invalid value: []string{"10.0.0.1"}: may not change once set`, `Immutable 422 | by kubectl | on /v1 Service  shop/web | from web.yaml | field .spec.clusterIPs[0]: Invalid value: []string{"10.0.0.1"}: may not change once set !
rest "spec\":{\"clusterIP\":\"10.0.0.1\"}}\nto:\nResource: \"/v1, Resource=services"
rest "for: \"web.yaml"`},
	// pulumi-kubernetes 4; reported
	{"Pulumi, invalid", `error: resource shop/web was not successfully created by the Kubernetes API server: Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767`, `Invalid 422 | by Pulumi | on / Service  shop/web | field .spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767`},
	// kube-apiserver 1.37
	{"a Status of an invalid object", `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Deployment.apps \"web\" is invalid: spec.selector: Required value","reason":"Invalid","details":{"name":"web","group":"apps","kind":"Deployment","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.selector"},{"reason":"FieldValueInvalid","message":"Invalid value: \"x\": bad","field":"metadata.annotations[a/b]"}]},"code":422}`, `Invalid 422 | by Status | on apps/ Deployment  /web | field .spec.selector: Required value | field .metadata.annotations.a/b: Invalid value: "x": bad`},
}

var denials = []sample{
	// kubectl 1.37
	{"kubectl, RBAC", `Error from server (Forbidden): deployments.apps "web" is forbidden: User "system:serviceaccount:ci:deployer" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`, `Forbidden 403 | by kubectl | on apps/  deployments shop/web | denial {User:system:serviceaccount:ci:deployer Verb:patch Resource:deployments Subresource: Group:apps Namespace:shop ClusterScope:false Path: Why:} | says "User \"system:serviceaccount:ci:deployer\" cannot patch resource \"deployments\" in API group \"apps\" in the namespace \"shop\""`},
	// kubectl 1.37, at cluster scope, with the authorizer's reason
	{"kubectl, cluster scope", `Error from server (Forbidden): nodes is forbidden: User "ada" cannot list resource "nodes" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "viewer" not found`, `Forbidden 403 | by kubectl | on /  nodes / | denial {User:ada Verb:list Resource:nodes Subresource: Group: Namespace: ClusterScope:true Path: Why:RBAC: clusterrole.rbac.authorization.k8s.io "viewer" not found} | says "User \"ada\" cannot list resource \"nodes\" in API group \"\" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io \"viewer\" not found"`},
	// client-go 0.37, an aggregate
	{"several in brackets", `[deployments.apps "a" is forbidden: User "ci" cannot get resource "deployments" in API group "apps" in the namespace "shop", services "b" is forbidden: User "ci" cannot get resource "services" in API group "" in the namespace "shop"]`, `Forbidden 403 | on apps/  deployments shop/a | denial {User:ci Verb:get Resource:deployments Subresource: Group:apps Namespace:shop ClusterScope:false Path: Why:} | says "User \"ci\" cannot get resource \"deployments\" in API group \"apps\" in the namespace \"shop\""
Forbidden 403 | on /  services shop/b | denial {User:ci Verb:get Resource:services Subresource: Group: Namespace:shop ClusterScope:false Path: Why:} | says "User \"ci\" cannot get resource \"services\" in API group \"\" in the namespace \"shop\""`},
	// client-go 0.37, a path
	{"a path", `forbidden: User "system:anonymous" cannot get path "/metrics"`, `Forbidden 403 | denial {User:system:anonymous Verb:get Resource: Subresource: Group: Namespace: ClusterScope:false Path:/metrics Why:} | says "User \"system:anonymous\" cannot get path \"/metrics\""`},
	// client-go 0.37, a reflector's log
	{"a reflector", `E1122 20:07:30.123456       1 reflector.go:204] "Failed to watch" err="failed to list *v1.Secret: secrets is forbidden: User \"system:serviceaccount:shop:web\" cannot list resource \"secrets\" in API group \"\" in the namespace \"shop\"" reflector="k8s.io/client-go/informers/factory.go:160"`, `Forbidden 403 | by client-go | on /  secrets shop/ | denial {User:system:serviceaccount:shop:web Verb:list Resource:secrets Subresource: Group: Namespace:shop ClusterScope:false Path: Why:} | says "User \"system:serviceaccount:shop:web\" cannot list resource \"secrets\" in API group \"\" in the namespace \"shop\""
rest "E1122 20:07:30.123456       1"
rest "failed to list *v1.Secret"
rest "reflector=\"k8s.io/client-go/informers/factory.go:160"`},
	// kube-apiserver 1.37, escalation
	{"escalation", `Error from server (Forbidden): error when creating "role.yaml": roles.rbac.authorization.k8s.io "admin" is forbidden: user "ada" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`, `Forbidden 403 | by kubectl | on rbac.authorization.k8s.io/  roles /admin | from role.yaml | denial {User:ada Verb: Resource: Subresource: Group: Namespace: ClusterScope:false Path: Why:} | says "user \"ada\" (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}"`},
	// kube-apiserver 1.37, ResourceQuota
	{"a quota", `Error from server (Forbidden): error when creating "pod.yaml": pods "web" is forbidden: exceeded quota: compute, requested: limits.memory=2Gi,requests.cpu=500m, used: limits.memory=7Gi,requests.cpu=1800m, limited: limits.memory=8Gi,requests.cpu=2`, `QuotaExceeded 403 | by kubectl | on /  pods /web | from pod.yaml | quota {Name:compute Limits:[{Resource:limits.memory Requested:2Gi Used:7Gi Limited:8Gi} {Resource:requests.cpu Requested:500m Used:1800m Limited:2}]} | says "exceeded quota: compute, requested: limits.memory=2Gi,requests.cpu=500m, used: limits.memory=7Gi,requests.cpu=1800m, limited: limits.memory=8Gi,requests.cpu=2"`},
	// kube-apiserver 1.37, ResourceQuota
	{"a quota needs limits", `pods "web" is forbidden: failed quota: compute: must specify limits.cpu for: app; limits.memory for: app`, `QuotaExceeded 403 | on /  pods /web | quota {Name:compute Limits:[]} | says "failed quota: compute: must specify limits.cpu for: app; limits.memory for: app"`},
	// pod-security-admission 0.37
	{"Pod Security", `Error from server (Forbidden): error when creating "pod.yaml": pods "web" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)`, `Denied 403 | by kubectl | on /  pods /web | from pod.yaml | policy {Type:PodSecurity Name:restricted:latest Binding:} | says "allowPrivilegeEscalation != false (container \"app\" must set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true (pod or container \"app\" must set securityContext.runAsNonRoot=true)"`},
	// kube-apiserver 1.37, ValidatingAdmissionPolicy
	{"a policy", `The deployments "web" is invalid: : ValidatingAdmissionPolicy 'replicas' with binding 'replicas-shop' denied request: failed expression: object.spec.replicas <= 5`, `Denied 422 | by kubectl | on /  deployments /web | policy {Type:ValidatingAdmissionPolicy Name:replicas Binding:replicas-shop} | says "failed expression: object.spec.replicas <= 5"`},
	// client-go 0.37, ValidatingAdmissionPolicy
	{"a policy's message", `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas-shop' denied request: no more than 5 replicas`, `Denied 403 | on apps/  deployments /web | policy {Type:ValidatingAdmissionPolicy Name:replicas Binding:replicas-shop} | says "no more than 5 replicas"`},
	// Kyverno behind kubectl 1.37; reported
	{"Kyverno", `Error from server: error when creating "pod.yaml": admission webhook "validate.kyverno.svc-fail" denied the request: 

resource Pod/default/nginx was blocked due to the following policies 

require-labels:
  check-for-labels: 'validation error: label app is required. rule check-for-labels
    failed at path /metadata/labels/app/'
`, `Denied 0 | by kubectl | from pod.yaml | policy {Type:webhook Name:validate.kyverno.svc-fail Binding:} | says "resource Pod/default/nginx was blocked due to the following policies \n\nrequire-labels:\n  check-for-labels: 'validation error: label app is required. rule check-for-labels\n    failed at path /metadata/labels/app/'"`},
	// Gatekeeper behind Argo CD; reported
	{"Gatekeeper", `one or more objects failed to apply, reason: admission webhook "validation.gatekeeper.sh" denied the request: [ns-must-have-owner] you must provide labels: {"owner"}`, `Denied 0 | by Argo CD | policy {Type:webhook Name:validation.gatekeeper.sh Binding:} | says "[ns-must-have-owner] you must provide labels: {\"owner\"}"`},
	// CloudNativePG behind Flux: a webhook that speaks as the server; reported
	{"a webhook that validates", `Cluster/shop/pg dry-run failed (Invalid): admission webhook "vcluster.cnpg.io" denied the request: Cluster.cluster.cnpg.io "pg" is invalid: spec.bootstrap: Forbidden: Only one bootstrap method can be specified at a time`, `Denied 422 | by Flux | on cluster.cnpg.io/ Cluster  shop/pg | field .spec.bootstrap: Forbidden: Only one bootstrap method can be specified at a time | policy {Type:webhook Name:vcluster.cnpg.io Binding:} | says "Cluster.cluster.cnpg.io \"pg\" is invalid: spec.bootstrap: Forbidden: Only one bootstrap method can be specified at a time"`},
	// kube-apiserver 1.37
	{"without explanation", `Error from server: admission webhook "no.example.com" denied the request without explanation`, `Denied 0 | by kubectl | policy {Type:webhook Name:no.example.com Binding:}`},
	// kube-apiserver 1.37 behind an older Flux; reported
	{"no dry run", `Secret/shop/key dry-run failed, error: admission webhook "validation-service.default.svc" does not support dry run`, `Denied 400 | by Flux | on / Secret  shop/key | policy {Type:webhook Name:validation-service.default.svc Binding:} | says "does not support dry run"`},
	// kube-apiserver 1.37 behind Flux; reported
	{"a webhook that is down", `ExternalSecret/flux-system/github-app dry-run failed (InternalError): Internal error occurred: failed calling webhook "validate.externalsecret.external-secrets.io": failed to call webhook: Post "https://external-secrets-webhook.external-secrets.svc:443/validate?timeout=5s": no endpoints available for service "external-secrets-webhook"`, `WebhookFailed 500 | by Flux | on / ExternalSecret  flux-system/github-app | policy {Type:webhook Name:validate.externalsecret.external-secrets.io Binding:} | says "failed to call webhook: Post \"https://external-secrets-webhook.external-secrets.svc:443/validate?timeout=5s\": no endpoints available for service \"external-secrets-webhook\""`},
	// kube-apiserver 1.37, NamespaceLifecycle
	{"a namespace that goes", `Error from server (Forbidden): error when creating "web.yaml": configmaps "web" is forbidden: unable to create new content in namespace shop because it is being terminated`, `Denied 403 | by kubectl | on /  configmaps /web | from web.yaml | says "unable to create new content in namespace shop because it is being terminated"`},
}

var others = []sample{
	// kubectl 1.37
	{"not found", `Error from server (NotFound): deployments.apps "web" not found`, `NotFound 404 | by kubectl | on apps/  deployments /web`},
	// Argo CD; reported
	{"no namespace", `one or more objects failed to apply, reason: namespaces "kubercoins-prod" not found`, `NotFound 404 | by Argo CD | on /  namespaces /kubercoins-prod`},
	// kubectl 1.37
	{"no kind", `error: resource mapping not found for name: "web" namespace: "shop" from "web.yaml": no matches for kind "Rollout" in version "argoproj.io/v1alpha1"
ensure CRDs are installed first`, `Unserved 0 | by kubectl | on argoproj.io/v1alpha1 Rollout  shop/web | from web.yaml`},
	// kubectl 1.37
	{"no resource type", `error: the server doesn't have a resource type "rollouts"`, `Unserved 0 | by kubectl | on /  rollouts /`},
	// Flux; reported
	{"Flux, no kind", `ServiceEntry/istio-system/artifactory dry-run failed: no matches for kind "ServiceEntry" in version "networking.istio.io/v1beta1"`, `Unserved 0 | by Flux | on networking.istio.io/v1beta1 ServiceEntry  istio-system/artifactory`},
	// Helm 4.2
	{"Helm, no kind", `Error: INSTALLATION FAILED: unable to build kubernetes objects from release manifest: resource mapping not found for name: "web" namespace: "" from "": no matches for kind "PodSecurityPolicy" in version "policy/v1beta1"
ensure CRDs are installed first`, `Unserved 0 | by Helm | on policy/v1beta1 PodSecurityPolicy  /web`},
	// client-go 0.37
	{"could not find", `the server could not find the requested resource (get widgets.example.com web)`, `Unserved 404 | on example.com/  widgets /web | says "the server could not find the requested resource (get widgets.example.com web)"`},
	// kubectl 1.37
	{"exists", `Error from server (AlreadyExists): error when creating "ns.yaml": namespaces "shop" already exists`, `AlreadyExists 409 | by kubectl | on /  namespaces /shop | from ns.yaml`},
	// kube-apiserver 1.37
	{"expired", `Error from server (Expired): The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.`, `Expired 410 | by kubectl | says "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter."`},
	// kube-apiserver 1.37
	{"too old", `too old resource version: 1234 (5678)`, `Expired 410 | says "too old resource version: 1234 (5678)"`},
	// kube-apiserver 1.37
	{"not acceptable", `Error from server (NotAcceptable): only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf`, `NotAcceptable 406 | by kubectl | accepts application/json application/yaml application/vnd.kubernetes.protobuf | says "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"`},
	// kube-apiserver 1.37
	{"immutable list", `The StatefulSet "web" is invalid: spec.volumeClaimTemplates: Invalid value: [{"metadata":{"name":"data"},"spec":{"resources":{}},"status":{"phase":"Pending"}}]: field is immutable`, `Immutable 422 | by kubectl | on / StatefulSet  /web | field .spec.volumeClaimTemplates: Invalid value: [{"metadata":{"name":"data"},"spec":{"resources":{}},"status":{"phase":"Pending"}}]: field is immutable !`},
	{"media type, as the status code has it", `415: Unsupported Media Type`, `UnsupportedMediaType 415 | says "415: Unsupported Media Type"`},
	{"a type in the Accept header", `Error from server (NotAcceptable): 406: Not Acceptable`, `NotAcceptable 406 | by kubectl | says "406: Not Acceptable"`},
	{"a sentence that nobody knows", `Error from server: etcdserver: request timed out`, ` 0 | by kubectl | says "etcdserver: request timed out"`},
	{"media type", `Error from server (UnsupportedMediaType): the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`, `UnsupportedMediaType 415 | by kubectl | accepts application/json-patch+json application/merge-patch+json application/apply-patch+yaml | says "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"`},
	// kubectl 1.37, drain
	{"an eviction", `error when evicting pods/"web-1" -n "shop" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.`, `TooManyRequests 429 | by kubectl | on /  pods shop/web-1 | says "Cannot evict pod as it would violate the pod's disruption budget."`},
	// kube-apiserver 1.37, an eviction
	{"a Status of an eviction", `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Cannot evict pod as it would violate the pod's disruption budget.","reason":"TooManyRequests","details":{"causes":[{"reason":"DisruptionBudget","message":"The disruption budget web needs 2 healthy pods and has 2 currently"}],"retryAfterSeconds":10},"code":429}`, `TooManyRequests 429 | by Status | retry 10s | says "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently"`},
	// client-go 0.37, for a server that says nothing more
	{"too many", `Error from server (TooManyRequests): the server has received too many requests and has asked us to try again later (get pods)`, `TooManyRequests 429 | by kubectl | on /  pods / | says "the server has received too many requests and has asked us to try again later (get pods)"`},
	// kubectl 1.37
	{"unauthorized", `error: You must be logged in to the server (the server has asked for the client to provide credentials)`, `Unauthorized 401 | by kubectl | says "You must be logged in to the server (the server has asked for the client to provide credentials)"`},
	// kubectl 1.37: a reason of another kind
	{"only the status reason", `Error from server (Forbidden): the moon is in the wrong house`, `Forbidden 403 | by kubectl | says "the moon is in the wrong house"`},
	// Flux: words that are unknown
	{"only the object", `Deployment/shop/web dry-run failed: der Server mag heute nicht
Service/shop/web dry-run failed (Invalid): something else`, ` 0 | by Flux | on / Deployment  shop/web | says "der Server mag heute nicht"
Invalid 422 | by Flux | on / Service  shop/web | says "something else"`},
	// Helm 4.2: no refusal of a server
	{"nothing of a server", `Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress`, `rest "another operation (install/upgrade/rollback) is in progress"`},
	{"another language", `Fehler vom Server (Verboten): das Objekt wurde geändert`, `rest "Fehler vom Server (Verboten): das Objekt wurde geändert"`},
	{"nothing", ``, ``},
	{"a manifest", `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
`, `rest "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web"`},
	// kubectl 1.37 and Helm 4.2, one after the other in a CI log
	{"two tools", `error: Apply failed with 1 conflict: conflict with "a": .spec.x` + advice + `
Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "b": .spec.y
`, `Conflict 409 | by kubectl | with "a" Apply    [.spec.x]
Conflict 409 | by Helm | on apps/v1 Deployment  shop/web | with "b" Apply    [.spec.y]`},
	// an Application of Argo CD, as kubectl get -o json prints it: the message stands in it twice
	{"an Application", `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","status":{"operationState":{"syncResult":{"resources":[{"group":"apps","version":"v1","kind":"Deployment","namespace":"shop","name":"web","status":"SyncFailed","syncPhase":"Sync","message":"Apply failed with 1 conflict: conflict with \"hpa\" using apps/v1: .spec.replicas"}]}}}}`, `Conflict 409 | by Argo CD | on apps/v1 Deployment  shop/web | with "hpa" Update  apps/v1  [.spec.replicas]`},
}
