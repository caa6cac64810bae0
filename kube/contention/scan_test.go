package contention

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

var (
	deployments = discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true}
	configmaps  = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}
	secrets     = discovery.Type{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true}
)

func newScan(types ...discovery.Type) *Scan {
	return New(types, func(v string) bool { return v == "v1" || v == "apps/v1" }, Usual())
}

// entry of managedFields.
func managed(manager, operation, subresource, apiVersion, at, fields string) string {
	return fmt.Sprintf(`{"manager":%q,"operation":%q,"subresource":%q,"apiVersion":%q,"time":%q,"fieldsType":"FieldsV1","fieldsV1":%s}`,
		manager, operation, subresource, apiVersion, at, fields)
}

// deployment is a version of one, with a number of replicas that belongs to somebody.
func deployment(version, replicas int, entries ...string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"contested","namespace":"contest","uid":"u1","resourceVersion":"%d","managedFields":[%s]},"spec":{"replicas":%d,"paused":false}}`,
		version, strings.Join(entries, ","), replicas)
}

func byGitops(at string) string {
	return managed("gitops", "Apply", "", "apps/v1", at, `{"f:spec":{"f:paused":{},"f:replicas":{}}}`)
}

func withoutReplicas(at string) string {
	return managed("gitops", "Apply", "", "apps/v1", at, `{"f:spec":{"f:paused":{}}}`)
}

func byAutoscaler(at string) string {
	return managed("autoscaler", "Update", "scale", "apps/v1", at, `{"f:spec":{"f:replicas":{}}}`)
}

// fightOver lets the two write in turn.
func fightOver(s *Scan, writes int) {
	for i := range writes {
		at := noon.Add(time.Duration(i) * 3 * time.Second)
		text := at.Format(time.RFC3339)
		raw := deployment(i+1, 3, byGitops(text))
		if i%2 == 1 {
			raw = deployment(i+1, 5, withoutReplicas(text), byAutoscaler(text))
		}
		s.See(0, raw, i == 0, at)
	}
}

func TestAFightIsFoundWithBothManagers(t *testing.T) {
	s := newScan(deployments)
	fightOver(s, 12)
	r := s.Report(noon.Add(time.Minute))
	if r.Fights.All != 1 {
		t.Fatalf("%d fights: %+v", r.Fights.All, r.Fights.Rows)
	}
	f := r.Fights.Rows[0]
	var names []string
	for _, m := range f.Managers {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	if f.Path != ".spec.replicas" || f.Count != 9 || f.Period != 6*time.Second || !slices.Equal(names, []string{"autoscaler", "gitops"}) {
		t.Errorf("%+v", f)
	}
	if want := "/apis/apps/v1/namespaces/contest/deployments/contested"; f.Object.Path != want || f.Object.Kind != "Deployment" {
		t.Errorf("it is told of %+v", f.Object)
	}
	if f.Values != [2]string{"3", "5"} {
		t.Errorf("values %q", f.Values)
	}
	if r.Takings.All != 1 || r.Takings.Rows[0].By.Name != "gitops" || r.Takings.Rows[0].From[0].Name != "autoscaler" || r.Takings.Rows[0].Count != 5 {
		t.Errorf("taken by force: %+v", r.Takings)
	}
	if r.Objects != 1 || r.Events != 11 || r.Followed != 1 {
		t.Errorf("%d objects, %d events, %d followed", r.Objects, r.Events, r.Followed)
	}
}

func TestNobodyFightsWhoCountsAlone(t *testing.T) {
	s := newScan(deployments)
	for i := range 9 {
		text := noon.Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		s.See(0, deployment(i+1, i%2, byGitops(text)), i == 0, noon)
	}
	if r := s.Report(noon); r.Fights.All != 0 || r.Takings.All != 0 || r.Rewrites.All != 0 {
		t.Errorf("%+v", r)
	}
}

func TestAnObjectWrittenForNothingIsFound(t *testing.T) {
	for name, entries := range map[string]func(i int) string{
		"as it is":          func(int) string { return byGitops("2026-01-02T12:00:00Z") },
		"with another time": func(i int) string { return byGitops(noon.Add(time.Duration(i) * time.Second).Format(time.RFC3339)) },
		"written by nobody": func(int) string { return "" },
	} {
		s := newScan(deployments)
		for i := range 6 {
			s.See(0, deployment(i+1, 3, entries(i)), i == 0, noon)
		}
		r := s.Report(noon)
		if r.Rewrites.All != 1 || r.Rewrites.Rows[0].Count != 5 || r.Followed != 0 {
			t.Errorf("%s: %+v, %d followed", name, r.Rewrites, r.Followed)
		}
	}
}

func TestAnEventThatIsTheListsOwnVersionIsNoWrite(t *testing.T) {
	s := newScan(configmaps)
	s.See(0, []byte(`{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"1"},"data":{"a":"b"}}`), true, noon)
	s.See(0, []byte(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"1"},"data":{"a":"b"}}`), false, noon)
	s.See(0, []byte(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"2"},"data":{"a":"b"}}`), false, noon)
	r := s.Report(noon)
	if r.Rewrites.All != 1 || r.Rewrites.Rows[0].Count != 1 || r.Followed != 0 {
		t.Errorf("%+v", r.Rewrites)
	}
}

func TestWhatIsTakenWithoutForceIsNotSaidToBe(t *testing.T) {
	s := newScan(deployments)
	versions := []string{
		deploymentOf(3, byAutoscaler("2026-01-02T12:00:00Z")),
		deploymentOf(4, byAutoscaler("2026-01-02T12:00:01Z")),
		deploymentOf(4, byAutoscaler("2026-01-02T12:00:01Z"), byGitops("2026-01-02T12:00:02Z")),        // shares the value
		deploymentOf(4, byGitops("2026-01-02T12:00:02Z")),                                              // the other gave it up
		deploymentOf(7, byGitops("2026-01-02T12:00:04Z")),                                              // its own
		deploymentOf(8, withoutReplicas("2026-01-02T12:00:04Z"), byAutoscaler("2026-01-02T12:00:05Z")), // an Update takes what it likes
	}
	for i, v := range versions {
		s.See(0, []byte(strings.Replace(v, `"resourceVersion":"0"`, fmt.Sprintf(`"resourceVersion":"%d"`, i+1), 1)), i == 0, noon)
	}
	if r := s.Report(noon); r.Takings.All != 0 {
		t.Errorf("%+v", r.Takings)
	}
}

func deploymentOf(replicas int, entries ...string) string {
	return string(deployment(0, replicas, entries...))
}

func TestRecordsThatAreOldOrCrowded(t *testing.T) {
	s := newScan(configmaps)
	at := noon.Format(time.RFC3339)
	var ten []string
	for i := range 9 {
		ten = append(ten, managed(fmt.Sprint("m", i), "Update", "", "v1", at, `{"f:data":{}}`))
	}
	object := func(name string, entries ...string) []byte {
		return fmt.Appendf(nil, `{"metadata":{"name":%q,"namespace":"n","uid":%q,"resourceVersion":"1","managedFields":[%s]}}`, name, name, strings.Join(entries, ","))
	}
	s.See(0, object("few", ten[:7]...), true, noon)
	s.See(0, object("many", ten...), true, noon)
	s.See(0, object("merged", managed("ancient-changes", "Update", "", "v1", at, `{}`)), true, noon)
	s.See(0, object("old", managed("m", "Update", "", "autoscaling/v2beta2", at, `{}`)), true, noon)
	s.See(0, object("older", managed("m", "Update", "", "autoscaling/v2beta2", at, `{}`)), true, noon)
	r := s.Report(noon)
	if len(r.Crowded.Rows) != 2 || r.Crowded.Rows[0].Object.Name != "merged" || r.Crowded.Rows[1].Updates != 9 {
		t.Errorf("crowded: %+v", r.Crowded)
	}
	if len(r.Foreign.Rows) != 1 || r.Foreign.Rows[0].Objects != 2 || r.Foreign.Rows[0].Example.Name != "old" {
		t.Errorf("foreign: %+v", r.Foreign)
	}
	if r.Managed == 0 || r.Managed >= r.Bytes || r.Types[0].Objects != 5 {
		t.Errorf("%d of %d bytes; %+v", r.Managed, r.Bytes, r.Types)
	}
}

func TestWhatIsGoneIsForgottenUnlessSomethingWasFound(t *testing.T) {
	s := newScan(deployments, configmaps)
	s.Begin(0)
	s.Begin(1)
	fightOver(s, 12)
	s.See(1, []byte(`{"metadata":{"name":"a","uid":"a","resourceVersion":"1"}}`), true, noon)
	s.See(1, []byte(`{"metadata":{"name":"b","uid":"b","resourceVersion":"1"}}`), true, noon)
	s.Delete(1, []byte(`{"metadata":{"name":"a","uid":"a","resourceVersion":"2"}}`), noon)
	s.Begin(1)
	s.Whole(1) // b was not in it
	s.Begin(0)
	s.Whole(0)
	r := s.Report(noon)
	if r.Objects != 0 || r.Bytes != 0 || len(s.objects) != 1 || s.weight != 0 {
		t.Errorf("%d objects of %d bytes, %d kept, histories of %d", r.Objects, r.Bytes, len(s.objects), s.weight)
	}
	if r.Fights.All != 1 || !r.Fights.Rows[0].Object.Gone || r.Fights.Rows[0].Count != 9 {
		t.Errorf("%+v", r.Fights)
	}
}

func TestOfASecretNothingIsKeptButWhoAndWhere(t *testing.T) {
	s := newScan(secrets)
	const one, other = "aHVudGVyMg==", "c3dvcmRmaXNo"
	for i := range 8 {
		at := noon.Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		value, manager := one, "rotator"
		if i%2 == 1 {
			value, manager = other, "gitops"
		}
		s.See(0, fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"%d","annotations":{"last":%q},"managedFields":[%s]},"data":{"password":%q}}`,
			i, value, managed(manager, "Update", "", "v1", at, `{"f:data":{"f:password":{}},"f:metadata":{"f:annotations":{"f:last":{}}}}`), value), i == 0, noon)
	}
	r := s.Report(noon)
	if r.Fights.All != 2 || r.Fights.Rows[0].Path != ".data.password" || r.Fights.Rows[0].Values != [2]string{} || len(r.Fights.Rows[0].Managers) != 2 {
		t.Fatalf("%+v", r.Fights)
	}
	told, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	kept := fmt.Sprintf("%+v %+v", s.objects["u"].pursuit.history.Steps(), s.objects["u"].pursuit.history.Flips())
	for _, v := range []string{one, other} {
		if strings.Contains(string(told), v) || strings.Contains(kept, v) {
			t.Errorf("%s is kept", v)
		}
	}
}

