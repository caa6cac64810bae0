package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/server/cluster"
)

// What ada applies, before somebody acts on it. The image answers %d.
const (
	adasPods = `{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"app","image":"registry.test/app:%d"}]}}`
	adasWork = `{"apiVersion":"apps/v1","kind":"%s","metadata":{"name":"a"},"spec":{%s"selector":{"matchLabels":{"app":"a"}},"template":` + adasPods + `}}`
	adasCron = `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"a"},"spec":{"schedule":"0 0 1 1 *","suspend":false,"jobTemplate":{"spec":{"template":
		{"spec":{"restartPolicy":"Never","containers":[{"name":"app","image":"registry.test/app:1"}]}}}}}}`
	adasJob = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"},"spec":{"suspend":false,"template":
		{"spec":{"restartPolicy":"Never","containers":[{"name":"app","image":"registry.test/app:1"}]}}}}`
)

func adasDeployment(image int) string {
	return fmt.Sprintf(adasWork, "Deployment", `"replicas":1,`, image)
}

// TestActsDoToOwnersWhatTheirPlansSay sends each act's requests to the practice cluster: the dry runs pass, the owners afterwards are those that the plan
// predicts, and the goal is reached.
func TestActsDoToOwnersWhatTheirPlansSay(t *testing.T) {
	d := newDesk(t, nil)
	for _, c := range []struct {
		name, group, resource string
		applied               []string // one after the other, each with its rollout
		act                   string
		chosen                act.Chosen
		loses                 bool // ada loses a field
	}{
		{"a Deployment is scaled", "apps/v1", "deployments", []string{adasDeployment(1)}, "scale", act.Chosen{"replicas": "3"}, true},
		{"a StatefulSet is scaled", "apps/v1", "statefulsets", []string{fmt.Sprintf(adasWork, "StatefulSet", `"replicas":1,"serviceName":"a",`, 1)}, "scale", act.Chosen{"replicas": "2"}, true},
		{"a ReplicaSet is scaled", "apps/v1", "replicasets", []string{fmt.Sprintf(adasWork, "ReplicaSet", `"replicas":1,`, 1)}, "scale", act.Chosen{"replicas": "2"}, true},
		{"a Deployment is restarted", "apps/v1", "deployments", []string{adasDeployment(1)}, "restart", nil, false},
		{"a StatefulSet is restarted", "apps/v1", "statefulsets", []string{fmt.Sprintf(adasWork, "StatefulSet", `"replicas":1,"serviceName":"a",`, 1)}, "restart", nil, false},
		{"a DaemonSet is restarted", "apps/v1", "daemonsets", []string{fmt.Sprintf(adasWork, "DaemonSet", "", 1)}, "restart", nil, false},
		{"a Deployment gets another image", "apps/v1", "deployments", []string{adasDeployment(1)}, "set-image", act.Chosen{"image": "registry.test/app:2"}, true},
		{"a Deployment is rolled back", "apps/v1", "deployments", []string{adasDeployment(1), adasDeployment(2)}, "rollback", nil, true},
		{"a StatefulSet is rolled back", "apps/v1", "statefulsets", []string{
			fmt.Sprintf(adasWork, "StatefulSet", `"replicas":1,"serviceName":"a",`, 1), fmt.Sprintf(adasWork, "StatefulSet", `"replicas":1,"serviceName":"a",`, 2),
		}, "rollback", nil, true},
		{"a DaemonSet is rolled back", "apps/v1", "daemonsets", []string{fmt.Sprintf(adasWork, "DaemonSet", "", 1), fmt.Sprintf(adasWork, "DaemonSet", "", 2)}, "rollback", nil, true},
		{"a Deployment is paused", "apps/v1", "deployments", []string{adasDeployment(1)}, "pause", nil, false},
		{"a Deployment is resumed", "apps/v1", "deployments", []string{strings.Replace(adasDeployment(1), `"spec":{`, `"spec":{"paused":true,`, 1)}, "resume", nil, true},
		{"a CronJob is suspended", "batch/v1", "cronjobs", []string{adasCron}, "suspend", nil, true},
		{"a CronJob continues", "batch/v1", "cronjobs", []string{strings.Replace(adasCron, `"suspend":false`, `"suspend":true`, 1)}, "unsuspend", nil, true},
		{"a CronJob is triggered", "batch/v1", "cronjobs", []string{adasCron}, "trigger", nil, false},
		{"a Job is suspended", "batch/v1", "jobs", []string{adasJob}, "suspend", nil, true},
		{"a ConfigMap is labelled", "v1", "configmaps", []string{`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"x":"1","z":"1"}}}`}, "label", act.Chosen{"pairs": "x=2\ny=1\nz-"}, true},
		{"a ConfigMap is annotated", "v1", "configmaps", []string{`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"}}`}, "annotate", act.Chosen{"pairs": "example.com/y=1"}, false},
		{"a ConfigMap without managedFields is annotated", "v1", "configmaps", []string{`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`}, "annotate", act.Chosen{"pairs": "example.com/y=1"}, false},
		{"a field of a Deployment is set", "apps/v1", "deployments", []string{adasDeployment(1)}, "set-field", act.Chosen{"field": ".spec.template.spec.containers[name=app].image", "value": "registry.test/app:2"}, true},
		{"a key of a ConfigMap is removed", "v1", "configmaps", []string{`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x.y":"1","z":"1"}}`}, "set-field", act.Chosen{"field": ".data.x.y", "value": ""}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			group, version, _ := strings.Cut(c.group, "/")
			if version == "" {
				group, version = "", group
			}
			a := &actor{desk: d.of(t), path: apipath.Object(group, version, d.of(t).namespace(), c.resource, "a")}
			a.known()
			for _, text := range c.applied {
				a.apply(a.path.String(), "ada", text)
				a.reaches(act.Goal{Kind: goalAfter(c.applied), Path: a.path})
			}
			a.does(c.act, c.chosen, c.loses)
		})
	}
}

