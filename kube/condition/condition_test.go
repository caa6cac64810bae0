package condition

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		group, kind, status string
		want                Verdict
	}{
		{"", "Ready", "True", Fine},
		{"example.com", "Ready", "False", Ill},
		{"example.com", "Ready", "Unknown", Busy},
		{"example.com", "Ready", "true", Busy}, // no status that the API knows
		{"example.com", "Degraded", "False", Fine},
		{"example.com", "Degraded", "True", Ill},
		{"example.com", "Stalled", "True", Ill},
		{"example.com", "Reconciling", "True", Busy},
		{"", "MemoryPressure", "True", Ill},
		{"example.com", "MemoryPressure", "True", Untold}, // only nodes have said what it means
		{"apps", "Progressing", "False", Ill},
		{"config.openshift.io", "Progressing", "False", Untold}, // there it says that no rollout is going on
		{"example.com", "NotAccepted", "True", Untold},
		{"example.com", "ReconcileFailed", "True", Untold},
		{"example.com", "", "True", Untold},
		{"gateway.networking.k8s.io", "Programmed", "False", Ill},
		{"gateway.networking.k8s.io", "Conflicted", "False", Fine},
		{"source.toolkit.fluxcd.io", "FetchFailed", "True", Ill},
		{"toolkit.fluxcd.io", "FetchFailed", "True", Ill},
		{"nottoolkit.fluxcd.io", "FetchFailed", "True", Untold},
		{"cert-manager.io", "Issuing", "True", Busy},
		{"acme.cert-manager.io", "Issuing", "False", Fine},
		{"cluster.x-k8s.io", "ScalingUp", "True", Busy},
		{"infrastructure.cluster.x-k8s.io", "Paused", "True", Busy},
		{"pkg.crossplane.io", "Installed", "False", Ill},
		{"argoproj.io", "ComparisonError", "", Ill},
		{"example.com", "ComparisonError", "", Untold},
	} {
		if got := Judge(c.group, c.kind, c.status); got != c.want {
			t.Errorf("%s %s %q: %d, want %d", c.group, c.kind, c.status, got, c.want)
		}
	}
}

