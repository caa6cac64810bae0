package census

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

var (
	noon        = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	deployments = discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true}
	configmaps  = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}
	widgets     = discovery.Type{Group: "example.org", Version: "v1", Resource: "widgets", Kind: "Widget", Namespaced: true}
)

func newCensus(types ...discovery.Type) *Census { return New(types, served, Usual()) }

func served(apiVersion string) bool { return !strings.HasSuffix(apiVersion, "beta1") }

// by is an entry of managedFields.
func by(manager, how, apiVersion, at, fields string) string {
	operation, subresource, _ := strings.Cut(how, "/")
	return fmt.Sprintf(`{"manager":%s,"operation":%q,"subresource":%q,"apiVersion":%q,"time":%q,"fieldsType":"FieldsV1","fieldsV1":%s}`,
		quoted(manager), operation, subresource, apiVersion, at, fields)
}

func quoted(text string) string {
	raw, _ := json.Marshal(text) // a text can be written
	return string(raw)
}

// item is an item of a list of metadata.
func item(name string, entries ...string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"name":%s,"namespace":"shop","uid":"u","managedFields":[%s]}}`, quoted(name), strings.Join(entries, ","))
}

const (
	lately = "2026-03-02T11:00:00Z"
	before = "2026-01-02T11:00:00Z"
)

func TestManagersTypesAndFields(t *testing.T) {
	c := newCensus(deployments, configmaps)
	c.See(0, item("web",
		by("kustomize-controller", "Apply", "apps/v1", lately, `{"f:spec":{"f:replicas":{},"f:template":{"f:x":{},"f:y":{}}}}`),
		by("hpa", "Update/scale", "apps/v1", before, `{"f:spec":{"f:replicas":{}}}`),
		by("hpa", "Update", "apps/v1", lately, `{"f:metadata":{"f:annotations":{".":{},"f:a":{}}}}`)))
	c.See(1, item("a", by("kustomize-controller", "Apply", "v1", before, `{"f:data":{"f:a":{}}}`)))
	c.See(1, item("b"))
	r := c.Report(noon)
	if len(r.Managers) != 2 || len(r.Cells) != 3 || r.APIVersion != report.APIVersion || r.Kind != report.Kind {
		t.Fatalf("%+v", r)
	}
	flux, hpa := r.Managers[0], r.Managers[1]
	if flux.Name != "kustomize-controller" || flux.Writer != writer.GitOps || flux.Objects != 2 || flux.Fields != 4 || flux.Alone != 1 || flux.Last.Format(time.RFC3339) != lately {
		t.Errorf("%+v", flux)
	}
	if hpa.Objects != 1 || hpa.Fields != 2 || hpa.Alone != 0 || !slices.Equal(hpa.With, []report.With{{Name: "kustomize-controller", Objects: 1, Fields: 1}}) {
		t.Errorf("%+v", hpa)
	}
	if cell := r.Cells[0]; cell.Manager != 0 || cell.Type != 0 || cell.Objects != 1 || cell.Fields != 3 || cell.Shared != 1 {
		t.Errorf("%+v", cell)
	}
	if cell := r.Cells[2]; cell.Manager != 1 || len(cell.Entries) != 2 || cell.Entries[1].Subresource != "scale" || cell.Entries[1].Last.Format(time.RFC3339) != before {
		t.Errorf("%+v", cell)
	}
	if cm := r.Types[1]; cm.Objects != 2 || cm.Unrecorded != 1 || cm.Managed == 0 || cm.Managed >= cm.Bytes {
		t.Errorf("%+v", cm)
	}
	if len(r.Findings) != 0 {
		t.Errorf("%+v", r.Findings)
	}
}

func TestFindings(t *testing.T) {
	const spec = `{"f:spec":{"f:replicas":{}}}`
	flux, argo := by("kustomize-controller", "Apply", "apps/v1", lately, spec), by("argocd-controller", "Apply", "apps/v1", lately, spec)
	var crowd []string
	for i := range 8 {
		crowd = append(crowd, by(fmt.Sprint("m", i), "Update", "v1", lately, `{}`))
	}
	for name, c := range map[string]struct {
		of      discovery.Type
		entries []string
		want    string // problem manager other fields, with commas
	}{
		"by hand":                    {deployments, []string{flux, by("kubectl-edit", "Update", "apps/v1", lately, spec)}, "person kubectl-edit kustomize-controller 1"},
		"by hand, scaled":            {deployments, []string{flux, by("kubectl-scale", "Update/scale", "apps/v1", lately, spec)}, "person kubectl-scale kustomize-controller 1"},
		"nobody applies":             {deployments, []string{by("helm", "Update", "apps/v1", lately, spec), by("kubectl-edit", "Update", "apps/v1", lately, spec)}, ""},
		"only its status":            {deployments, []string{by("helm-controller", "Update/status", "apps/v1", lately, `{"f:status":{"f:a":{}}}`), by("kubectl-edit", "Update", "apps/v1", lately, spec)}, ""},
		"two tools":                  {deployments, []string{flux, argo}, "two-gitops argocd-controller kustomize-controller 1"},
		"one tool by two names":      {deployments, []string{by("argocd-application-controller", "Update", "apps/v1", lately, spec), argo}, ""},
		"its own object's finalizer": {deployments, []string{flux, by("helm-controller", "Update", "apps/v1", lately, `{"f:metadata":{"f:finalizers":{"v:\"f\"":{}}}}`)}, ""},
		"version that is gone":       {widgets, []string{by("old", "Update", "example.org/v1beta1", before, spec), by("new", "Update", "example.org/v1", lately, spec)}, "unappliable old  1, silent old  1"},
		"built-in version":           {deployments, []string{by("old", "Update", "apps/v1beta1", lately, spec)}, ""},
		"crowded":                    {configmaps, crowd, "crowded   0"},
		"less crowded":               {configmaps, crowd[1:], ""},
		"merged":                     {configmaps, []string{by("ancient-changes", "Update", "v1", before, spec)}, "crowded   0"},
		"terraform updates":          {deployments, []string{by("HashiCorp", "Update", "apps/v1", lately, spec)}, "unstated HashiCorp  1"},
		"terraform applies":          {deployments, []string{by("Terraform", "Apply", "apps/v1", lately, spec)}, ""},
		"silent":                     {deployments, []string{by("robot", "Update", "apps/v1", before, spec), by("other", "Update", "apps/v1", lately, spec)}, "silent robot  1"},
		"a person rests":             {deployments, []string{by("kubectl-edit", "Update", "apps/v1", before, spec), by("other", "Update", "apps/v1", lately, spec)}, ""},
		"all are silent":             {deployments, []string{by("robot", "Update", "apps/v1", before, spec)}, ""},
		"no times":                   {deployments, []string{by("robot", "Update", "apps/v1", "", spec), by("other", "Update", "apps/v1", lately, spec)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := newCensus(c.of)
			all.See(0, item("web", c.entries...))
			var got []string
			for _, f := range all.Report(noon).Findings {
				got = append(got, fmt.Sprintf("%s %s %s %d", f.Problem, f.Manager, f.Other, f.Fields))
				if f.Objects != 1 || f.Why == "" || strings.Count(f.Why, ". ") > 0 || !strings.HasSuffix(f.Why, ".") {
					t.Errorf("%+v", f)
				}
				if f.Problem != report.Silent && (len(f.Samples) != 1 || !strings.HasSuffix(f.Samples[0].Path, "/namespaces/shop/"+c.of.Resource+"/web")) {
					t.Errorf("samples %+v", f.Samples)
				}
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}

func TestTheWaysOutOfAnUnappliableObject(t *testing.T) {
	c := newCensus(widgets)
	c.See(0, item("-w", by("new", "Update", "example.org/v1", lately, `{}`), by("it's old", "Update", "example.org/v1beta1", before, `{}`)))
	f := c.Report(noon).Findings[0]
	if len(f.Ways) != 2 || f.APIVersion != "example.org/v1beta1" || !strings.Contains(f.Why, "on 2026-01-02") {
		t.Fatalf("%+v", f)
	}
	if text := f.Ways[0].Text; !strings.Contains(text, "kubectl edit customresourcedefinition widgets.example.org") {
		t.Error(text)
	}
	for _, part := range []string{"kubectl patch widgets.v1.example.org", "-n shop", "/metadata/managedFields/1/manager", `it'\''s old`, `{"op":"remove","path":"/metadata/managedFields/1"}`} {
		if text := f.Ways[1].Text; !strings.Contains(text, part) {
			t.Errorf("%s isn't in %s", part, text)
		}
	}
}

func TestMetadataThatIsMostlyManagedFields(t *testing.T) {
	c := newCensus(configmaps)
	for i := range 600 {
		c.See(0, item(fmt.Sprint("c", i), by("m", "Update", "v1", lately, `{"f:data":{"f:`+strings.Repeat("x", 2000)+`":{}}}`)))
	}
	if f := c.Report(noon).Findings; len(f) != 1 || f[0].Problem != report.Heavy || f[0].Type != "configmaps" || f[0].Objects != 600 {
		t.Errorf("%+v", f)
	}
}

func TestSamplesAreTheFirstByPath(t *testing.T) {
	c := newCensus(widgets)
	for i := range 40 {
		c.See(0, item(fmt.Sprintf("w%02d", (i*7)%40), by("old", "Update", "example.org/v1beta1", lately, `{"f:a":{},"f:b":{},"f:c":{},"f:d":{},"f:e":{},"f:f":{}}`)))
	}
	f := c.Report(noon).Findings[0]
	if f.Objects != 40 || f.Fields != 240 || len(f.Samples) != report.MostSamples || !strings.HasSuffix(f.Samples[9].Path, "w09") || len(f.Samples[0].Fields) != report.MostFields {
		t.Errorf("%+v", f)
	}
}

// random objects, with managers that meet often.
func random(r *rand.Rand) []byte {
	names := []string{"kubectl-edit", "argocd-controller", "kustomize-controller", "HashiCorp", "m", "", "ancient-changes"}
	fields := []string{`{"f:spec":{"f:a":{}}}`, `{"f:spec":{"f:a":{},"f:b":{".":{},"k:{\"n\":1}":{}}}}`, `{"f:status":{"f:s":{}}}`, `{}`, `null`, `7`}
	var entries []string
	for range r.IntN(6) {
		entries = append(entries, by(names[r.IntN(len(names))], [...]string{"Apply", "Update", "Update/status"}[r.IntN(3)],
			[...]string{"v1", "example.org/v1beta1"}[r.IntN(2)], [...]string{lately, before, "", "never"}[r.IntN(4)], fields[r.IntN(len(fields))]))
	}
	return item(fmt.Sprint("o", r.IntN(1000)), entries...)
}

func TestMergedSumsAreThoseOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	whole, one, two := newCensus(widgets, configmaps), newCensus(widgets, configmaps), newCensus(widgets, configmaps)
	for i := range 400 {
		o := random(r)
		whole.See(i%2, o)
		[]*Census{one, two}[r.IntN(2)].See(i%2, o)
	}
	one.Merge(two)
	if got, want := one.Report(noon), whole.Report(noon); !reflect.DeepEqual(untied(got), untied(want)) {
		t.Errorf("\n%+v, want\n%+v", got, want)
	}
}

// untied leaves out the fields of samples, because several objects of the test have one name.
func untied(r report.Report) report.Report {
	for i := range r.Findings {
		r.Findings[i].Ways = nil
		for k := range r.Findings[i].Samples {
			r.Findings[i].Samples[k].Fields = nil
		}
	}
	return r
}

func TestATypeThatBeginsAgainCountsOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c, once := newCensus(widgets, configmaps), newCensus(widgets, configmaps)
	for range 50 {
		c.See(0, random(r))
	}
	c.Reset(0)
	for range 50 {
		o := random(r)
		c.See(0, o)
		once.See(0, o)
	}
	if got, want := c.Report(noon), once.Report(noon); !reflect.DeepEqual(got, want) || c.cells != once.cells || c.pairs != once.pairs || c.findings != once.findings {
		t.Errorf("\n%+v, want\n%+v", got, want)
	}
}

func TestExhaustion_ManagersAreFolded(t *testing.T) {
	bounds := Bounds{Managers: 20, Cells: 30, Pairs: 10, Findings: 5}
	c := New([]discovery.Type{widgets, configmaps}, served, bounds)
	for i := range 10_000 {
		c.See(i%2, item("o", by(fmt.Sprint("terraform-", i), "Update", "v1", lately, `{"f:a":{}}`), by(fmt.Sprint("m-", i), "Update", fmt.Sprint("v", i), lately, `{"f:a":{}}`)))
	}
	r := c.Report(noon)
	last := r.Managers[len(r.Managers)-1]
	if len(r.Managers) != 21 || !last.Others || last.Name != "" || r.Folded != 20_000-20 || last.Fields != 20_000-20 {
		t.Errorf("%d managers, %d folded, the last %+v", len(r.Managers), r.Folded, last)
	}
	if len(c.parts[0].pairs)+len(c.parts[1].pairs) > 10 || c.cells > 32 || len(r.Findings) > 5+2 || r.Unkept == 0 {
		t.Errorf("%d cells, %d pairs, %d findings, %d had no room", c.cells, c.pairs, len(r.Findings), r.Unkept)
	}
	for _, its := range r.Cells { // two of the findings are about types, which have a bound of their own
		if len(its.Entries) > mostEntries+1 {
			t.Errorf("%d entries", len(its.Entries))
		}
	}
}

func TestMemoryDoesNotGrowWithObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	c := newCensus(configmaps)
	see := func(n int) {
		for i := range n {
			c.See(0, item(fmt.Sprint("object-", i), by("a", "Update", "v1", lately, `{"f:a":{}}`), by("b", "Apply", "v1", lately, `{"f:a":{}}`)))
		}
	}
	see(1000)
	begun := heap()
	see(40_000)
	if took := heap() - begun; took > 1<<20 {
		t.Errorf("%d kB are kept", took>>10)
	}
	runtime.KeepAlive(c)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestNonsenseIsCounted(t *testing.T) {
	c := newCensus(configmaps)
	nonsense := []string{``, `{`, `[]`, `{"metadata":{}}`, `{"metadata":{"name":"a"}`, `{"metadata":"a"}`, `null`}
	for _, raw := range nonsense {
		c.See(0, []byte(raw))
	}
	for _, managed := range []string{`7`, `[7]`, `[{}]`, `[{"manager":{},"fieldsV1":[]}]`, `[{"manager":"` + strings.Repeat("é", 128) + `"}]`, `null`} {
		c.See(0, []byte(`{"metadata":{"name":"a","managedFields":`+managed+`}}`))
	}
	r := c.Report(noon)
	if r.Types[0].Unreadable != len(nonsense) || r.Types[0].Objects != 6 || r.Types[0].Unrecorded != 2 {
		t.Errorf("%+v", r.Types[0])
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func FuzzSee(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		f.Add(random(r))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := newCensus(widgets)
		c.See(0, raw)
		c.See(0, raw)
		again := newCensus(widgets)
		again.Merge(c)
		if _, err := json.Marshal(again.Report(noon)); err != nil {
			t.Error(err)
		}
	})
}

// An object of usual size costs this much.
func BenchmarkSee(b *testing.B) {
	const fields = `{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{}}}}}}}`
	o := item("web", by("kustomize-controller", "Apply", "apps/v1", lately, fields), by("kubectl-edit", "Update", "apps/v1", lately, fields), by("hpa", "Update/scale", "apps/v1", lately, `{"f:spec":{"f:replicas":{}}}`))
	c := newCensus(deployments)
	b.SetBytes(int64(len(o)))
	b.ReportAllocs()
	for b.Loop() {
		c.See(0, o)
	}
}