// goalAfter is what to wait for between two versions of a template, so that each becomes a revision.
func goalAfter(applied []string) act.GoalKind {
	if len(applied) > 1 {
		return act.Rollout
	}
	return act.Done
}

// of is the desk for a part of a test.
func (d *desk) of(t *testing.T) *desk {
	part := *d
	part.t = t
	return &part
}

// An actor acts on one object.
type actor struct {
	*desk
	path apipath.Path
	kind discovery.Type
}

func (a *actor) known() {
	a.t.Helper()
	c, _ := a.site.clusters.Get(cluster.Practice)
	catalog, err := c.Catalog(a.t.Context(), nil)
	must(a.t, err)
	kind, ok := catalog.Type(a.path.Group, a.path.Version, a.path.Resource)
	if !ok {
		a.t.Fatalf("%s isn't served", a.path)
	}
	a.kind = kind
}

// plan plans the act for the object as it is now.
func (a *actor) plan(name string, chosen act.Chosen) (act.Subject, act.Plan) {
	a.t.Helper()
	s := act.Subject{Type: a.kind, Path: a.path, Object: a.get(a.path.String()), Now: time.Now()}
	found := act.Found{}
	what, ok := act.Find(a.kind, name)
	if !ok {
		a.t.Fatalf("%s has no act %q", a.kind.FullName(), name)
	}
	for _, r := range what.Reads(s) {
		result, err := act.ReadResult(a.send(http.MethodGet, r.Target(), "", nil).Body)
		must(a.t, err)
		found[r.Name] = result
	}
	p := what.Plan(s, found, chosen)
	if len(p.Steps) != 1 || p.Nothing != "" || len(p.Wrong) > 0 {
		a.t.Fatalf("%d steps, nothing: %q, wrong: %v", len(p.Steps), p.Nothing, p.Wrong)
	}
	return s, p
}

// does plans, tries and sends an act, and checks what became of it. Controllers write meanwhile, and then it plans again.
func (a *actor) does(name string, chosen act.Chosen, loses bool) {
	a.t.Helper()
	var p act.Plan
	a.until("nobody writes between the plan and the request", func() bool {
		_, p = a.plan(name, chosen)
		for _, target := range []string{p.Steps[0].DryTarget(), p.Steps[0].Target()} {
			r := p.Steps[0].Request
			response := a.send(r.Method, target, r.ContentType, r.Body)
			if response.Status == http.StatusConflict {
				return false
			}
			if !response.OK() {
				a.t.Fatalf("%s %s: %d %s", r.Method, target, response.Status, response.Body)
			}
		}
		return true
	})
	a.hasOwners(p, loses)
	a.reaches(p.Steps[0].Goal)
	if undo := p.Steps[0].Undo; undo != nil {
		if response := a.send(undo.Request.Method, undo.DryTarget(), undo.Request.ContentType, undo.Request.Body); !response.OK() {
			a.t.Errorf("it can't be taken back: %d %s", response.Status, response.Body)
		}
	}
}

