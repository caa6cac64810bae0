package zoo

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// transfer is what migrate says of one object, as scripts read it.
type transfer struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Owner struct {
		Tool   string `json:"tool"`
		Stored string `json:"stored"`
	} `json:"owner"`
	Manifest string    `json:"manifest"`
	Verdict  string    `json:"verdict"`
	Findings []finding `json:"findings"`
	Fields   []struct {
		Path  string  `json:"path"`
		After []owner `json:"after"`
		Gone  bool    `json:"gone"`
	} `json:"fields"`
}

// plan is what migrate says of the namespace.
type plan struct {
	Done    int        `json:"done"`
	Objects []transfer `json:"objects"`
}

func (s *scene) plan(args ...string) plan {
	s.t.Helper()
	var r struct {
		Clusters []plan `json:"clusters"`
	}
	s.fieldmark(&r, "", append([]string{"migrate"}, args...)...)
	return r.Clusters[0]
}

// values are the owners of an object's values, by path.
func (s *scene) values(object string) map[string]string {
	s.t.Helper()
	all := s.blame(situation{object: object})
	maps.DeleteFunc(all, func(path, _ string) bool {
		if strings.HasPrefix(path, ".status") {
			return true
		}
		for other := range all {
			if other != path && within(other, path) {
				return true // it has values in it
			}
		}
		return false
	})
	return all
}

// within tells whether a path is another one, or leads into it.
func within(path, around string) bool {
	rest, below := strings.CutPrefix(path, around)
	return below && (rest == "" || strings.ContainsAny(rest[:1], ".["))
}

// after is what migrate says about the owners after the step, from those before.
func (one transfer) after(before map[string]string) map[string]string {
	all := maps.Clone(before)
	for _, f := range one.Fields {
		known := false
		for path := range before { // what is owned as a whole has values in it
			if within(path, f.Path) {
				known, all[path] = true, ownerNames(f.After)
			}
		}
		if !known {
			all[f.Path] = ownerNames(f.After)
		}
		if f.Gone {
			maps.DeleteFunc(all, func(path, _ string) bool { return within(path, f.Path) })
		}
	}
	return all
}

// moving is a situation before the first server-side apply of a tool.
type moving struct {
	steps func(*scene)
	plan  string            // options of migrate
	says  map[string]string // by TYPE/NAME: who applies the object, the manifest, the verdict, and findings that need somebody
	act   func(*scene)
	done  int
	helm3 bool // it needs Helm 3
}

const served = "\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"

// conditional is a chart with a key that values can leave out.
func conditional() string {
	return "{{ if .Values.legacy }}\n" + settings("keep", "legacy") + "{{ else }}\n" + settings("keep") + "{{ end }}\n---\n" + deployment(replicaChart, app) + served
}

