package inquiry

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/explain"
)

const (
	role = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: patch-deployments-scale
  namespace: shop
rules:
- apiGroups:
  - apps
  resourceNames:
  - web
  resources:
  - deployments/scale
  verbs:
  - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: patch-deployments-scale
  namespace: shop
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: patch-deployments-scale
subjects:
- kind: ServiceAccount
  name: ci
  namespace: ops
`
	webhooksCommand = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name | grep -F no.example.com\n"
)

// reasons are texts with what is said of them, and ways out, as "way: text".
var reasons = []struct {
	name, text string
	what       string
	ways       []string
	note       string
}{
	{
		"modified", `Error from server (Conflict): error when replacing "web.yaml": Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`,
		"A write for Deployment shop/web was refused: the object has changed since it was read.",
		[]string{"look: kubectl get deployments.apps web -n shop -o yaml --show-managed-fields\n"},
		"kubectl (Update, scale) wrote last at 2026-11-22T10:00:00Z.",
	},
	{
		"invalid", `The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
		"A write for Deployment shop/web was refused: the object would not be valid.",
		[]string{"correct: Correct .spec.replicas: Invalid value: -1: must be greater than or equal to 0", "look: kubectl explain deployments.spec.replicas --api-version=apps/v1\n"},
		"",
	},
	{
		"annotations that are too long", `The Deployment "web" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes`,
		"A write for Deployment shop/web was refused: the object would not be valid.",
		[]string{"correct: # Client-side apply stores the manifest in an annotation. Server-side apply doesn't.\nkubectl apply --server-side -n shop -f FILE\n"},
		"",
	},
	{
		"an object that is too long", `The Deployment "web" is invalid: []: Too long: may not be more than 1048576 bytes`,
		"A write for Deployment shop/web was refused: the object would not be valid.",
		[]string{"correct: The whole object is too long. Split it into several objects."},
		"",
	},
	{
		"one field and an object that are too long", `The Deployment "web" is invalid: [[]: Too long: may not be more than 1048576 bytes, spec.replicas: Invalid value: -1: must be greater than or equal to 0]`,
		"A write for Deployment shop/web was refused: the object would not be valid.",
		[]string{"correct: The whole object is too long. Split it into several objects.", "correct: Correct .spec.replicas"},
		"",
	},
	{
		"an unknown field", `Error from server (BadRequest): error when creating "web.yaml": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica"`,
		"A write for deployments.apps was refused: the object would not be valid.",
		[]string{"give-up: web.yaml:0: delete .spec.replica"},
		"",
	},
	{
		"immutable", `The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable`,
		"A write for Deployment shop/web was refused: it would change a field that can't be changed after creation.",
		[]string{"share: Set .spec.selector back to its live value.", "recreate: # This deletes"},
		"",
	},
	{
		"forbidden", `Error from server (Forbidden): deployments.apps "web" is forbidden: User "system:serviceaccount:ops:ci" cannot patch resource "deployments/scale" in API group "apps" in the namespace "shop"`,
		"A request was refused: system:serviceaccount:ops:ci may not patch deployments.apps/scale in the namespace shop.",
		[]string{"grant: " + role, "look: kubectl auth can-i patch deployments.apps/web --subresource=scale -n shop --as=system:serviceaccount:ops:ci\n"},
		"",
	},
	{
		"a path", `forbidden: User "eve" cannot get path "/metrics"`, "A request was refused: eve may not get the path /metrics.",
		[]string{"look: kubectl auth can-i get /metrics --as=eve\n", "grant: apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: get-metrics\nrules:\n- nonResourceURLs:\n  - /metrics\n"},
		"",
	},
	{
		"escalation", `roles.rbac.authorization.k8s.io "admin" is forbidden: user "ada" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:` + "\n" + `{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
		"would grant permissions that this user doesn't have.",
		[]string{"grant: Get the permissions"},
		"",
	},
	{
		"a webhook", `Error from server: admission webhook "no.example.com" denied the request: not today`, "A request was refused by the admission webhook no.example.com.",
		[]string{"look: " + webhooksCommand, "correct: Change the manifest so that it meets the rule: not today"},
		"",
	},
	{
		"a webhook without dry runs", `admission webhook "no.example.com" does not support dry run`, "refused by the admission webhook", []string{"correct: # In the webhook's configuration, if the webhook has no side effects\nsideEffects: None\n"}, "",
	},
	{
		"a policy", `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'shop' denied request: no more than 5`, "A request for Deployment web was refused by the ValidatingAdmissionPolicy replicas.",
		[]string{"look: kubectl get validatingadmissionpolicy replicas -o yaml\n", "look: kubectl get validatingadmissionpolicybinding shop -o yaml\n"},
		"",
	},
	{
		"Pod Security", `pods "web" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true`, "the Pod doesn't meet the level restricted.",
		[]string{"look: kubectl get namespace NAMESPACE --show-labels\n", "correct: Change the manifest so that it meets the rule: runAsNonRoot != true"},
		"",
	},
	{
		"a namespace that goes", `configmaps "web" is forbidden: unable to create new content in namespace shop because it is being terminated`, "refused by admission",
		[]string{"look: # The conditions say what the deletion waits for\nkubectl get namespace shop -o yaml\n"},
		"",
	},
	{
		"a webhook that is down", `Internal error occurred: failed calling webhook "no.example.com": failed to call webhook: Post "https://a.b.svc:443/x": no endpoints available for service "a"`, "the admission webhook no.example.com could not be called.",
		[]string{"look: " + webhooksCommand, "look: # Does the webhook's service have endpoints?\nkubectl get endpointslices -A -l kubernetes.io/service-name=a\n"},
		"",
	},
	{
		"a quota", `pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=500m, used: requests.cpu=1800m, limited: requests.cpu=2`, "it doesn't fit into the resource quota.",
		[]string{"look: kubectl describe resourcequota compute -n NAMESPACE\n"},
		"requests.cpu: 500m requested, 1800m of 2 used.",
	},
	{"not found", `Error from server (NotFound): deployments.apps "web" not found`, "A request for Deployment web was refused: the object doesn't exist.", []string{"look: kubectl get deployments.apps -A --field-selector='metadata.name=web'\n"}, ""},
	{"no namespace", `namespaces "new" not found`, "the object doesn't exist.", []string{"install: kubectl create namespace new\n"}, ""},
	{
		"no such type", `error: resource mapping not found for name: "web" namespace: "shop" from "web.yaml": no matches for kind "Rollout" in version "argoproj.io/v1alpha1"`, "the cluster doesn't serve the type Rollout in argoproj.io/v1alpha1.",
		[]string{"look: kubectl api-resources --api-group=argoproj.io\n", "install: Install the CustomResourceDefinition"},
		"The cluster serves no type with this name in any group.",
	},
	{
		"a type that can only be created", "Error from server (NotFound): the server could not find the requested resource", "A request was refused: the cluster doesn't serve the type.",
		[]string{"look: kubectl api-resources\n"},
		"Some types can only be created, such as TokenReview",
	},
	{"another version", `no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"`, "doesn't serve the type", []string{"correct: apiVersion: policy/v1\n"}, "The cluster serves it in policy/v1."},
	{"served by now", `no matches for kind "Deployment" in version "apps/v1"`, "doesn't serve the type", []string{"retry: Send the request again."}, "serves the type now"},
	{"no such resource", `error: the server doesn't have a resource type "rollouts"`, "the cluster doesn't serve the type rollouts.", []string{"look: kubectl api-resources\n"}, "no type with this name"},
	{"exists", `Error from server (AlreadyExists): error when creating "web.yaml": deployments.apps "web" already exists`, "the object exists already.", []string{"correct: kubectl apply --server-side -f web.yaml\n"}, "kubectl (Update, scale) wrote it last at"},
	{
		"Helm doesn't adopt", `Error: INSTALLATION FAILED: Unable to continue with install: Deployment "web" in namespace "shop" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"; annotation validation error: key "meta.helm.sh/release-name" must equal "new": current value is "old"`,
		"Helm refused the release, because an object of the chart exists already: Deployment shop/web.",
		[]string{
			"hand-over: # Helm 3.17 or newer: Helm takes over all objects of the chart that exist\nhelm upgrade --install new CHART -n NAMESPACE --take-ownership\n",
			"hand-over: # Or adopt only this object, and run helm again\nkubectl label deployments.apps web -n shop --overwrite app.kubernetes.io/managed-by=Helm\nkubectl annotate deployments.apps web -n shop --overwrite meta.helm.sh/release-name=new\n",
		},
		"The object belongs to another release or tool: .metadata.annotations.meta.helm.sh/release-name is old. Ask its owner before you take it over.",
	},
	{"expired", `too old resource version: 1234 (5678)`, "A list or a watch was refused", []string{"retry: List again"}, ""},
	{"unauthorized", `error: You must be logged in to the server (Unauthorized)`, "doesn't accept the credentials.", []string{"look: kubectl config current-context\n"}, ""},
	{"not acceptable", `only the following media types are accepted: application/json, application/yaml`, "can't respond in a media type", []string{"correct: Accept: application/json, application/yaml\n"}, ""},
	{"media type", `the body of the request was in an unknown format - accepted media types include: application/merge-patch+json`, "doesn't accept a body of this media type.", []string{"correct: Content-Type: one of application/merge-patch+json\n"}, ""},
	{"an eviction", `error when evicting pods/"web-1" -n "shop" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.`, "An eviction for pods shop/web-1 was refused", []string{"look: kubectl get poddisruptionbudgets -n shop\n", "overwrite: # This deletes the Pod and ignores the budget\nkubectl delete pods web-1 -n shop\n"}, ""},
	{"too many", `Error from server (TooManyRequests): the server has received too many requests and has asked us to try again later (get pods)`, "too many requests at the moment.", []string{"retry: Send the request again in a moment."}, ""},
	{"another reason", `Error from server (InternalError): an error on the server`, "caused an error in the API server.", []string{"retry: Send"}, ""},
	{"only an object", `Deployment/shop/web dry-run failed: der Server mag heute nicht`, "A request for Deployment shop/web was refused.", nil, ""},
}

