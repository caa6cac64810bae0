package usage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

const pod = `{"kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[
	{"name":"app","resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}}},{"name":"proxy"}]},
	"status":{"phase":"%s","containerStatuses":[{"name":"app","state":{"running":{}}},{"name":"proxy","state":{%s}}]}}`

func running() string { return fmt.Sprintf(pod, "Running", `"running":{}`) }

func podFigures(at time.Time, memory string) string {
	return fmt.Sprintf(`{"kind":"PodMetrics","metadata":{"name":"web","namespace":"shop"},"timestamp":%q,"window":"10s",
		"containers":[{"name":"app","usage":{"cpu":"35m","memory":%q}},{"name":"proxy","usage":{"cpu":"1m","memory":"8Mi"}}]}`, at.Format(time.RFC3339), memory)
}

func ofPod() Model {
	catalog := discovery.Catalog{Groups: []discovery.Group{{Name: "metrics.k8s.io", Versions: []discovery.Version{{Name: "v1beta1", Types: []discovery.Type{
		{Group: "metrics.k8s.io", Version: "v1beta1", Resource: "pods"}, {Group: "metrics.k8s.io", Version: "v1beta1", Resource: "nodes"},
	}}}}}}
	return Model{Subject: subject.Subject{
		View: views.Usage, Type: discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true},
		Frame: page.Frame{Shell: shell.Model{Path: apipath.Object("", "v1", "shop", "pods", "web"), Cluster: shell.Cluster{Slug: "c"}, Catalog: catalog}},
	}}
}

func ofNode() Model {
	m := ofPod()
	m.Subject.Type = discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node"}
	m.Subject.Shell.Path = apipath.Object("", "v1", "", "nodes", "node-1")
	return m
}