// hasOwners compares the API server's record with what the plan says.
func (a *actor) hasOwners(p act.Plan, loses bool) {
	a.t.Helper()
	now := a.get(a.path.String())
	blame := ownership.Parse(now.Fields).On(manifest.Tree(now.WithoutManagedFields().Fields), nil)
	lost := false
	for _, touch := range p.Touches {
		lost = lost || len(touch.Loses) > 0
		var all []ownership.Owner
		for _, n := range blame.Find(touch.Path) {
			all = append(all, blame.Owners(n)...)
		}
		if touch.New == "" || touch.By.Name == "" {
			if len(all) > 0 {
				a.t.Errorf("%s was to belong to nobody, and belongs to %v", touch.Path, all)
			}
			continue
		}
		if !slices.ContainsFunc(all, func(o ownership.Owner) bool { return o.Same(touch.By) }) {
			a.t.Errorf("%s was to belong to %v, and belongs to %v", touch.Path, touch.By, all)
		}
		for _, loser := range touch.Loses {
			if slices.ContainsFunc(all, func(o ownership.Owner) bool { return o.Same(loser.Manager) }) {
				a.t.Errorf("%s was to be lost by %v", touch.Path, loser.Manager)
			}
		}
	}
	if p.Steps[0].Answer != act.ANewObject && len(p.Touches) == 0 || lost != loses {
		a.t.Errorf("%d fields are touched, and ada loses some: %v", len(p.Touches), lost)
	}
}

// reaches waits for a goal.
func (a *actor) reaches(g act.Goal) {
	a.t.Helper()
	if g.Kind == act.Done {
		return
	}
	a.until(fmt.Sprintf("%s of %s", g.Kind, g.Path), func() bool {
		response := a.send(http.MethodGet, g.Path.String(), "", nil)
		o, err := object.Parse(response.Body)
		must(a.t, err)
		progress := g.Judge(o, response.Status == http.StatusNotFound)
		if progress.Failed {
			a.t.Fatalf("%s fails: %s", g.Path, progress.Words)
		}
		return progress.Reached
	})
}

// TestNothingStaleIsWritten: on several objects, each request is for the version of its dry run. If somebody has written since, the API server refuses it.
func TestNothingStaleIsWritten(t *testing.T) {
	d := newDesk(t, nil)
	const maps = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"n":"%d"}},"data":{"x":"1"}}`
	for _, c := range []struct {
		act, group, resource, applied string
		chosen                        act.Chosen
		gone                          bool
	}{
		{"delete", "v1", "configmaps", maps, nil, true},
		{"label", "v1", "configmaps", maps, act.Chosen{"pairs": "a=b"}, false},
		{"set-field", "v1", "configmaps", maps, act.Chosen{"field": ".data.x", "value": "2"}, false},
		{"restart", "apps/v1", "deployments", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","labels":{"n":"%d"}},"spec":{"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"app","image":"registry.test/app:1"}]}}}}`, nil, false},
		{"evict", "v1", "pods", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"n":"%d"}},"spec":{"nodeSelector":{"no":"where"},"containers":[{"name":"app","image":"registry.test/app:1"}]}}`, nil, true},
	} {
		t.Run(c.act, func(t *testing.T) {
			group, version, _ := strings.Cut(c.group, "/")
			if version == "" {
				group, version = "", group
			}
			a := &actor{desk: d.of(t), path: apipath.Object(group, version, d.of(t).namespace(), c.resource, "a")}
			a.known()
			a.apply(a.path.String(), "ada", fmt.Sprintf(c.applied, 1))
			send := func(dry bool, s act.Step) int {
				target, body := s.Target(), s.Request.Body
				if dry {
					target, body = s.DryTarget(), s.DryBody()
				}
				return a.send(s.Request.Method, target, s.Request.ContentType, body).Status
			}
			var s act.Step
			tried := func() bool { // controllers write meanwhile
				what, ok := act.Find(a.kind, c.act)
				subject := act.Subject{Type: a.kind, Path: a.path, Object: a.get(a.path.String()), Now: time.Now(), Several: true}
				p := what.Plan(subject, nil, c.chosen)
				if !ok || len(p.Steps) != 1 {
					t.Fatalf("no plan: %+v", p)
				}
				s = p.Steps[0]
				return send(true, s) < 300
			}
			a.until("a dry run passes", tried)
			a.apply(a.path.String(), "ada", fmt.Sprintf(c.applied, 2))
			if status := send(false, s); status != http.StatusConflict {
				t.Errorf("a request for an older version: %d", status)
			}
			if a.get(a.path.String()).Deleted() != (time.Time{}) {
				t.Error("it is deleted")
			}
			a.until("the request for the current version is accepted", func() bool { return tried() && send(false, s) < 300 })
			if c.gone {
				a.reaches(s.Goal)
			}
		})
	}
}