func TestObjectsThatTwoGroupsShowCountOnce(t *testing.T) {
	s := newScan(discovery.Type{Version: "v1", Resource: "events"}, discovery.Type{Group: "events.k8s.io", Version: "v1", Resource: "events"})
	for k := range 2 {
		s.See(k, []byte(`{"metadata":{"name":"a","uid":"a","resourceVersion":"1"}}`), true, noon)
		s.See(k, []byte(`{"metadata":{"name":"a","uid":"a","resourceVersion":"2"},"count":2}`), false, noon)
	}
	if r := s.Report(noon); r.Objects != 1 || r.Events != 1 {
		t.Errorf("%d objects, %d events", r.Objects, r.Events)
	}
}

func TestNonsenseIsCounted(t *testing.T) {
	s := newScan(configmaps)
	for _, raw := range []string{``, `{`, `[]`, `{"metadata":{}}`, `{"metadata":{"name":"a"}`, `{"metadata":"a"}`, `null`} {
		s.See(0, []byte(raw), false, noon)
		s.Delete(0, []byte(raw), noon)
	}
	if r := s.Report(noon); r.Dropped.Unreadable != 14 || r.Objects != 0 {
		t.Errorf("%+v", r.Dropped)
	}
}

// What a scan keeps stays within its bounds, however much happens, and what it had to drop is counted.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	bounds := Bounds{Objects: 2000, Histories: 4 << 20, Findings: 50}
	s := New([]discovery.Type{configmaps}, func(string) bool { return true }, bounds)
	begun := heap()
	const fields = `{"f:data":{"f:field-0":{},"f:field-1":{},"f:field-2":{},"f:field-3":{},"f:field-4":{}}}`
	for i := range 24_000 {
		uid, turn := 2000+i/2%1500, 0
		if i%2 == 0 { // some of which are fought over, and then others
			uid, turn = i/4800*150+i/2%150, i/300
		}
		var data []string
		for f := range 5 {
			data = append(data, fmt.Sprintf(`"field-%d":%q`, f, strings.Repeat(fmt.Sprint((turn+f)%2), 60)))
		}
		raw := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%d","namespace":"n","uid":"%d","resourceVersion":"%d","generation":%d,"managedFields":[%s]},"data":{%s}}`,
			uid, uid, i, i, managed(fmt.Sprint("manager-", turn%2), "Update", "", fmt.Sprint("v", i/10), "2026-01-02T12:00:00Z", fields), strings.Join(data, ","))
		if i%97 == 0 {
			s.Delete(0, raw, noon)
			continue
		}
		s.See(0, raw, false, noon)
		if len(s.objects) > bounds.Objects+bounds.Findings || s.weight > bounds.Histories || s.findings > bounds.Findings || len(s.managers) > maxManagers {
			t.Fatalf("after %d events: %d objects, histories of %d bytes, %d findings", i, len(s.objects), s.weight, s.findings)
		}
	}
	r := s.Report(noon)
	if r.Dropped.Objects == 0 || r.Dropped.Histories == 0 || r.Dropped.Findings == 0 {
		t.Errorf("what was dropped is not told: %+v", r.Dropped)
	}
	if took := heap() - begun; took > 12<<20 {
		t.Errorf("%d MiB are kept, of which histories reckon %d", took>>20, s.weight>>20)
	} else {
		t.Logf("%d KiB, of which histories reckon %d", took>>10, s.weight>>10)
	}
	runtime.KeepAlive(s)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestManagersOfTheSameNameAreTold(t *testing.T) {
	c := readClaims(newScan().seed, []byte("["+byGitops("2026-01-02T12:00:00Z")+","+byAutoscaler("2026-01-02T12:00:01Z")+"]"))
	if got := c.latest(); got != (ownership.Manager{Name: "autoscaler", Operation: "Update", Subresource: "scale", APIVersion: "apps/v1"}) {
		t.Errorf("%+v", got)
	}
}