func shown(t *testing.T, m Model) string {
	t.Helper()
	var text strings.Builder
	if err := page.Main(m).Render(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestRequestsOfThePage(t *testing.T) {
	for name, c := range map[string]struct {
		m    Model
		want string
	}{
		"pod": {ofPod(), "/api/v1/namespaces/shop/pods/web /apis/metrics.k8s.io/v1beta1/namespaces/shop/pods/web"},
		"node": {ofNode(), "/api/v1/nodes/node-1 /api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1&limit=250" +
			" /apis/metrics.k8s.io/v1beta1/pods /apis/metrics.k8s.io/v1beta1/nodes/node-1"},
	} {
		var paths []string
		for _, ask := range c.m.Asks() {
			paths = append(paths, ask.Path)
		}
		if got := strings.Join(paths, " "); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAPollWaitsForTheResponseAndTheTime(t *testing.T) {
	awake, _ := ofPod().Awake(noon)
	tick := func(p page.Page, after time.Duration) (page.Page, int) {
		p, commands := p.Update(page.Tick{Now: noon.Add(after)})
		return p, len(commands)
	}
	p, n := tick(awake, 4*time.Second)
	if n != 0 {
		t.Errorf("after 4 s: %d requests", n)
	}
	if p, n = tick(p, 5*time.Second); n != 2 {
		t.Errorf("after 5 s: %d requests", n)
	}
	if _, n = tick(p, 12*time.Second); n != 0 {
		t.Errorf("without responses: %d requests", n)
	}
	if _, n = tick(p, 40*time.Second); n != 2 {
		t.Errorf("without responses, much later: %d requests", n)
	}
	for _, id := range []string{askPlanned, askFigures} {
		p, _ = p.Update(page.Response{ID: id, Status: 200, Body: []byte(map[string]string{askPlanned: running(), askFigures: podFigures(noon, "64Mi")}[id])})
	}
	if _, n = tick(p, 12*time.Second); n != 2 {
		t.Errorf("after the responses: %d requests", n)
	}
}

func TestANewMeasurementIsAPoint(t *testing.T) {
	m := ofPod().Heard(askPlanned, []byte(running()))
	for i, c := range []struct {
		at   time.Time
		want int
	}{{noon, 1}, {noon, 1}, {noon.Add(10 * time.Second), 2}, {noon.Add(5 * time.Second), 2}, {noon.Add(20 * time.Second), 3}} {
		if m = m.Heard(askFigures, []byte(podFigures(c.at, "64Mi"))); len(m.Readings) != c.want {
			t.Errorf("%d: %d readings, want %d", i, len(m.Readings), c.want)
		}
	}
	for i := range 2 * readingsKept {
		m = m.Heard(askFigures, []byte(podFigures(noon.Add(time.Duration(i)*time.Minute), "64Mi")))
	}
	if len(m.Readings) != readingsKept {
		t.Errorf("%d readings are kept", len(m.Readings))
	}
}

func TestNearnessToBounds(t *testing.T) {
	for name, c := range map[string]struct {
		got  nearness
		tone components.Tone
		want string
	}{
		"memory far":           {ofMemory(64<<20, 128<<20, 256<<20, false), components.Calm, "25 % of its limit (256Mi)."},
		"memory near":          {ofMemory(200<<20, 128<<20, 256<<20, false), components.Warn, "78 % of its limit"},
		"memory at limit":      {ofMemory(250<<20, 128<<20, 256<<20, false), components.Bad, "the kernel ends the container"},
		"memory, no limit":     {ofMemory(64<<20, 128<<20, 0, false), components.Calm, "50 % of its request (128Mi). No limit."},
		"memory above request": {ofMemory(129<<20, 128<<20, 0, false), components.Warn, "evicted first"},
		"memory, nothing":      {ofMemory(1, 0, 0, false), components.Calm, "No request and no limit"},
		"cpu at limit":         {ofCPU(0.95, 0.5, 1, false), components.Warn, "slowed down"},
		"cpu, no limit":        {ofCPU(0.05, 0.1, 0, false), components.Calm, "50 % of its request (100m). No limit."},
		"node":                 {ofMemory(8<<30, 0, 64<<30, true), components.Calm, "what pods can have"},
		"unknown node":         {ofCPU(1, 0, 0, true), components.Calm, "doesn’t say"},
	} {
		if c.got.tone != c.tone || !strings.Contains(c.got.text, c.want) {
			t.Errorf("%s: %q %q", name, c.got.tone, c.got.text)
		}
	}
}

func TestThePageSaysWhyThereAreNoFigures(t *testing.T) {
	forbidden := status.Parse(403, []byte(`{"kind":"Status","reason":"Forbidden","message":"pods.metrics.k8s.io \"web\" is forbidden: User \"eve\" cannot get resource \"pods\" in API group \"metrics.k8s.io\" in the namespace \"shop\""}`))
	for name, c := range map[string]struct {
		planned string
		no      status.Status
		want    []string
	}{
		"down":      {running(), status.Parse(503, nil), []string{"The metrics API isn’t available", "apiservices/v1beta1.metrics.k8s.io"}},
		"silent":    {running(), status.Status{Message: "No response arrived."}, []string{"The metrics API isn’t available", "No response arrived."}},
		"forbidden": {running(), forbidden, []string{"get", "pods.metrics.k8s.io", "permission"}},
		"new":       {running(), status.Parse(404, nil), []string{"No figures yet", "two measurements"}},
		"finished":  {fmt.Sprintf(pod, "Succeeded", `"terminated":{"reason":"Completed"}`), status.Parse(404, nil), []string{"doesn’t run", "Succeeded"}},
		"crashing":  {fmt.Sprintf(pod, "Running", `"waiting":{"reason":"CrashLoopBackOff"}`), status.Parse(404, nil), []string{"The state of proxy is CrashLoopBackOff."}},
	} {
		html := shown(t, ofPod().Heard(askPlanned, []byte(c.planned)).Refused(askFigures, c.no))
		for _, words := range c.want {
			if !strings.Contains(html, words) {
				t.Errorf("%s: no %q in %s", name, words, html)
			}
		}
	}
}

func TestFormerFiguresStayBesideAProblem(t *testing.T) {
	m := ofPod().Heard(askPlanned, []byte(running())).Heard(askFigures, []byte(podFigures(noon, "64Mi"))).Refused(askFigures, status.Parse(503, nil))
	if html := shown(t, m); !strings.Contains(html, "isn’t available") || !strings.Contains(html, "64Mi") {
		t.Error(html)
	}
	if html := shown(t, m.Heard(askFigures, []byte(podFigures(noon.Add(time.Minute), "65Mi")))); strings.Contains(html, "isn’t available") {
		t.Error("the problem stays")
	}
}

func TestGraphsHaveBoundsThatArentFarAway(t *testing.T) {
	m := ofPod().Heard(askPlanned, []byte(running())).Heard(askFigures, []byte(podFigures(noon, "64Mi"))).
		Heard(askFigures, []byte(podFigures(noon.Add(10*time.Second), "80Mi")))
	rows := m.rows()
	if len(rows) != 2 || rows[0].name != "app" || rows[0].hue == rows[1].hue {
		t.Fatalf("%+v", rows)
	}
	for _, c := range []struct {
		value float64
		drawn bool
	}{{rows[0].mem.request, true}, {rows[0].mem.limit, true}, {0, false}, {1 << 40, false}} {
		if _, ok := rows[0].mem.height(c.value); ok != c.drawn {
			t.Errorf("%v is drawn: %t", c.value, ok)
		}
	}
	if points := rows[0].mem.lines(); len(points) != 1 || strings.Count(points[0], ",") != 3 {
		t.Errorf("%q", points)
	}
	late := m.Heard(askFigures, []byte(podFigures(noon.Add(10*time.Minute), "80Mi")))
	if parts := late.rows()[0].mem.lines(); len(parts) != 2 {
		t.Errorf("a pause is drawn as a line: %q", parts)
	}
}

func TestANodeIsShownWithItsLargestPods(t *testing.T) {
	var pods, all []string
	for i := range 30 {
		name := fmt.Sprintf("p%d", i)
		if i != 29 {
			pods = append(pods, fmt.Sprintf(`{"metadata":{"namespace":"shop","name":%q}}`, name))
		}
		all = append(all, fmt.Sprintf(`{"metadata":{"namespace":"shop","name":%q},"containers":[{"name":"a","usage":{"cpu":"1m","memory":"%dMi"}}]}`, name, i))
	}
	list := []byte(`{"kind":"PodMetricsList","items":[` + strings.Join(all, ",") + `]}`)
	node := []byte(`{"kind":"NodeMetrics","metadata":{"name":"node-1"},"timestamp":"2026-11-24T12:00:00Z","window":"10s","usage":{"cpu":"1","memory":"8Gi"}}`)
	m := ofNode().Heard(askPlanned, []byte(`{"metadata":{"name":"node-1"},"status":{"allocatable":{"cpu":"16","memory":"64Gi"}}}`)).
		Heard(askOnNode, []byte(`{"items":[`+strings.Join(pods, ",")+`]}`))
	for name, m := range map[string]Model{
		"figures of the node last":  m.Heard(askPods, list).Heard(askFigures, node),
		"figures of the node first": m.Heard(askFigures, node).Heard(askPods, list),
	} {
		var names []string
		for _, r := range m.rows() {
			names = append(names, r.name)
		}
		if got := strings.Join(names, " "); got != "node-1 shop/p28 shop/p27 shop/p26 shop/p25 shop/p24" || len(m.Readings[0].Of) != podsKept+1 {
			t.Errorf("%s: %s, %d kept", name, got, len(m.Readings[0].Of))
		}
	}
	if html := shown(t, m.Heard(askFigures, node).Refused(askPods, status.Status{Code: 403, Message: "no"})); !strings.Contains(html, "The pods of this node are missing: no") {
		t.Error(html)
	}
}
