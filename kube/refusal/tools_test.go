package refusal

import "testing"

// ofTools are texts whose frames say more than the server's sentence, or say nothing.
var ofTools = []sample{
	// Helm 4.2 and 3.18, an upgrade that fails for several objects; wording from pkg/kube/client.go
	{
		"Helm, several failures", `Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable && cannot patch "api" with kind Service: Service "api" is invalid: spec.clusterIP: Invalid value: "": field is immutable && conflict occurred while applying object shop/db apps/v1, Kind=StatefulSet: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas`,
		`Immutable 422 | by Helm | on apps/ Deployment  /web | field .spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable !
Immutable 422 | by Helm | on / Service  /api | field .spec.clusterIP: Invalid value: "": field is immutable !
Conflict 409 | by Helm | on apps/v1 StatefulSet  shop/db | with "kubectl" Update scale apps/v1  [.spec.replicas]`,
	},
	// a policy's expression stays whole
	{
		"an expression with &&", `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.spec.replicas <= 5 && has(object.spec)`,
		`Denied 403 | on apps/  deployments /web | policy {Type:ValidatingAdmissionPolicy Name:p Binding:b} | says "failed expression: object.spec.replicas <= 5 && has(object.spec)"`,
	},
	// Helm 4.2 and 3.18; wording from pkg/action/validate.go
	{
		"Helm, an object of somebody else", `Error: INSTALLATION FAILED: Unable to continue with install: Deployment "web" in namespace "shop" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"; annotation validation error: missing key "meta.helm.sh/release-name": must be set to "web"; annotation validation error: missing key "meta.helm.sh/release-namespace": must be set to "shop"`,
		`NotAdopted 0 | by Helm | on / Deployment  shop/web | field .metadata.labels.app.kubernetes.io/managed-by: must be set to "Helm" | field .metadata.annotations.meta.helm.sh/release-name: must be set to "web" | field .metadata.annotations.meta.helm.sh/release-namespace: must be set to "shop" | says "cannot be imported into the current release: invalid ownership metadata; label validation error: missing key \"app.kubernetes.io/managed-by\": must be set to \"Helm\"; annotation validation error: missing key \"meta.helm.sh/release-name\": must be set to \"web\"; annotation validation error: missing key \"meta.helm.sh/release-namespace\": must be set to \"shop\""`,
	},
	{
		"Helm, an object of another release", `Error: UPGRADE FAILED: Unable to continue with update: ClusterRole "web" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: key "meta.helm.sh/release-name" must equal "web": current value is "old"`,
		`NotAdopted 0 | by Helm | on / ClusterRole  /web | field .metadata.annotations.meta.helm.sh/release-name: must equal "web": current value is "old" | says "cannot be imported into the current release: invalid ownership metadata; annotation validation error: key \"meta.helm.sh/release-name\" must equal \"web\": current value is \"old\""`,
	},
	// kube-rs 1.1; kube-client prints the error and its copy
	{
		"kube-rs", `Error: ApiError: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas: Conflict (ErrorResponse { status: "Failure", message: "Apply failed with 1 conflict: conflict with \"kubectl\" with subresource \"scale\" using apps/v1: .spec.replicas", reason: "Conflict", code: 409 })`,
		`Conflict 409 | by kube-rs | with "kubectl" Update scale apps/v1  [.spec.replicas]`,
	},
	{
		"kube-rs, not found", `ApiError: deployments.apps "web" not found: NotFound (ErrorResponse { status: "Failure", message: "deployments.apps \"web\" not found", reason: "NotFound", code: 404 })`,
		`NotFound 404 | by kube-rs | on apps/  deployments /web`,
	},
	// the sentence of another program that goes on after a path
	{"a path before more words", `conflict with "a" using v1: .data.x: giving up`, "Conflict 409 | with \"a\" Update  v1  [.data.x]\nrest \"giving up\""},
	// alekc/kubectl 2.1; reported
	{"Terraform's kubectl provider", `╷
│ Error: shop/web failed to run apply: Apply failed with 1 conflict: conflict with "HashiCorp" using external-secrets.io/v1beta1: .spec.data
│
│   with kubectl_manifest.web,
│   on main.tf line 1, in resource "kubectl_manifest" "web":
│    1: resource "kubectl_manifest" "web" {
╵`, `Conflict 409 | by Terraform's kubectl provider | on /   shop/web | with "HashiCorp" Update  external-secrets.io/v1beta1  [.spec.data]
rest "with kubectl_manifest.web,\n  on main.tf line 1, in resource \"kubectl_manifest\" \"web\":\n   1: resource \"kubectl_manifest\" \"web"`},
	// controller-runtime 0.23, as zap writes it for people
	{
		"a controller", "2026-11-28T05:00:00Z\tERROR\tReconciler error\t{\"controller\": \"web\", \"namespace\": \"shop\", \"name\": \"web\", \"error\": \"Apply failed with 1 conflict: conflict with \\\"kubectl\\\" using apps/v1: .spec.replicas\"}\nsigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).reconcileHandler\n\t/go/pkg/mod/sigs.k8s.io/controller-runtime@v0.23.1/pkg/internal/controller/controller.go:474\n",
		"Conflict 409 | by client-go | with \"kubectl\" Update  apps/v1  [.spec.replicas] | around shop\nrest \"ERROR\"",
	},
	// controller-runtime 0.23, as klog writes it
	{
		"a controller with klog", `E1128 05:00:00.000000       1 controller.go:474] "Reconciler error" err="Apply failed with 1 conflict: conflict with \"kubectl\" using apps/v1: .spec.replicas" controller="web" namespace="shop" name="web"`,
		"Conflict 409 | by client-go | with \"kubectl\" Update  apps/v1  [.spec.replicas] | around shop\nrest \"E1128 05:00:00.000000       1 controller.go:474\"\nrest \"controller=\\\"web\"\nrest \"name=\\\"web\"",
	},
	// Ansible, kubernetes.core.k8s; reported
	{
		"Ansible", "TASK [Apply the manifest] ******************************************************\nfatal: [localhost]: FAILED! => {\"changed\": false, \"msg\": \"deployments.apps \\\"web\\\" not found\"}\n\nPLAY RECAP *********************************************************************\nlocalhost                  : ok=1    changed=0    unreachable=0    failed=1    skipped=0    rescued=0    ignored=0\n",
		`NotFound 404 | on apps/  deployments /web`,
	},
	{"a stack trace of Go", "deployments.apps \"web\" not found\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d\ncreated by example.com/web.run in goroutine 7\n\t/src/run.go:9 +0x2\n", `NotFound 404 | on apps/  deployments /web`},
	{"a traceback of Python", "Traceback (most recent call last):\n  File \"/app/main.py\", line 3, in <module>\ndeployments.apps \"web\" not found\n", `NotFound 404 | on apps/  deployments /web`},
	{"a stack trace of Java", "deployments.apps \"web\" not found\n\tat io.fabric8.kubernetes.client.Operation.handle(Operation.java:504)\n\t... 12 more\n", `NotFound 404 | on apps/  deployments /web`},
	{"a backtrace of Rust", "deployments.apps \"web\" not found\nstack backtrace:\n   0: std::backtrace_rs::backtrace::trace\n             at /rustc/abc/library/std/src/lib.rs:12:5\n", `NotFound 404 | on apps/  deployments /web`},
}

func TestReadTools(t *testing.T) {
	for _, c := range ofTools {
		t.Run(c.name, func(t *testing.T) {
			if got := told(reading(c.text)); got != c.want {
				t.Errorf("%s\n\ngot\n%s\n\nwant\n%s", c.text, got, c.want)
			}
		})
	}
}
