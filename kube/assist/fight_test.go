package assist

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

var (
	gitops = ownership.Manager{Name: "gitops", Operation: "Apply", APIVersion: "v1"}
	scaler = ownership.Manager{Name: "scaler", Operation: "Update", Subresource: "scale", APIVersion: "v1"}
	noon   = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
)

const both = `{"f:spec":{"f:replicas":{},"f:paused":{}}}`

// byGitops and byScaler are versions in which one of them owns the field.
func byGitops(t testing.TB, n int) map[string]any {
	return thing(t, fmt.Sprintf(`{"replicas":%d,"paused":true}`, n), "gitops Apply v1 "+both)
}

func byScaler(t testing.TB, n int) map[string]any {
	return thing(t, fmt.Sprintf(`{"replicas":%d,"paused":true}`, n), `gitops Apply v1 {"f:spec":{"f:paused":{}}}`, `scaler/scale Update v1 {"f:spec":{"f:replicas":{}}}`)
}

func at(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }

func TestAFightKnowsWhoWantsWhat(t *testing.T) {
	f := NewFight(".spec.replicas")
	if w := f.See(byGitops(t, 3), at(0)); w.Took || w.New != "3" {
		t.Errorf("the first version: %+v", w)
	}
	w := f.See(byScaler(t, 5), at(4))
	if !w.Took || w.Old != "3" || w.New != "5" || len(w.By) != 1 || !w.By[0].Same(scaler) {
		t.Errorf("%+v", w)
	}
	if w := f.See(byScaler(t, 5), at(5)); w.Took {
		t.Errorf("nothing was written: %+v", w)
	}
	if w := f.See(byScaler(t, 6), at(6)); !w.Took || !w.By[0].Same(scaler) {
		t.Errorf("%+v", w)
	}
	if w := f.See(byGitops(t, 3), at(9)); !w.Took || !w.By[0].Same(gitops) {
		t.Errorf("%+v", w)
	}
	if f.Versions != 5 || f.Values != 3 || f.Passes != 2 || f.Longest != 3*time.Second || f.Now != "3" {
		t.Errorf("%+v", f)
	}
	g, s := f.Of(gitops), f.Of(scaler)
	if g.Value != "3" || !g.Owns || g.Writes != 1 || s.Value != "6" || s.Owns || s.Writes != 2 || f.Of(ownership.Manager{Name: "x"}) != nil {
		t.Errorf("%+v, %+v", g, s)
	}
}

func TestSharingAndRemoving(t *testing.T) {
	f := NewFight(".spec.replicas")
	f.See(byGitops(t, 3), at(0))
	shared := thing(t, `{"replicas":3,"paused":true}`, "gitops Apply v1 "+both, `ben Apply v1 {"f:spec":{"f:replicas":{}}}`)
	if w := f.See(shared, at(1)); w.Took || f.Passes != 0 || f.Of(ownership.Manager{Name: "ben", Operation: "Apply"}).Value != "3" {
		t.Errorf("to share is no fight: %+v", w)
	}
	gone := thing(t, `{"paused":true}`, `gitops Apply v1 {"f:spec":{"f:paused":{}}}`)
	if w := f.See(gone, at(2)); !w.Took || w.New != "" || len(w.By) != 0 {
		t.Errorf("%+v", w)
	}
}

func TestOutcomes(t *testing.T) {
	o := OutcomeOf(byScaler(t, 5), byGitops(t, 3), ".spec.replicas", []ownership.Manager{gitops})
	if o.Old != "5" || o.New != "3" || len(o.Fates) != 2 || o.Fates[0].Name != "gitops" || o.Fates[0].Before || !o.Fates[0].After || !o.Fates[1].Before || o.Fates[1].After {
		t.Errorf("%+v", o)
	}
}