// A write costs this much: most change nothing that a scan would look into, or an object of some size.
func BenchmarkSee(b *testing.B) {
	large := func(i int) []byte {
		var data []string
		for f := range 40 {
			data = append(data, fmt.Sprintf(`"field-%d":%q`, f, strings.Repeat("x", 40)))
		}
		data[0] = fmt.Sprintf(`"field-0":"%d"`, i%2)
		return fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"n","uid":"u","resourceVersion":"%d","managedFields":[%s]},"data":{%s}}`,
			i, managed("m", "Update", "", "v1", "2026-01-02T12:00:00Z", `{"f:data":{"f:field-0":{},"f:field-1":{},"f:field-2":{}}}`), strings.Join(data, ","))
	}
	for name, step := range map[string]int{"rewritten": 2, "changed": 1} {
		b.Run(name, func(b *testing.B) {
			s := newScan(configmaps)
			var versions [][]byte
			for i := range 64 {
				versions = append(versions, large(i*step))
			}
			b.SetBytes(int64(len(versions[0])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.See(0, versions[i%len(versions)], false, noon)
			}
		})
	}
}

// What a scan keeps of an object holds no secret, of whatever type it says that it is.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		s := newScan(secrets)
		for i := range 4 {
			raw := strings.ReplaceAll(d.JSON, `"resourceVersion":"7"`, fmt.Sprintf(`"resourceVersion":"%d"`, i))
			if i%2 == 1 {
				raw = strings.NewReplacer(canary.Song, "another", canary.Coded, "YW5vdGhlcg==").Replace(raw)
			}
			s.See(0, []byte(raw), i == 0, noon)
		}
		kept := fmt.Sprintf("%+v", s.Report(noon))
		for _, e := range s.objects {
			if e.pursuit != nil {
				kept += fmt.Sprintf("%+v %+v %+v", e.pursuit.history, e.pursuit.history.Steps(), e.pursuit.history.Flips())
			}
		}
		if canary.Escapes(kept) {
			t.Errorf("%s: %s", d.Name, kept)
		}
	}
}
