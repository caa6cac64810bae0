package metrics

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/fieldmark/fieldmark/practice/kubelet"
)

var noon = time.Date(2026, 11, 24, 12, 0, 3, 0, time.UTC)

func amounts(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

// runningPod has one container that has run for a while.
func runningPod(name, app string, change func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{"app": app}},
		Spec: corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{
			Name: "app", Image: "web", Resources: corev1.ResourceRequirements{Requests: amounts("100m", "128Mi"), Limits: amounts("2", "256Mi")},
		}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
			Name: "app", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(noon.Add(-time.Hour))}},
		}}},
	}
	if change != nil {
		change(p)
	}
	return p
}

func node(name string, is corev1.ConditionStatus) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)},
		Status: corev1.NodeStatus{
			Capacity:   amounts("16", "64Gi"),
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: is}},
		},
	}
}

func at(p *corev1.Pod, now time.Time) used {
	return containersOf(p, measured(now))["app"]
}

func TestAContainerStaysWithinItsLimitsAndBelowAnAutoscaler(t *testing.T) {
	for n := range 300 {
		p := runningPod("a", "a", func(p *corev1.Pod) { p.UID = types.UID("uid-" + string(rune('a'+n%26)) + string(rune('a'+n/26))) })
		now := noon.Add(time.Duration(n) * 37 * time.Second)
		u := at(p, now)
		if u.cpu < 5*milli || u.cpu > 70*milli || u.memory < 20*mebi || u.memory > 128*mebi {
			t.Errorf("container %d uses %+v", n, u)
		}
	}
}

func TestFiguresFollowTheWorkload(t *testing.T) {
	usual := runningPod("a", "a", nil)
	busy := runningPod("a", "a", func(p *corev1.Pod) { p.Annotations = map[string]string{kubelet.RateAnnotation: "3000"} })
	busiest := runningPod("a", "a", func(p *corev1.Pod) { p.Annotations = map[string]string{kubelet.RateAnnotation: "20000"} })
	small := runningPod("a", "a", func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = amounts("10m", "16Mi") })
	a, b, c, d := at(usual, noon), at(busy, noon), at(busiest, noon), at(small, noon)
	if b.cpu <= a.cpu+500*milli || b.memory <= a.memory {
		t.Errorf("a busy container uses %+v, a usual one %+v", b, a)
	}
	if c.cpu != 2000*milli {
		t.Errorf("at most the limit: %+v", c)
	}
	if d.cpu >= a.cpu || d.memory >= a.memory {
		t.Errorf("a smaller one uses %+v, not less than %+v", d, a)
	}
	if again := at(usual, noon.Add(2*time.Second)); again != a {
		t.Errorf("within one window: %+v, then %+v", a, again)
	}
	if later := at(usual, noon.Add(2*time.Minute)); later == a {
		t.Error("the figures don't change")
	}
}

func TestOnlyContainersThatRunHaveFigures(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*corev1.Pod)
		want   int
	}{
		"running":  {nil, 1},
		"finished": {func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, 0},
		"waiting":  {func(p *corev1.Pod) { p.Status.ContainerStatuses[0].State.Running = nil }, 0},
		"just started": {func(p *corev1.Pod) {
			p.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.NewTime(noon.Add(-5 * time.Second))
		}, 0},
	} {
		if got := containersOf(runningPod("a", "a", c.change), measured(noon)); len(got) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func ask(t *testing.T, h http.Handler, method, path, accept string, into any) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, root+"/"+Version+path, nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s: %v in %s", path, err, w.Body)
		}
	}
	return w.Code
}

func handlerOf() http.Handler {
	return NewHandler(fake.NewClientset(runningPod("a", "web", nil), runningPod("b", "web", nil), runningPod("c", "db", func(p *corev1.Pod) {
		p.Status.Phase = corev1.PodFailed
	}), node("node-1", corev1.ConditionTrue), node("node-2", corev1.ConditionFalse)), func() time.Time { return noon })
}

func TestListsAndObjects(t *testing.T) {
	h := handlerOf()
	for path, want := range map[string]struct{ code, items int }{
		"/pods":                                 {200, 2},
		"/namespaces/shop/pods":                 {200, 2},
		"/namespaces/other/pods":                {200, 0},
		"/pods?labelSelector=app%3Ddb":          {200, 0},
		"/pods?labelSelector=app%3Dweb":         {200, 2},
		"/pods?fieldSelector=metadata.name%3Da": {200, 1},
		"/pods?fieldSelector=spec.nodeName%3Da": {400, 0},
		"/pods?labelSelector=%28":               {400, 0},
		"/pods?watch=1":                         {405, 0},
		"/nodes":                                {200, 1},
		"/namespaces/shop/pods/a":               {200, 0},
		"/namespaces/shop/pods/c":               {404, 0},
		"/namespaces/shop/pods/none":            {404, 0},
		"/nodes/node-2":                         {404, 0},
		"/nodes/node-1":                         {200, 0},
		"/services":                             {404, 0},
	} {
		var got struct {
			Kind  string
			Items []json.RawMessage
		}
		if code := ask(t, h, http.MethodGet, path, "application/json", &got); code != want.code || len(got.Items) != want.items {
			t.Errorf("%s: %d with %d items of %s", path, code, len(got.Items), got.Kind)
		}
	}
	if code := ask(t, h, http.MethodDelete, "/pods", "*/*", nil); code != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", code)
	}
}

func TestANodeUsesMoreThanItsPods(t *testing.T) {
	h := handlerOf()
	var pods metricsv1beta1.PodMetricsList
	var one metricsv1beta1.NodeMetrics
	ask(t, h, http.MethodGet, "/pods", "*/*", &pods)
	ask(t, h, http.MethodGet, "/nodes/node-1", "*/*", &one)
	sum := resource.Quantity{}
	for _, p := range pods.Items {
		sum.Add(*p.Containers[0].Usage.Memory())
	}
	if sum.IsZero() || one.Usage.Memory().Cmp(sum) <= 0 || one.Window.Duration != Window || !one.Timestamp.Equal(new(metav1.NewTime(measured(noon)))) {
		t.Errorf("%v, pods %v", one, sum.String())
	}
}

func TestATableHasTheColumnsOfTheMetricsServer(t *testing.T) {
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
	for query, object := range map[string]string{"": "PartialObjectMetadata", "?includeObject=Object": "PodMetrics", "?includeObject=None": ""} {
		var got metav1.Table
		if code := ask(t, handlerOf(), http.MethodGet, "/pods"+query, table, &got); code != 200 || got.Kind != "Table" || len(got.Rows) != 2 {
			t.Fatalf("%d %+v", code, got)
		}
		if len(got.ColumnDefinitions) != 4 || got.ColumnDefinitions[1].Name != "cpu" || got.Rows[0].Cells[0] != "a" || got.Rows[0].Cells[3] != "10s" {
			t.Errorf("%+v", got)
		}
		var kind metav1.TypeMeta
		if raw := got.Rows[0].Object.Raw; len(raw) > 0 {
			if err := json.Unmarshal(raw, &kind); err != nil {
				t.Fatal(err)
			}
		}
		if kind.Kind != object {
			t.Errorf("%s: %q", query, kind.Kind)
		}
	}
}