func TestGiveUp(t *testing.T) {
	p, err := GiveUp(byGitops(t, 3), nil, gitops, []string{".spec.replicas"})
	if err != nil || len(p.Steps) != 1 || p.Title != "gitops (Apply) gives up .spec.replicas" {
		t.Fatalf("%+v, %v", p, err)
	}
	body, query := string(p.Steps[0].Request.Body), p.Steps[0].Request.Query.Encode()
	if strings.Contains(body, "replicas") || !strings.Contains(body, "paused: true") || !strings.Contains(body, `resourceVersion: "7"`) || !strings.Contains(body, "uid: u") || query != "fieldManager=gitops" {
		t.Errorf("%s %s", query, body)
	}
	exact, err := HandOver(Handing{Live: byGitops(t, 3), Paths: []string{".spec.replicas"}, From: gitops, To: scaler, Contested: true, Exact: true})
	if err != nil || len(exact.Steps) != 2 || !strings.Contains(string(exact.Steps[1].Request.Body), `resourceVersion: "7"`) || strings.Contains(string(exact.Steps[0].Request.Body), "resourceVersion") {
		t.Errorf("%+v, %v", exact, err)
	}
	if !Temporary(ownership.Manager{Name: exact.Steps[0].Request.Query.Get("fieldManager"), Operation: "Apply"}) || Temporary(gitops) {
		t.Error("a temporary manager isn't known by its name")
	}
	if p, err := GiveUp(byScaler(t, 3), nil, scaler, []string{".spec.replicas"}); err != nil || p.Nothing == "" || len(p.Steps) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestLines(t *testing.T) {
	if got := Lines(byGitops(t, 3), ".spec.replicas"); got != "spec:\n  replicas: 3  # delete this field\n" {
		t.Errorf("%q", got)
	}
	o := thing(t, `{"containers":[{"name":"app","image":"a:1"},{"name":"side","image":"b"}]}`,
		`gitops Apply v1 {"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}},"k:{\"name\":\"side\"}":{".":{},"f:name":{}}}}}`)
	if got := Lines(o, `.spec.containers[name="app"].image`); got != "spec:\n  containers:\n  - image: a:1  # delete this field\n    name: app\n" {
		t.Errorf("%q", got)
	}
	if got := Lines(byGitops(t, 3), ".spec.none"); strings.Contains(got, "delete") {
		t.Errorf("%q", got)
	}
}

func scalers(t *testing.T) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, text := range []string{
		`{"metadata":{"name":"web","resourceVersion":"4","managedFields":[` + entry(`ada Apply autoscaling/v2 {"f:spec":{"f:maxReplicas":{}}}`) + `]},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":2,"maxReplicas":6}}`,
		`{"metadata":{"name":"no-least"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1beta1","kind":"Deployment","name":"web"},"maxReplicas":4}}`,
		`{"metadata":{"name":"other"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"other"},"maxReplicas":6}}`,
		`{"metadata":{"name":"other-group"},"spec":{"scaleTargetRef":{"apiVersion":"v1","kind":"Deployment","name":"web"},"maxReplicas":6}}`,
		`{"metadata":{"name":"broken"},"spec":{"scaleTargetRef":"x","maxReplicas":"y"}}`,
	} {
		o, err := object.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o.Fields)
	}
	return all
}

func TestLimits(t *testing.T) {
	found := ScalersOf(scalers(t), "apps/v1", "Deployment", "web")
	if len(found) != 2 || found[0].Words() != "HorizontalPodAutoscaler web (min 2, max 6)" || found[1].Min != 1 {
		t.Fatalf("%+v", found)
	}
	for n, want := range map[int64]string{1: "minReplicas 2", 2: "", 6: "", 9: "maxReplicas 6"} {
		field, limit, ok := found[0].Limit(n)
		if ok != (want != "") || ok && fmt.Sprint(field, " ", limit) != want {
			t.Errorf("%d: %s %d", n, field, limit)
		}
	}
	p := MoveLimit(found[0], 9, "fieldmark")
	if len(p.Steps) != 1 || string(p.Steps[0].Request.Body) != `[{"op":"test","path":"/spec/maxReplicas","value":6},{"op":"replace","path":"/spec/maxReplicas","value":9}]` || p.Steps[0].Request.Query.Get("fieldManager") != "fieldmark" {
		t.Errorf("%+v", p.Steps)
	}
	if c := strings.Join(p.Consequences, " "); !strings.Contains(c, "ada (Apply) owns the limit.") {
		t.Errorf("%s", c)
	}
	if p := MoveLimit(found[0], 4, "fieldmark"); p.Nothing == "" {
		t.Errorf("%+v", p)
	}
	if !found[0].Manager(ownership.Manager{Name: "kube-controller-manager", Operation: "Update", Subresource: "scale"}) || found[0].Manager(scaler) {
		t.Error("the controller isn't known by its manager")
	}
}