func TestEachReason(t *testing.T) {
	for _, c := range reasons {
		t.Run(c.name, func(t *testing.T) {
			s := &server{objects: []string{deployment("web", "kubectl", replicas)}}
			a := explained(t, c.text, s, Options{Namespace: "shop"})
			if len(a.Explanations) != 1 {
				t.Fatalf("%+v", a)
			}
			e := a.Explanations[0]
			if !strings.Contains(e.What, c.what) || e.Why == "" || !strings.Contains(strings.Join(e.Notes, "\n"), c.note) {
				t.Errorf("%s\n%s\n%q", e.What, e.Why, e.Notes)
			}
			for _, want := range c.ways {
				if !slices.ContainsFunc(ways(e), func(got string) bool { return strings.HasPrefix(got, want) }) {
					t.Errorf("no %q in\n%s", want, strings.Join(ways(e), "\n"))
				}
			}
			if alone := explained(t, c.text, nil, Options{}).Explanations[0]; alone.What == "" || alone.Reason != e.Reason {
				t.Errorf("without a cluster: %+v", alone)
			}
		})
	}
}

func ways(e explain.Explanation) []string {
	var all []string
	for _, w := range e.Ways {
		all = append(all, w.Way+": "+w.Text)
	}
	return all
}

// kubectl prints each path in a line of its own. Names of fields can have dots and line breaks, or be empty.
func TestAPathThatTheTextHasTwiceIsCalledAmbiguous(t *testing.T) {
	text := "error: Apply failed with 4 conflicts: conflicts with \"one\":\n- .spec.\n- .spec.two\nlines\n- .spec.x.y\n- .spec.x.y\nPlease review the fields above--they currently have other managers."
	answer := explained(t, text, nil, Options{})
	if len(answer.Explanations) != 1 {
		t.Fatalf("%d explanations", len(answer.Explanations))
	}
	var paths []string
	for _, f := range answer.Explanations[0].Fields {
		paths = append(paths, f.Path)
	}
	if want := []string{".spec.", ".spec.two\nlines", ".spec.x.y"}; !slices.Equal(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
	if !strings.Contains(strings.Join(answer.Explanations[0].Notes, "\n"), `The text has ".spec.x.y" more than once`) {
		t.Errorf("notes: %q", answer.Explanations[0].Notes)
	}
}
