package act

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
)

// subjectOf is an object at a path, given as JSON.
func subjectOf(t *testing.T, path, text string) Subject {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Subject{
		Path: p, Object: o, Now: time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC),
		Type: discovery.Type{Group: p.Group, Version: p.Version, Resource: p.Resource, Kind: o.Kind(), Verbs: []string{"get", "patch"}},
	}
}

// resultOf is what a Read found: a list with these items.
func resultOf(t *testing.T, items ...string) Result {
	t.Helper()
	r, err := ReadResult([]byte(`{"kind":"List","items":[` + strings.Join(items, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// planOf is a plan of an act that the type has.
func planOf(t *testing.T, name string, s Subject, found Found, chosen Chosen) Plan {
	t.Helper()
	a, ok := Find(s.Type, name)
	if !ok {
		t.Fatalf("%s has no act %s", s.Type.Resource, name)
	}
	return a.Plan(s, found, chosen)
}

const webPath = "/apis/apps/v1/namespaces/shop/deployments/web"

func deployment(spec string) string {
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"d1","resourceVersion":"7"},"spec":{` + spec + `}}`
}

func TestActsOnOneField(t *testing.T) {
	node, cron := "/api/v1/nodes/n", "/apis/batch/v1/namespaces/shop/cronjobs/c"
	object := func(kind, spec string) string {
		return `{"apiVersion":"v1","kind":"` + kind + `","metadata":{"name":"x","uid":"u1","resourceVersion":"7"},"spec":{` + spec + `}}`
	}
	for _, c := range []struct{ act, path, object, body, nothing string }{
		{"pause", webPath, deployment(``), `"paused":true`, ""},
		{"pause", webPath, deployment(`"paused":true`), "", "paused already"},
		{"resume", webPath, deployment(`"paused":true`), `"paused":null`, ""},
		{"resume", webPath, deployment(``), "", "isn’t paused"},
		{"restart", webPath, deployment(`"template":{}`), `"kubectl.kubernetes.io/restartedAt":"2026-11-24T12:00:00Z"`, ""},
		{"restart", webPath, deployment(`"paused":true`), "", "Resume it first"},
		{"cordon", node, object("Node", ``), `"unschedulable":true`, ""},
		{"uncordon", node, object("Node", ``), "", "isn’t cordoned"},
		{"suspend", cron, object("CronJob", ``), `"suspend":true`, ""},
		{"unsuspend", cron, object("CronJob", `"suspend":true`), `"suspend":false`, ""},
	} {
		p := planOf(t, c.act, subjectOf(t, c.path, c.object), nil, nil)
		if (c.nothing == "") != (p.Nothing == "") || !strings.Contains(p.Nothing, c.nothing) {
			t.Errorf("%s: %q, want %q", c.act, p.Nothing, c.nothing)
		}
		if c.body == "" {
			continue
		}
		if len(p.Steps) != 1 || !strings.Contains(string(p.Steps[0].Request.Body), c.body) || !strings.Contains(string(p.Steps[0].Request.Body), `"uid":`) || len(p.Touches) == 0 {
			t.Errorf("%s: %+v", c.act, p)
		}
	}
}

func TestLabels(t *testing.T) {
	s := subjectOf(t, "/api/v1/namespaces/shop/pods/p", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"u1","resourceVersion":"7","labels":{"app":"web","tier":"front"},
		"ownerReferences":[{"kind":"ReplicaSet","name":"web-1","uid":"r","controller":true}]}}`)
	for _, c := range []struct{ pairs, body, wrong, nothing, note string }{
		{"a=b\ntier-", `"labels":{"a":"b","tier":null}`, "", "", "releases the object"},
		{"a=", `"labels":{"a":""}`, "", "", ""},
		{"a=b=c", `"labels":{"a":"b=c"}`, "", "", ""},
		{"app=web\nnosuch-", "", "", "No label changes", ""},
		{"", "", "", "No label changes", ""},
		{"word", "", "key=value", "", ""},
		{"=b", "", "key=value", "", ""},
		{"q=1\nq-", "", "Two lines have the key", "", ""},
		{"q=1\nq=2", "", "Two lines have the key", "", ""},
		{"-", "", "key=value", "", ""},
	} {
		p := planOf(t, "label", s, nil, Chosen{pairsOption: c.pairs})
		switch {
		case !strings.Contains(p.Wrong[pairsOption], c.wrong) || c.wrong == "" && len(p.Wrong) > 0:
			t.Errorf("%q: wrong %q", c.pairs, p.Wrong)
		case !strings.Contains(p.Nothing, c.nothing) || c.nothing == "" && p.Nothing != "":
			t.Errorf("%q: nothing %q", c.pairs, p.Nothing)
		case c.body != "" && (len(p.Steps) != 1 || !strings.Contains(string(p.Steps[0].Request.Body), c.body)):
			t.Errorf("%q: %+v", c.pairs, p.Steps)
		case c.body != "" && !strings.Contains(string(p.Steps[0].Request.Body), `"resourceVersion":"7"`):
			t.Errorf("%q overwrites what somebody else has written: %s", c.pairs, p.Steps[0].Request.Body)
		case (c.note == "") != (len(p.Notes) == 0):
			t.Errorf("%q: %+v", c.pairs, p.Notes)
		}
	}
}

func TestRollback(t *testing.T) {
	set := func(revision, owner, image string) string {
		return fmt.Sprintf(`{"metadata":{"name":"web-%s","annotations":{"deployment.kubernetes.io/revision":%q},"ownerReferences":[{"kind":"Deployment","name":"web","uid":%q,"controller":true}]},
			"spec":{"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"h"}},"spec":{"containers":[{"name":"app","image":%q}]}}}}`, revision, revision, owner, image)
	}
	now := deployment(`"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:10"}]}}`)
	found := Found{revisionsRead: resultOf(t, set("9", "d1", "app:9"), set("10", "d1", "app:10"), set("99", "other", "x:1"), set("2", "d1", "app:2"))}
	for _, c := range []struct {
		chosen      Chosen
		found       Found
		body, wants string
	}{
		{nil, found, "app:9", ""},
		{Chosen{"revision": "2"}, found, "app:2", ""},
		{Chosen{"revision": "10"}, found, "", "revision 10 already"},
		{Chosen{"revision": "99"}, found, "", "no such revision"},
		{nil, Found{revisionsRead: resultOf(t, set("10", "d1", "app:10"))}, "", "no earlier revision"},
	} {
		p := planOf(t, "rollback", subjectOf(t, webPath, now), c.found, c.chosen)
		if c.body == "" {
			if len(p.Steps) > 0 || !strings.Contains(p.Nothing+p.Wrong[revisionOption], c.wants) {
				t.Errorf("%v: %+v", c.chosen, p)
			}
			continue
		}
		if len(p.Steps) != 1 || !strings.Contains(string(p.Steps[0].Request.Body), c.body) || strings.Contains(string(p.Steps[0].Request.Body), templateHash) {
			t.Errorf("%v: %+v", c.chosen, p)
		}
	}
	if p := planOf(t, "rollback", subjectOf(t, webPath, now), nil, nil); !p.Waits {
		t.Errorf("without its revisions: %+v", p)
	}
	history := Found{revisionsRead: resultOf(t, `{"revision":1,"metadata":{"ownerReferences":[{"uid":"d1","controller":true}]},"data":{"spec":{"template":{"$patch":"replace","spec":{"x":1}}}}}`,
		`{"revision":2,"metadata":{"ownerReferences":[{"uid":"d1","controller":true}]},"data":{"spec":{"template":{"$patch":"replace","spec":{"x":2}}}}}`)}
	p := planOf(t, "rollback", subjectOf(t, "/apis/apps/v1/namespaces/shop/statefulsets/web", strings.Replace(now, "Deployment", "StatefulSet", 1)), history, nil)
	if len(p.Steps) != 1 || !strings.Contains(string(p.Steps[0].Request.Body), `"$patch":"replace"`) || !strings.Contains(p.Steps[0].Title, "revision 1") {
		t.Errorf("a StatefulSet: %+v", p)
	}
}

// A reader knows a revision by its images, its time and its cause.
func TestRevisionsAreTold(t *testing.T) {
	set := `{"metadata":{"name":"web-%[1]d","creationTimestamp":"2026-11-20T10:00:00Z","annotations":{"deployment.kubernetes.io/revision":"%[1]d","kubernetes.io/change-cause":"bump <b>"},
		"ownerReferences":[{"kind":"Deployment","name":"web","uid":"d1","controller":true}]},"spec":{"template":{"spec":{"containers":[{"name":"app","image":"app:%[1]d"},{"name":"log","image":"log:1"}]%[2]s}}}}`
	four := `,"initContainers":[{"name":"i","image":"i:1"},{"name":"j","image":"j:1"}]`
	s := subjectOf(t, webPath, deployment(`"template":{"spec":{}}`))
	a, _ := Find(s.Type, "rollback")
	choices := a.Options(s, Found{revisionsRead: resultOf(t, fmt.Sprintf(set, 1, ""), fmt.Sprintf(set, 2, four))})[0].Choices
	age := table.Age(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), s.Now)
	for i, want := range []string{"revision 2 (the current one) · app:2, log:1, i:1, 1 more image · first rolled out " + age + " ago · cause: bump <b>", "revision 1 · app:1, log:1 · first rolled out " + age + " ago · cause: bump <b>"} {
		if got := choices[i].Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An act that does nothing to the object as it is isn't offered. Its plan agrees.
func TestIdleActs(t *testing.T) {
	for _, c := range []struct {
		act, spec, annotation string
		idle                  bool
	}{
		{"pause", `"paused":true`, "", true},
		{"pause", `"replicas":1`, "", false},
		{"resume", `"replicas":1`, "", true},
		{"resume", `"paused":true`, "", false},
		{"restart", `"paused":true`, "", true},
		{"restart", `"replicas":1`, "", false},
		{"rollback", `"paused":true`, "2", true},
		{"rollback", `"replicas":1`, "1", true},
		{"rollback", `"replicas":1`, "2", false},
		{"rollback", `"replicas":1`, "", false},
		{"label", `"replicas":1`, "", false},
	} {
		s := subjectOf(t, webPath, deployment(c.spec))
		s.Object.Fields = with(s.Object.Fields, c.annotation, "metadata", "annotations", revisionMark)
		a, ok := Find(s.Type, c.act)
		if why := a.Idle(s); !ok || (why != "") != c.idle {
			t.Errorf("%s, %s, revision %q: %q", c.act, c.spec, c.annotation, why)
		}
		p := a.Plan(s, Found{revisionsRead: {}, "scalers": {}}, nil)
		if c.idle && (p.Nothing == "" || len(p.Steps) > 0) {
			t.Errorf("%s, %s: the plan has something to send: %+v", c.act, c.spec, p)
		}
		gone := s
		gone.Object.Fields = with(s.Object.Fields, "2026-11-20T10:00:00Z", "metadata", "deletionTimestamp")
		if a.Idle(gone) == "" {
			t.Errorf("%s: an object that is being deleted", c.act)
		}
	}
}

func TestDrain(t *testing.T) {
	pod := func(name, controller, more string) string {
		owners := ""
		if controller != "" {
			owners = fmt.Sprintf(`,"ownerReferences":[{"kind":%q,"name":"c","uid":"c1","controller":true}]`, controller)
		}
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"shop","uid":"u-%s","labels":{"app":%q}%s`, name, name, name, owners) + more
	}
	plain, scratch := `}}`, `},"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`
	budget := `{"metadata":{"name":"b","namespace":"shop"},"spec":{"selector":{"matchLabels":{"app":"web"}}},"status":{"disruptionsAllowed":0}}`
	other := `{"metadata":{"name":"b2","namespace":"shop"},"spec":{"selector":{"matchExpressions":[{"key":"app","operator":"In","values":["web"]}]}},"status":{"disruptionsAllowed":1}}`
	for name, c := range map[string]struct {
		pods, budgets []string
		chosen        Chosen
		steps         int
		says          string
	}{
		"a controller":         {[]string{pod("web", "ReplicaSet", plain)}, nil, nil, 2, "creates another Pod"},
		"a budget":             {[]string{pod("web", "ReplicaSet", plain)}, []string{budget}, nil, 2, "b allows none now"},
		"two budgets":          {[]string{pod("web", "ReplicaSet", plain)}, []string{budget, other}, nil, 2, "more than one disruption budget: b, b2"},
		"a budget of all":      {[]string{pod("db", "ReplicaSet", plain)}, []string{strings.Replace(budget, `"matchLabels":{"app":"web"}`, "", 1)}, nil, 2, "b allows none now"},
		"a budget of none":     {[]string{pod("db", "ReplicaSet", plain)}, []string{strings.Replace(budget, `"selector":{"matchLabels":{"app":"web"}}`, "", 1)}, nil, 2, "on another node.|"},
		"another’s budget":     {[]string{pod("db", "ReplicaSet", plain)}, []string{budget, other}, nil, 2, "on another node.|"},
		"a DaemonSet":          {[]string{pod("agent", "DaemonSet", plain)}, nil, nil, 1, "These Pods stay"},
		"a mirror":             {[]string{pod("etcd", "", `,"annotations":{"kubernetes.io/config.mirror":"x"}}}`)}, nil, nil, 1, "These Pods stay"},
		"alone":                {[]string{pod("one", "", plain)}, nil, nil, 0, "No controller creates these Pods again: shop/one"},
		"alone, chosen":        {[]string{pod("one", "", plain)}, nil, Chosen{forceOption: Yes}, 2, "No controller creates the Pod again."},
		"data":                 {[]string{pod("web", "ReplicaSet", scratch)}, nil, nil, 0, "would lose data"},
		"data, chosen":         {[]string{pod("web", "ReplicaSet", scratch)}, nil, Chosen{emptyDirOption: Yes}, 2, "is lost"},
		"finished":             {[]string{pod("job", "", `},"status":{"phase":"Succeeded"}}`)}, nil, nil, 2, "has ended already"},
		"finished, of a Job":   {[]string{pod("web", "Job", `},"status":{"phase":"Failed"}}`)}, []string{budget}, nil, 2, "gone afterwards.|"},
		"not running yet":      {[]string{pod("web", "ReplicaSet", `},"status":{"phase":"Pending"}}`)}, []string{budget}, nil, 2, "on another node.|"},
		"being deleted":        {[]string{pod("web", "ReplicaSet", `,"deletionTimestamp":"2026-11-24T11:00:00Z"}}`)}, nil, nil, 1, "being deleted already"},
		"a grace":              {[]string{pod("web", "ReplicaSet", plain)}, nil, Chosen{graceOption: "9"}, 2, `"gracePeriodSeconds":9`},
		"a wrong grace":        {[]string{pod("web", "ReplicaSet", plain)}, nil, Chosen{graceOption: "soon"}, 0, "a whole number"},
		"no time to give up":   {[]string{pod("web", "ReplicaSet", plain)}, nil, Chosen{patienceOption: ""}, 2, ""},
		"never give up":        {[]string{pod("web", "ReplicaSet", plain)}, nil, Chosen{patienceOption: "0"}, 0, "a whole number"},
		"an empty node":        {nil, nil, nil, 1, ""},
		"only for this object": {[]string{pod("web", "ReplicaSet", plain)}, nil, nil, 2, `"uid":"u-web"`},
	} {
		s := subjectOf(t, "/api/v1/nodes/n", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","uid":"n1"},"spec":{}}`)
		p := planOf(t, "drain", s, Found{podsRead: resultOf(t, c.pods...), budgetsRead: resultOf(t, c.budgets...)}, c.chosen)
		said := fmt.Sprint(p.Notes, p.Wrong)
		for _, step := range p.Steps {
			said += step.Why + "|" + string(step.Request.Body)
		}
		if len(p.Steps) != c.steps || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d steps, %s", name, len(p.Steps), said)
		}
		if c.steps > 0 && (len(p.Touches) != 1 || p.Touches[0].Path != ".spec.unschedulable") {
			t.Errorf("%s: the cordon touches %+v", name, p.Touches)
		}
		if c.steps > 0 && (p.Steps[0].Undo == nil || p.Patience != usualPatience*time.Minute) {
			t.Errorf("%s: the cordon can’t be taken back, or the patience is %s", name, p.Patience)
		}
	}
}