// TestVigils: each write is "name second", and then the seconds at which the vigil is asked.
func TestVigils(t *testing.T) {
	write := func(m ownership.Manager) Write { return Write{By: []ownership.Manager{m}, New: "3", Took: true} }
	for name, c := range map[string]struct {
		losers []ownership.Manager
		period time.Duration
		hear   func(Vigil) Vigil
		ask    int
		want   Settled
		quiet  time.Duration
		times  int
	}{
		"nothing yet":              {nil, 0, func(v Vigil) Vigil { return v }, 19, Waiting, 19 * time.Second, 0},
		"nothing for long enough":  {nil, 0, func(v Vigil) Vigil { return v }, 20, Quiet, 20 * time.Second, 0},
		"three periods":            {nil, 10 * time.Second, func(v Vigil) Vigil { return v }, 29, Waiting, 29 * time.Second, 0},
		"the loser writes":         {[]ownership.Manager{gitops}, 0, func(v Vigil) Vigil { return v.Hear(write(gitops), at(4)) }, 8, GoesOn, 4 * time.Second, 1},
		"the winner writes":        {[]ownership.Manager{gitops}, 0, func(v Vigil) Vigil { return v.Hear(write(scaler), at(4)).Hear(write(scaler), at(9)) }, 21, Quiet, 21 * time.Second, 0},
		"one writes, nobody chose": {nil, 0, func(v Vigil) Vigil { return v.Hear(write(gitops), at(4)) }, 21, Quiet, 21 * time.Second, 0},
		"two write":                {nil, 0, func(v Vigil) Vigil { return v.Hear(write(gitops), at(4)).Hear(write(scaler), at(6)) }, 10, GoesOn, 4 * time.Second, 1},
		"quiet after all":          {nil, 0, func(v Vigil) Vigil { return v.Hear(write(gitops), at(4)).Hear(write(scaler), at(6)) }, 26, Quiet, 20 * time.Second, 1},
		"shared":                   {[]ownership.Manager{gitops}, 0, func(v Vigil) Vigil { return v.Hear(Write{By: []ownership.Manager{gitops}}, at(4)) }, 8, Waiting, 8 * time.Second, 0},
		"no changes arrive":        {nil, 0, func(v Vigil) Vigil { return v.Sees(false, at(3)) }, 40, Blind, 0, 0},
		"changes arrive again":     {nil, 0, func(v Vigil) Vigil { return v.Sees(false, at(3)).Sees(true, at(30)) }, 40, Waiting, 10 * time.Second, 0},
	} {
		v := c.hear(NewVigil(at(0), c.period, c.losers...))
		if got, quiet := v.Judge(at(c.ask)); got != c.want || quiet != c.quiet || v.Times != c.times {
			t.Errorf("%s: %s, %s, %d times", name, got, quiet, v.Times)
		}
	}
	v := NewVigil(at(0), 0, gitops).Hear(write(scaler), at(2)).Hear(write(gitops), at(5))
	if v.Again == nil || !v.Again.By.Same(gitops) || !v.Again.From.Same(scaler) || v.Again.After != 5*time.Second || !v.Given(gitops) || v.Given(scaler) {
		t.Errorf("%+v", v.Again)
	}
}

// Paths don't quote names with dots. What nobody can tell apart doesn't change hands.
func TestAPathOfSeveralFieldsIsNotHandedOver(t *testing.T) {
	live := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "a", "namespace": "b", "managedFields": []any{map[string]any{
			"manager": "gitops", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:spec": map[string]any{"f:x.y": map[string]any{}, "f:z": map[string]any{}}},
		}}},
		"spec": map[string]any{"x.y": "1", "x": map[string]any{"y": "2"}, "z": "3"},
	}
	for path, steps := range map[string]int{".spec.x.y": 0, ".spec.z": 1} {
		up, err := GiveUp(live, nil, gitops, []string{path})
		if err != nil || len(up.Steps) != steps || strings.Contains(up.Nothing, "several fields") != (steps == 0) {
			t.Errorf("%s: %+v %v", path, up, err)
		}
		over, err := HandOver(Handing{Live: live, Paths: []string{path}, From: gitops, To: ownership.Manager{Name: "other", Operation: ownership.Apply}})
		if err != nil || (len(over.Steps) > 0) != (steps > 0) {
			t.Errorf("%s: %+v %v", path, over, err)
		}
	}
}
