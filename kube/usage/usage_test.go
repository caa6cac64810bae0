package usage

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestQuantities(t *testing.T) {
	for text, want := range map[string]float64{
		"250m": 0.25, "1": 1, "1.5": 1.5, "0": 0, "128Mi": 128 << 20, "1Ki": 1024, "20322428n": 0.020322428, "7u": 7e-6, "1e3": 1000, "1E3": 1000,
		"2k": 2000, "3M": 3e6, "1G": 1e9, "1E": 1e18, "1Ei": 1 << 60, "-5m": -0.005, "+1": 1, ".5Gi": 1 << 29, "12E": 12e18,
	} {
		if got, ok := Quantity(text); !ok || math.Abs(got-want) > math.Abs(want)*1e-12 {
			t.Errorf("%s: %v %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "m", "Mi", "1 Mi", "1mi", "0x10", "inf", "NaN", "1_000", "1e999", "1e308Ei", "--1", "1..5", "Mi1", strings.Repeat("9", 65), "½"} {
		if got, ok := Quantity(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func FuzzQuantity(f *testing.F) {
	for _, text := range []string{"250m", "1.5", "128Mi", "1e3", "-1E", "12e-3Ki"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Quantity(text)
		if !ok {
			return
		}
		if math.IsInf(got, 0) || math.IsNaN(got) {
			t.Errorf("%q is read as %v", text, got)
		}
		if again, ok := Quantity(CPU(got)); got >= 0 && got < 1e6 && (!ok || again < got-1e-6 || again > got+0.001001) {
			t.Errorf("%q is written as %s", text, CPU(got))
		}
	})
}

func TestFiguresAreWrittenAsKubectlTopDoes(t *testing.T) {
	for processors, want := range map[float64]string{0: "0m", 0.25: "250m", 0.0203: "21m", 0.0001: "1m", 1.5: "1500m", 0.1 + 0.2: "300m"} {
		if got := CPU(processors); got != want {
			t.Errorf("%v: %s, want %s", processors, got, want)
		}
	}
	for bytes, want := range map[float64]string{0: "0Mi", 128 << 20: "128Mi", 1<<21 - 1: "1Mi"} {
		if got := Memory(bytes); got != want {
			t.Errorf("%v: %s, want %s", bytes, got, want)
		}
	}
}

const podMetrics = `{"kind":"PodMetrics","metadata":{"name":"web","namespace":"shop"},"timestamp":"2026-11-24T01:00:10Z","window":"17.5s",
	"containers":[{"name":"app","usage":{"cpu":"20322428n","memory":"64Mi"}},{"name":"proxy","usage":{"cpu":"1m","memory":1048576}}]}`

func TestFiguresOfAPodAreTheSumOfItsContainers(t *testing.T) {
	got, err := Parse([]byte(podMetrics))
	if err != nil {
		t.Fatal(err)
	}
	if got.Namespace != "shop" || got.Name != "web" || got.Window != 17500*time.Millisecond || got.At.Second() != 10 || len(got.Containers) != 2 {
		t.Errorf("%+v", got)
	}
	if math.Abs(got.Usage.CPU-0.021322428) > 1e-12 || got.Usage.Memory != 65<<20 {
		t.Errorf("%+v", got.Usage)
	}
	list, err := ParseList([]byte(`{"kind":"NodeMetricsList","items":[{"metadata":{"name":"node-1"},"timestamp":null,"window":"?","usage":{"cpu":"197m","memory":"796Mi","pods":"strange"}}]}`))
	if err != nil || len(list) != 1 || list[0].Usage != (Amount{0.197, 796 << 20}) || list[0].Window != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestOtherDocumentsAreRefused(t *testing.T) {
	for _, text := range []string{"", "{", `{"kind":"Status","code":503}`, `{"kind":"PodMetrics","containers":3}`, `{"kind":"PodMetrics","timestamp":"noon"}`} {
		if got, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
		if got, err := ParseList([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestBoundsOfPods(t *testing.T) {
	const both = `{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"cpu":1,"memory":"256Mi"}}`
	for name, c := range map[string]struct {
		containers, init string
		want             Bounds
		count            int
	}{
		"both":           {`{"name":"a","resources":` + both + `}`, "", Bounds{Amount{0.1, 128 << 20}, Amount{1, 256 << 20}}, 1},
		"none":           {`{"name":"a"}`, "", Bounds{}, 1},
		"one has none":   {`{"name":"a","resources":` + both + `},{"name":"b"}`, "", Bounds{Request: Amount{0.1, 128 << 20}}, 2},
		"init container": {`{"name":"a"}`, `{"name":"i","resources":` + both + `}`, Bounds{}, 1},
		"sidecar": {
			`{"name":"a","resources":` + both + `}`, `{"name":"i","restartPolicy":"Always","resources":` + both + `}`,
			Bounds{Amount{0.2, 256 << 20}, Amount{2, 512 << 20}},
			2,
		},
	} {
		got, err := ParseSubject([]byte(`{"metadata":{"name":"p"},"spec":{"containers":[` + c.containers + `],"initContainers":[` + c.init + `]}}`))
		if err != nil || got.Bounds != c.want || len(got.Containers) != c.count {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

func TestStatesOfContainers(t *testing.T) {
	got, err := ParseSubject([]byte(`{"spec":{"nodeName":"node-1","containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]},"status":{"phase":"Running","containerStatuses":[
		{"name":"a","state":{"running":{"startedAt":"2026-11-24T01:00:10Z"}},"lastState":{"terminated":{"reason":"OOMKilled"}}},
		{"name":"b","state":{"waiting":{"reason":"CrashLoopBackOff"}}},
		{"name":"c","state":{"terminated":{"reason":"Completed"}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	states := []string{}
	for _, c := range got.Containers {
		states = append(states, c.State)
	}
	if strings.Join(states, ",") != "running,CrashLoopBackOff,Completed," || !got.Containers[0].Killed || got.Containers[1].Killed {
		t.Errorf("%+v", got)
	}
}

func TestANodeIsBoundByWhatItHas(t *testing.T) {
	got, next, err := ParseSubjects([]byte(`{"metadata":{"continue":"more"},"items":[{"metadata":{"name":"node-1"},"status":{"allocatable":{"cpu":"16","memory":"64Gi","pods":"5000"}}}]}`))
	if err != nil || next != "more" || len(got) != 1 || got[0].Bounds != (Bounds{Limit: Amount{16, 64 << 30}}) {
		t.Errorf("%+v %q %v", got, next, err)
	}
}