var movings = map[string]moving{
	"helm": {
		steps: func(s *scene) {
			s.chart(conditional())
			s.helm("install web ./chart --set legacy=true,replicas=1 --server-side=false")
			s.waits("deployment/web", ".status.observedGeneration", "1")
		},
		plan: "--helm-releases",
		says: map[string]string{"configmap/settings": "helm client-side release safe", "deployment/web": "helm client-side release safe", "service/web": "helm client-side release safe"},
		act:  func(s *scene) { s.helm("upgrade web ./chart --set legacy=true,replicas=1 --server-side=true") },
	},
	"helm and a new chart": {
		steps: func(s *scene) {
			s.chart(conditional())
			s.helm("install web ./chart --set legacy=true,replicas=1 --server-side=false")
			s.waits("deployment/web", ".status.observedGeneration", "1")
			marks := "\n  labels: {app.kubernetes.io/managed-by: Helm}\n  annotations: {meta.helm.sh/release-name: web, meta.helm.sh/release-namespace: " + s.namespace + "}\n"
			s.write("settings.yaml", strings.Replace(settings("keep"), "  name: settings\n", "  name: settings"+marks, 1))
		},
		plan: "-f settings.yaml",
		says: map[string]string{"configmap/settings": "helm  file breaks pruned .data.legacy"},
		act:  func(s *scene) { s.helm("upgrade web ./chart --set legacy=false,replicas=1 --server-side=true") },
	},
	"helm conflicts": {
		steps: func(s *scene) {
			s.chart(deployment(replicaChart, app))
			s.helm("install web ./chart --set replicas=1 --server-side=false")
			s.kubectl("scale deployment/web --replicas=2")
			s.waits("deployment/web", ".status.observedGeneration", "2")
		},
		plan: "--helm-releases",
		says: map[string]string{"deployment/web": "helm client-side release breaks conflict .spec.replicas"},
		act:  func(s *scene) { s.helmFails("upgrade web ./chart --set replicas=1 --server-side=true") },
	},
	"helm 3": {
		helm3: true,
		steps: func(s *scene) {
			s.chart(conditional())
			s.helm3("install web ./chart --set legacy=false,replicas=1")
			s.helm3("upgrade web ./chart --set legacy=true,replicas=1")
			s.waits("deployment/web", ".status.observedGeneration", "1")
		},
		plan: "--helm-releases",
		says: map[string]string{"configmap/settings": "helm client-side release safe", "deployment/web": "helm client-side release safe", "service/web": "helm client-side release safe"},
		act:  func(s *scene) { s.helm("upgrade web ./chart --set legacy=true,replicas=1 --server-side=true") },
	},
	"sixty objects of helm 3": {
		helm3: true,
		steps: func(s *scene) {
			s.chart(sixty)
			s.helm3("install web ./chart")
			s.kubectl("label service,role --all team=edge --field-manager=kubectl-label")
			s.kubectl("annotate configmap,cronjob --all note=by-hand --field-manager=node-fetch")
			s.kubectl("wait deployment --all --for=jsonpath={.status.observedGeneration}=1")
		},
		plan: "--helm-releases",
		says: ofSixty("helm client-side release safe"),
		act:  func(s *scene) { s.helm("upgrade web ./chart --server-side=true") },
	},
	"helm applies already": {
		steps: func(s *scene) {
			s.chart(settings("keep") + served)
			s.helm("install web ./chart")
		},
		plan: "--helm-releases", done: 2,
		act: func(*scene) {},
	},
	"argo": {
		steps: func(s *scene) {
			s.write("settings.yaml", tracked(settings("keep", "legacy")))
			s.argoClientSide("settings.yaml")
		},
		says: map[string]string{"configmap/settings": "argo-cd  last-applied safe"},
		act:  func(s *scene) { s.argo("settings.yaml") },
	},
	"argo after kubectl": {
		steps: func(s *scene) {
			s.write("settings.yaml", tracked(settings("keep", "legacy")))
			s.kubectl("apply -f settings.yaml")
			s.kubectl(`patch configmap settings --field-manager=kubectl-edit --type=merge -p '{"data":{"keep":"no"}}'`)
			s.write("settings.yaml", tracked(settings("keep")))
		},
		plan: "-f settings.yaml",
		says: map[string]string{"configmap/settings": "argo-cd  file breaks pruned .data.legacy, taken .data.keep"},
		act:  func(s *scene) { s.argo("settings.yaml") },
	},
	"flux after kubectl": {
		steps: func(s *scene) {
			s.write("settings.yaml", reconciled(settings("keep")))
			s.flux("settings.yaml")
			s.kubectl(`patch configmap settings --field-manager=kubectl-edit --type=merge -p '{"data":{"edited":"yes"}}'`)
			s.write("urgent.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  urgent: \"yes\"\n")
			s.kubectl("apply --server-side -f urgent.yaml")
		},
		plan: "-f settings.yaml",
		says: map[string]string{"configmap/settings": "flux  file breaks pruned .data.edited, pruned .data.urgent"},
		act:  func(s *scene) { s.flux("settings.yaml") },
	},
}

