package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	selects = deployment + "  replicas: 3\n  selector:\n    matchLabels:\n      app: new\n"
	// recreates is a manifest with the strategy Recreate. The live object has the default of the other strategy.
	recreates = deployment + "  paused: true\n  strategy:\n    type: Recreate\n"
	defaulted = `{"paused":true,"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"}}}`
	rolling   = `.spec.strategy.rollingUpdate`
	podText   = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  containers:\n  - name: app\n    image: x\n    resources:\n      requests:\n        cpu: 100m\n"
	podLive   = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","managedFields":[%]},"spec":{"containers":[{"name":"app","image":"x","resources":{"requests":{"cpu":"200m"}}}]}}`
	cpu       = `.spec.containers[name="app"].resources.requests.cpu`
)

// refusedBy is a case of a manifest that the server refuses, with the causes.
func refusedBy(text, live string, causes ...status.Cause) judged {
	return judged{text: text, manager: "me", live: live, plain: no(422, status.Invalid, "is invalid", causes...)}
}

func resized() judged {
	resizer := entry(`kubectl-patch/resize Update v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:resources":{"f:requests":{"f:cpu":{}}}}}}}`)
	c := judged{text: podText, manager: "me", live: strings.Replace(podLive, "%", resizer, 1), plain: conflict(cpu + ` "kubectl-patch" with subresource "resize" using v1`)}
	c.forcedNo = no(422, status.Invalid, "is invalid", status.Cause{Field: "spec", Message: "Forbidden: pod updates may not change fields other than `spec.containers[*].image`"})
	return c
}

var exportedFrom = judged{
	text: strings.Replace(exportedText, "managedFields: []", "managedFields:\n  - manager: a", 1), manager: "me", live: web(`{}`),
	plain: no(400, status.BadRequest, "metadata.managedFields must be nil"),
}

// tried are cases with the trials of their ways, as "METHOD/subresource?query body", and with a way at a path.
var triedCases = []struct {
	name      string
	of        judged
	path, way string
	want      string // begins the text of the way
	trials    []string
}{
	{
		"an exported manifest", exportedFrom, ".metadata.managedFields", WayGiveUp,
		"--- web.yaml\n+++ web.yaml\n@@ -6,5 +6,3 @@\n   generation: 1\n   uid: old\n   resourceVersion: \"5\"\n-  managedFields:\n-  - manager: a\n",
		[]string{`PATCH ?fieldManager=me&force=true application/apply-patch+yaml {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"generation":1,"name":"web","namespace":"shop"}}`},
	},
	{
		"a field that can't be changed", refusedBy(selects, web(`{"replicas":3,"selector":{"matchLabels":{"app":"old"}}}`), status.Cause{Field: "spec.selector", Message: "Invalid value: field is immutable"}),
		".spec.selector", WayShare, "--- web.yaml\n+++ web.yaml\n@@ -7,4 +7,4 @@\n   replicas: 3\n   selector:\n     matchLabels:\n-      app: new\n+      app: old\n",
		[]string{`PATCH ?fieldManager=me&force=true application/apply-patch+yaml {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"old"}}}}`},
	},
	{
		"the server names only the field around those that can't be changed", refusedBy(
			deployment+"  replicas: 4\n  serviceName: new\n", web(`{"replicas":3,"serviceName":"old"}`),
			status.Cause{Field: "spec", Message: "Forbidden: updates to statefulset spec for fields other than 'replicas', 'template' are forbidden"}),
		".spec", WayShare, "--- web.yaml\n+++ web.yaml\n@@ -5,4 +5,4 @@\n   namespace: shop\n spec:\n   replicas: 4\n-  serviceName: new\n+  serviceName: old\n",
		[]string{`PATCH ?fieldManager=me&force=true application/apply-patch+yaml {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":4,"serviceName":"old"}}`},
	},
	{
		"a default that nobody owns", refusedBy(recreates, web(defaulted), status.Cause{Field: "spec.strategy.rollingUpdate", Message: "Forbidden: may not be specified"}),
		rolling, WayCorrect, "# Nobody owns .spec.strategy.rollingUpdate, because it is a default. So no apply removes it.\n# First apply the live value, so that me owns it.\n" +
			"kubectl apply --server-side --field-manager=me -n shop -f - <<'EOF'\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  paused: true\n  strategy:\n    rollingUpdate:\n      maxSurge: 25%\n" +
			"      maxUnavailable: 25%\n    type: RollingUpdate\nEOF\n# Then apply the manifest, which removes it. This step is not tried, because a dry run can't know of the first one.\nkubectl apply --server-side --field-manager=me -f web.yaml\n\n" +
			"# Nobody owns .spec.strategy.rollingUpdate, because it is a default. So no apply removes it.\n# Or remove it with a merge patch, and apply the manifest after it.\n" +
			`kubectl patch deployment.v1.apps web -n shop --field-manager=me --type=merge -p '{"spec":{"strategy":{"rollingUpdate":null,"type":"Recreate"}}}'`,
		[]string{
			`PATCH ?fieldManager=me&force=true application/apply-patch+yaml {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"paused":true,"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}}}`,
			`PATCH ?fieldManager=me application/merge-patch+json {"spec":{"strategy":{"rollingUpdate":null,"type":"Recreate"}}}`,
		},
	},
	{
		"a Pod that was resized", resized(), cpu, WayCorrect,
		"# The resources of a Pod change only through its subresource resize. Apply the manifest after it.\n" +
			`kubectl patch pod web -n shop --subresource=resize --type=strategic -p '{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"100m"}}}]}}'`,
		[]string{
			`PATCH resize? application/strategic-merge-patch+json {"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"100m"}}}]}}`,
			`PATCH ?fieldManager=me&force=true application/apply-patch+yaml {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"image":"x","name":"app","resources":{"requests":{"cpu":"200m"}}}]}}`,
		},
	},
}