func TestRemovingAFinalizer(t *testing.T) {
	const path = "/api/v1/namespaces/shop/configmaps/held"
	held := func(finalizers, deleted string) Subject {
		return subjectOf(t, path, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"held","namespace":"shop","uid":"u1","finalizers":[`+finalizers+`]`+deleted+`,
			"managedFields":[{"manager":"operator","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"a.io/x\"":{}}}}}]}}`)
	}
	const going = `,"deletionTimestamp":"2026-11-20T10:00:00Z"`
	for name, c := range map[string]struct {
		subject       Subject
		chosen, wants string
		goal          GoalKind
		notes         []string
	}{
		"one of two": {held(`"a.io/x","b.io/y"`, going), "", `{"op":"replace","path":"/metadata/finalizers","value":["b.io/y"]}`, Done, []string{"What that controller would have cleaned up stays", "put there by operator."}},
		"another":    {held(`"a.io/x","b.io/y"`, going), "b.io/y", `{"op":"replace","path":"/metadata/finalizers","value":["a.io/x"]}`, Done, []string{"doesn’t say who put"}},
		"the last":   {held(`"kubernetes.io/pv-controller"`, going), "", `{"op":"remove","path":"/metadata/finalizers"}`, Gone, []string{"real volume stays", "The volume controller removes it"}},
	} {
		chosen := Chosen{}
		if c.chosen != "" {
			chosen[whichFinalizer] = c.chosen
		}
		p := planOf(t, RemoveFinalizer, c.subject, nil, chosen)
		if len(p.Steps) != 1 || p.Notes[0].Tone != Danger {
			t.Fatalf("%s: %+v", name, p)
		}
		body := string(p.Steps[0].Request.Body)
		for _, want := range []string{`{"op":"test","path":"/metadata/uid","value":"u1"}`, `{"op":"test","path":"/metadata/finalizers","value":[`, c.wants} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: %s isn’t in %s", name, want, body)
			}
		}
		if p.Steps[0].Goal.Kind != c.goal {
			t.Errorf("%s: the goal is %q", name, p.Steps[0].Goal.Kind)
		}
		for _, want := range c.notes {
			if !strings.Contains(fmt.Sprint(p.Notes), want) {
				t.Errorf("%s: %q isn’t said: %+v", name, want, p.Notes)
			}
		}
	}
	a, ok := Find(held("", "").Type, RemoveFinalizer)
	if !ok || a.Idle(held(`"a.io/x"`, "")) == "" || a.Idle(held("", going)) == "" || a.Idle(held(`"a.io/x"`, going)) != "" {
		t.Error("it is offered for an object that isn’t stuck, or not for one that is")
	}
	if p := planOf(t, RemoveFinalizer, held(`"a.io/x"`, going), nil, Chosen{whichFinalizer: "c.io/z"}); p.Wrong[whichFinalizer] == "" || len(p.Steps) > 0 {
		t.Errorf("a finalizer that the object doesn’t have: %+v", p)
	}
}

func TestTrigger(t *testing.T) {
	cron := `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"report","namespace":"shop","uid":"c1"},"spec":{"suspend":true,
		"jobTemplate":{"metadata":{"labels":{"a":"b"},"annotations":{"x":"y"}},"spec":{"template":{}}}}}`
	s := subjectOf(t, "/apis/batch/v1/namespaces/shop/cronjobs/report", cron)
	p := planOf(t, "trigger", s, nil, nil)
	if len(p.Steps) != 1 || p.Steps[0].Target() != "/apis/batch/v1/namespaces/shop/jobs?fieldManager=fieldmark" || len(p.Notes) != 1 {
		t.Fatalf("%+v", p)
	}
	for _, want := range []string{`"cronjob.kubernetes.io/instantiate":"manual","x":"y"`, `"labels":{"a":"b"}`, `"uid":"c1"`, `"spec":{"template":{}}`, `"name":"report-manual-`} {
		if !strings.Contains(string(p.Steps[0].Request.Body), want) {
			t.Errorf("%s isn’t in %s", want, p.Steps[0].Request.Body)
		}
	}
	if p := planOf(t, "trigger", s, nil, Chosen{nameOption: "a/b"}); p.Wrong[nameOption] == "" || len(p.Steps) > 0 {
		t.Errorf("%+v", p)
	}
}