// sixty is a chart with ten objects of each of six types.
const sixty = `{{ range $i := until 10 }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c{{ $i }}}
data: {a: "1", b: "2"}
---
apiVersion: v1
kind: Service
metadata: {name: c{{ $i }}}
spec: {selector: {app: c{{ $i }}}, ports: [{name: web, port: 80}, {name: dns, port: 53, protocol: UDP}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: c{{ $i }}, labels: {app: c{{ $i }}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: c{{ $i }}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: c{{ $i }}}
spec: {suspend: true, schedule: "0 0 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: "registry.example.com/web:1", env: [{name: A, value: "1"}], resources: {limits: {cpu: 500m}}}]}}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: c{{ $i }}}
spec: {replicas: 0, selector: {matchLabels: {app: c{{ $i }}}}, template: {metadata: {labels: {app: c{{ $i }}}}, spec: {containers: [{name: app, image: "registry.example.com/web:1", ports: [{containerPort: 80}], readinessProbe: {httpGet: {port: 80}}}], volumes: [{name: v, emptyDir: {}}]}}}
{{ end }}
`

// ofSixty is the same text for each of the sixty objects.
func ofSixty(text string) map[string]string {
	all := map[string]string{}
	for _, kind := range []string{"configmap", "service", "serviceaccount", "role", "cronjob", "deployment"} {
		for i := range 10 {
			all[fmt.Sprintf("%s/c%d", kind, i)] = text
		}
	}
	return all
}

// tracked is a manifest as Argo CD renders it for an Application.
func tracked(text string) string {
	return strings.Replace(text, "  name: settings\n", "  name: settings\n  annotations: {argocd.argoproj.io/tracking-id: 'web:/ConfigMap:shop/settings'}\n", 1)
}

// reconciled is a manifest as Flux renders it for a Kustomization.
func reconciled(text string) string {
	return strings.Replace(text, "  name: settings\n", "  name: settings\n  labels: {kustomize.toolkit.fluxcd.io/name: web, kustomize.toolkit.fluxcd.io/namespace: flux-system}\n", 1)
}

// TestMigrate plans objects of the real tools, lets the tools make their first server-side apply, and compares the owners of every value.
func TestMigrate(t *testing.T) {
	if os.Getenv(kubeconfigEnv) == "" {
		t.Skip("needs a practice cluster: make test-zoo")
	}
	log.SetLogger(logr.Discard()) // controller-runtime's and Flux's
	for name, c := range movings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.helm3 && os.Getenv("FIELDMARK_ZOO_HELM3") == "" {
				t.Skip("needs Helm 3: make test-zoo FULL=1")
			}
			s := enter(t)
			c.steps(s)
			p := s.plan(strings.Fields(c.plan)...)
			said, before := map[string]string{}, map[string]map[string]string{}
			for _, one := range p.Objects {
				object := strings.ToLower(one.Kind) + "/" + one.Name
				said[object] = one.words()
				before[object] = s.values(object)
			}
			equal(t, "the plan", said, c.says)
			equal(t, "objects that need nothing", p.Done, c.done)
			c.act(s)
			for _, one := range p.Objects {
				object := strings.ToLower(one.Kind) + "/" + one.Name
				got, want := s.values(object), one.after(before[object])
				for _, path := range slices.Sorted(maps.Keys(want)) {
					equal(t, object+" "+path, got[path], want[path])
				}
				for path := range got {
					if _, predicted := want[path]; !predicted {
						t.Errorf("%s %s: migrate doesn't say that it is owned by %q", object, path, got[path])
					}
				}
			}
		})
	}
}

// words are what migrate says of an object, but for findings that nobody minds.
func (one transfer) words() string {
	var all []string
	for _, f := range one.Findings {
		if f.Expected == nil && slices.Contains([]string{"conflict", "pruned", "stuck", "taken", "invalid", "unknown"}, f.Finding) {
			all = append(all, f.Finding+" "+f.Path)
		}
	}
	slices.Sort(all)
	return strings.TrimSpace(one.Owner.Tool + " " + one.Owner.Stored + " " + one.Manifest + " " + one.Verdict + " " + strings.Join(all, ", "))
}