// Each way out of a refusal has a trial. A way is offered if its trial succeeds, marked if there was no response, and not offered if it is refused.
func TestWaysOutOfARefusalAreTried(t *testing.T) {
	for _, c := range triedCases {
		t.Run(c.name, func(t *testing.T) {
			in, contents := c.of.input(t)
			found := Judge(in, contents)
			if got := told(found, c.path, c.way); !strings.HasPrefix(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			var keys []string
			for _, trial := range Trials(found) {
				keys = append(keys, Key(trial))
			}
			if !slices.Equal(keys, c.trials) {
				t.Errorf("trials\n%s\nwant\n%s", strings.Join(keys, "\n"), strings.Join(c.trials, "\n"))
			}
			for _, f := range found {
				for _, w := range f.Ways {
					if (w.Trial != nil) != w.NotTried {
						t.Errorf("before the trials: %+v", w)
					}
				}
			}
			in.Tried = map[string]Response{}
			for _, key := range keys {
				in.Tried[key] = Response{Object: map[string]any{}}
			}
			if all := Judge(in, contents); told(all, c.path, c.way) == "" || len(Trials(all)) > 0 {
				t.Errorf("after trials that succeeded: %+v", all)
			}
			for _, key := range keys {
				in.Tried[key] = Response{No: no(422, status.Invalid, "is invalid")}
			}
			if got := told(Judge(in, contents), c.path, c.way); got != "" {
				t.Errorf("offered, although it leads into a refusal:\n%s", got)
			}
			for _, key := range keys {
				in.Tried[key] = Response{No: no(503, "ServiceUnavailable", "unavailable")}
			}
			if again := Judge(in, contents); told(again, c.path, c.way) == "" || len(Trials(again)) != len(keys) {
				t.Errorf("after trials without a result: %+v", again)
			}
		})
	}
}

// If the server refuses the forced apply, force is no way out.
func TestForceIsNotOfferedIfItIsRefused(t *testing.T) {
	if got := told(Judge(resized().input(t)), cpu, WayOverwrite); got != "" {
		t.Error(got)
	}
	in, _ := resized().input(t)
	in.Forced = nil // only the text of the refusal is known
	for _, f := range Refused(in) {
		for _, w := range f.Ways {
			if w.Way == WayOverwrite && !w.NotTried {
				t.Errorf("offered without a trial: %s", w.Text)
			}
		}
	}
}