func TestSetImage(t *testing.T) {
	s := subjectOf(t, webPath, deployment(`"template":{"spec":{"containers":[{"name":"app","image":"app:1"},{"name":"log","image":"log:1"}],"initContainers":[{"name":"init","image":"init:1"}]}}`))
	for _, c := range []struct {
		container, image, body, not string
		notes                       int
	}{
		{"app", "app:2", `"containers":[{"image":"app:2","name":"app"}]`, "", 0},
		{"init", "init:2", `"initContainers":[{"image":"init:2","name":"init"}]`, "", 0},
		{"app", "host:80/app", `"image":"host:80/app"`, "", 1},
		{"app", "app:latest", `"image":"app:latest"`, "", 1},
		{"app", "app@sha256:0", `"image":"app@sha256:0"`, "", 0},
		{"app", "app:1", "", "this image already", 0},
		{"nosuch", "app:1", "", "no such container", 0},
		{"app", "two words", "", "without spaces", 0},
	} {
		p := planOf(t, "set-image", s, nil, Chosen{containerOption: c.container, imageOption: c.image})
		said := p.Nothing + fmt.Sprint(p.Wrong)
		switch {
		case c.body == "" && (len(p.Steps) > 0 || !strings.Contains(said, c.not)):
			t.Errorf("%+v: %s", c, said)
		case c.body != "" && (len(p.Steps) != 1 || !strings.Contains(string(p.Steps[0].Request.Body), c.body) || len(p.Notes) != c.notes || len(p.Touches) != 1):
			t.Errorf("%+v: %+v", c, p)
		}
	}
}