func TestTheWorstConditionIsTheStateOfTheObject(t *testing.T) {
	for _, c := range []struct{ name, group, text, want string }{
		{"nothing is said", "example.com", `{}`, ""},
		{"no list", "example.com", `{"status":{"conditions":{"type":"Ready"}}}`, ""},
		{"types that the table doesn't have", "example.com", `{"status":{"conditions":[{"type":"Sleepy","status":"True","reason":"Night"},{"type":"NotSleepy","status":"False"}]}}`, " Sleepy True Night"},
		{"one of them", "example.com", `{"status":{"conditions":[{"type":"Sleepy","status":"True"},{"type":"Ready","status":"True"}]}}`, "fine Ready True"},
		{"fine", "example.com", `{"status":{"conditions":[{"type":"Synced","status":"True"},{"type":"Ready","status":"True","reason":"Up"}]}}`, "fine Ready True Up"},
		{"the summary first", "example.com", `{"status":{"conditions":[{"type":"Ready","status":"False","reason":"Down","message":"m"},{"type":"Available","status":"False"}]}}`, "ill Ready False Down m"},
		{
			"a cause before what it causes", "apps",
			`{"status":{"conditions":[{"type":"Progressing","status":"True"},{"type":"ReplicaFailure","status":"True","reason":"FailedCreate"},{"type":"Available","status":"False"}]}}`,
			"ill ReplicaFailure True FailedCreate",
		},
		{"the summary, if all is fine", "apps", `{"status":{"conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"True"}]}}`, "fine Available True"},
		{"the worst first", "example.com", `{"status":{"conditions":[{"type":"Ready","status":"Unknown"},{"type":"Degraded","status":"True"}]}}`, "ill Degraded True"},
		{
			"the conditions of a route's parents", "gateway.networking.k8s.io",
			`{"status":{"parents":[{"conditions":[{"type":"Accepted","status":"True"}]},1,{"conditions":[{"type":"ResolvedRefs","status":"False","reason":"BackendNotFound"}]}]}}`,
			"ill ResolvedRefs False BackendNotFound",
		},
		{"parents of another group", "example.com", `{"status":{"parents":[{"conditions":[{"type":"Ready","status":"False"}]}]}}`, ""},
		{"an Application", "argoproj.io", `{"kind":"Application","status":{"health":{"status":"Degraded","message":"pods fail"},"sync":{"status":"Synced"}}}`, "ill Health Degraded pods fail"},
		{"an Application that differs", "argoproj.io", `{"kind":"Application","status":{"health":{"status":"Healthy"},"sync":{"status":"OutOfSync"}}}`, "ill Sync OutOfSync"},
		{"an Application that is fine", "argoproj.io", `{"kind":"Application","status":{"health":{"status":"Healthy"},"sync":{"status":"Synced"}}}`, "fine Health Healthy"},
		{"an Application with an error", "argoproj.io", `{"kind":"Application","status":{"health":{"status":"Healthy"},"conditions":[{"type":"ComparisonError","message":"no such path"}]}}`, "ill ComparisonError no such path"},
		{"another kind of the group", "argoproj.io", `{"kind":"AppProject","status":{"health":{"status":"Degraded"}}}`, ""},
	} {
		o, err := object.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		s := Of(c.group, o)
		got := map[Verdict]string{Fine: "fine", Busy: "busy", Ill: "ill"}[s.Verdict]
		for _, part := range []string{s.Words, s.Reason, s.Message} {
			if part != "" {
				got += " " + part
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTheWordsOfAStateAreRead(t *testing.T) {
	for _, c := range []struct {
		group, words string
		want         Verdict
	}{
		{"example.com", "Ready False", Ill},
		{"example.com", "Ready", Busy},
		{"example.com", "Sleepy True", Untold},
		{"example.com", "", Untold},
		{"example.com", "Health Degraded", Untold},
		{"argoproj.io", "Health Degraded", Ill},
		{"argoproj.io", "Sync Synced", Fine},
		{"argoproj.io", "ComparisonError", Ill},
	} {
		if got := Read(c.group, c.words); got != c.want {
			t.Errorf("%s %q: %d, want %d", c.group, c.words, got, c.want)
		}
	}
	if group, ok := OfFormat(Format("example.com")); group != "example.com" || !ok {
		t.Errorf("%q %v", group, ok)
	}
	if _, ok := OfFormat("date-time"); ok {
		t.Error("a date is taken for a condition")
	}
}

func TestWhichListsShowConditions(t *testing.T) {
	for of, want := range map[[2]string]bool{
		{"", "pods"}: false, {"", "nodes"}: false, {"", "configmaps"}: false, {"apps", "controllerrevisions"}: false, {"apps", "daemonsets"}: false, {"batch", "cronjobs"}: false,
		{"apiextensions.k8s.io", "customresourcedefinitions"}: false, {"metrics.k8s.io", "pods"}: false, {"other.example", "deployments"}: true,
		{"", "namespaces"}: true, {"", "persistentvolumeclaims"}: true, {"apps", "deployments"}: true, {"apps", "replicasets"}: true, {"batch", "jobs"}: true,
		{"autoscaling", "horizontalpodautoscalers"}: true, {"policy", "poddisruptionbudgets"}: true, {"certificates.k8s.io", "certificatesigningrequests"}: true,
		{"example.com", "things"}: true, {"gateway.networking.k8s.io", "gateways"}: true, {"cluster.x-k8s.io", "clusters"}: true,
	} {
		if Listed(of[0], of[1]) != want {
			t.Errorf("%q", of)
		}
	}
}

// Where the Table says in part how an object is, conditions that are fine are no reason to show them.
func TestWhichWordsShowConditions(t *testing.T) {
	for of, want := range map[[2]string]bool{
		{"apps", "Available True"}: false, {"apps", ""}: false, {"apps", "Available False"}: true, {"apps", "ReplicaFailure True"}: true, {"apps", "OfAnOperator False"}: false,
		{"batch", "Complete True"}: false, {"batch", "Suspended True"}: true, {"batch", "Failed True"}: true, {"", "NamespaceFinalizersRemaining True"}: true,
		{"autoscaling", "AbleToScale True"}: true, {"policy", ""}: false, {"example.com", "Ready True"}: true, {"example.com", "NotMerry True"}: true, {"example.com", ""}: false,
	} {
		if Telling(of[0], of[1]) != want {
			t.Errorf("%q", of)
		}
	}
}

func TestTheTableHasEachProject(t *testing.T) {
	for group, want := range map[string]bool{
		"argoproj.io": true, "kustomize.toolkit.fluxcd.io": true, "cert-manager.io": true, "gateway.networking.k8s.io": true, "pkg.crossplane.io": true,
		"cluster.x-k8s.io": true, "controlplane.cluster.x-k8s.io": true, "apps": false, "": false, "example.com": false,
	} {
		if Known(group) != want {
			t.Errorf("%q", group)
		}
	}
}