func TestGoals(t *testing.T) {
	status := func(kind, spec, status string) string {
		return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":%q,"metadata":{"uid":"u1","generation":2},"spec":{%s},"status":{"observedGeneration":2%s}}`, kind, spec, status)
	}
	for name, c := range map[string]struct {
		goal    Goal
		object  string
		gone    bool
		reached bool
		failed  bool
	}{
		"all new":       {Goal{Kind: Rollout}, status("Deployment", `"replicas":2`, `,"replicas":2,"updatedReplicas":2,"availableReplicas":2`), false, true, false},
		"some old":      {Goal{Kind: Rollout}, status("Deployment", `"replicas":2`, `,"replicas":3,"updatedReplicas":2,"availableReplicas":2`), false, false, false},
		"not available": {Goal{Kind: Rollout}, status("Deployment", `"replicas":2`, `,"replicas":2,"updatedReplicas":2,"availableReplicas":1`), false, false, false},
		"not seen":      {Goal{Kind: Rollout}, strings.Replace(status("Deployment", ``, ``), `"generation":2`, `"generation":3`, 1), false, false, false},
		"overdue":       {Goal{Kind: Rollout}, status("Deployment", ``, `,"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"}]`), false, false, true},
		"deleted":       {Goal{Kind: Rollout}, `{}`, true, false, true},
		"a StatefulSet": {Goal{Kind: Rollout}, status("StatefulSet", `"replicas":2`, `,"readyReplicas":2,"updatedReplicas":2,"currentRevision":"a","updateRevision":"a"`), false, true, false},
		"half of it":    {Goal{Kind: Rollout}, status("StatefulSet", `"replicas":2`, `,"readyReplicas":2,"updatedReplicas":1,"currentRevision":"a","updateRevision":"b"`), false, false, false},
		"partitioned": {
			Goal{Kind: Rollout},
			status("StatefulSet", `"replicas":3,"updateStrategy":{"rollingUpdate":{"partition":2}}`, `,"readyReplicas":3,"updatedReplicas":1,"currentRevision":"a","updateRevision":"b"`),
			false, true, false,
		},
		"partitioned, one isn’t ready": {
			Goal{Kind: Rollout},
			status("StatefulSet", `"replicas":3,"updateStrategy":{"rollingUpdate":{"partition":2}}`, `,"readyReplicas":2,"updatedReplicas":1,"currentRevision":"a","updateRevision":"b"`),
			false, false, false,
		},
		"a DaemonSet":     {Goal{Kind: Rollout}, status("DaemonSet", ``, `,"desiredNumberScheduled":3,"updatedNumberScheduled":3,"numberAvailable":3`), false, true, false},
		"some nodes":      {Goal{Kind: Rollout}, status("DaemonSet", ``, `,"desiredNumberScheduled":3,"updatedNumberScheduled":2,"numberAvailable":3`), false, false, false},
		"OnDelete":        {Goal{Kind: Rollout}, status("DaemonSet", `"updateStrategy":{"type":"OnDelete"}`, `,"desiredNumberScheduled":3`), false, true, false},
		"a pod stops":     {Goal{Kind: Gone, UID: "u1"}, status("Pod", ``, ``), false, false, false},
		"another pod":     {Goal{Kind: Gone, UID: "u0"}, status("Pod", ``, ``), false, true, false},
		"a Job runs":      {Goal{Kind: Finished}, status("Job", ``, ``), false, false, false},
		"a Job ends":      {Goal{Kind: Finished}, status("Job", ``, `,"conditions":[{"type":"Complete","status":"True"}]`), false, true, false},
		"a Job fails":     {Goal{Kind: Finished}, status("Job", ``, `,"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}]`), false, false, true},
		"the pod is gone": {Goal{Kind: Gone, UID: "u1"}, `{}`, true, true, false},
	} {
		o, err := object.Parse([]byte(c.object))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.goal.Judge(o, c.gone); got.Reached != c.reached || got.Failed != c.failed || got.Words == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
