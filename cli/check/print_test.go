package check

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

func found() result {
	web, other := check.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}, check.Object{APIVersion: "v1", Kind: "ConfigMap", Name: "a|b\x1b[31m"}
	ada := []ownership.Owner{{Manager: manager.Manager{Name: "ada", Operation: manager.Apply}}}
	findings := []check.Finding{
		{Kind: check.Conflict, Object: web, Path: ".spec.replicas", File: "web.yaml", Line: 7, Live: []byte("3"), Stated: []byte("5"), Owners: ada, Why: "ada owns it.", Ways: []check.Way{{Way: check.WayOverwrite, Text: "kubectl apply\n--force-conflicts\n"}}},
		{Kind: check.Created, Object: other, File: "x.yaml", Line: 1, Why: "There is none."},
		{Kind: check.Extra, Object: web, Path: ".metadata.labels.x", File: "web.yaml", Line: 3, Live: []byte(`"` + strings.Repeat("x", 300) + `"`), Why: "ben put it there."},
		{Kind: check.Extra, Object: web, Path: ".status", File: "web.yaml", Why: "The controller.", Expected: &check.Excuse{Reason: "it always does"}},
	}
	return result{Report: Report{Report: check.ReportOf("helm", 2, findings)}}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := printText(&b, found()); err != nil {
		t.Fatal(err)
	}
	const want = `Deployment shop/web
  conflict  .spec.replicas  (web.yaml:7)
            ada owns it.
            live 3, manifest 5
  extra     .metadata.labels.x  (web.yaml:3)
            ben put it there.
            live "LONG…, manifest nothing

ConfigMap a|b·[31m
  created     (x.yaml:1)
            There is none.

2 documents: 1 conflict, 1 extra, 1 created; 1 expected
`
	if got := b.String(); got != strings.Replace(want, "LONG", strings.Repeat("x", 199), 1) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	b.Reset()
	all := found()
	all.ways, all.all = true, true
	if err := printText(&b, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"            overwrite:\n                kubectl apply\n                --force-conflicts\n", "  extra     .status  (web.yaml)\n", "expected: it always does\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
}

// What is the same for several fields or objects is said once.
func TestTheSameIsSaidOnce(t *testing.T) {
	r := found()
	for _, path := range []string{".spec.a", ".spec.b"} {
		f := r.Findings[0]
		f.Path, f.Line, f.Stated = path, 9, nil
		r.Findings = append(r.Findings, f)
	}
	for _, object := range []string{"api", "job"} {
		f := r.Findings[3]
		f.Object = check.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: object}
		f.File, f.Folder, f.Line = "over", "over", 0
		r.Findings = append(r.Findings, f)
	}
	r.Report.Report = check.ReportOf("helm", 2, r.Findings)
	var b, md bytes.Buffer
	if printText(&b, r) != nil || markdown(&md, r) != nil {
		t.Fatal("not printed")
	}
	const want = `Deployment shop/web
  conflict  3 findings
            ada owns it.
            - .spec.replicas  (web.yaml:7): live 3, manifest 5
            - .spec.a  (web.yaml:9): live 3, manifest nothing
            - .spec.b  (web.yaml:9): live 3, manifest nothing
  extra     .metadata.labels.x  (web.yaml:3)
            ben put it there.
            live "LONG…, manifest nothing

3 objects
  created   3 findings
            There is none.
            - ConfigMap a|b·[31m  (x.yaml:1)
            - Deployment shop/api  (kustomization over)
            - Deployment shop/job  (kustomization over)

2 documents: 3 conflict, 1 extra, 3 created; 1 expected
`
	if got := b.String(); got != strings.Replace(want, "LONG", strings.Repeat("x", 199), 1) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, row := range []string{"| conflict | Deployment shop/web | .spec.replicas<br>.spec.a<br>.spec.b | ada owns it. |\n", `| created | ConfigMap a\|b·\[31m<br>Deployment shop/api<br>Deployment shop/job |  | There is none. |` + "\n"} {
		if !strings.Contains(md.String(), row) {
			t.Errorf("%s is not in\n%s", row, &md)
		}
	}
	r.ways = true
	b.Reset()
	if err := printText(&b, r); err != nil || strings.Count(b.String(), "            overwrite:\n") != 3 {
		t.Errorf("%v\n%s", err, &b)
	}
}

// Every output says which ways out no dry run tried.
func TestWaysThatWereNotTriedAreMarked(t *testing.T) {
	for form, want := range map[string]string{
		"text": "\n            correct (not tried):\n", "markdown": "\n**correct (not tried)** for Deployment shop/web .spec.replicas\n\n```text\nPath: ·[31m\n```\n",
		"json": `"notTried": true`, "yaml": "notTried: true", "sarif": `"notTried": true`,
	} {
		for _, notTried := range []bool{true, false} {
			r := found()
			r.ways = true
			r.Findings[0].Ways = []check.Way{{Way: check.WayCorrect, Text: "Path: \x1b[31m\n", NotTried: notTried}}
			var b bytes.Buffer
			if err := outputs[form](&b, r); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), want) != notTried {
				t.Errorf("%s, not tried: %v:\n%s", form, notTried, &b)
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := markdown(&b, found()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if bars := strings.Count(line, "|") - strings.Count(line, `\|`); strings.HasPrefix(line, "|") && bars != 5 {
			t.Errorf("%d bars: %s", bars, line)
		}
	}
	if got := b.String(); strings.Contains(got, "\x1b") || !strings.HasPrefix(got, "### 2 documents: 1 conflict") || strings.Contains(got, ".status") {
		t.Error(got)
	}
}

func TestJSONIsTheReport(t *testing.T) {
	var a, b, all bytes.Buffer
	if err := asJSON(&all, everyKind()); err != nil {
		t.Fatal(err)
	}
	schematest.Valid(t, "check.v1.json", all.Bytes())
	if asJSON(&a, found()) != nil || asYAML(&b, found()) != nil {
		t.Fatal("an error")
	}
	if !strings.Contains(a.String(), `"kind": "Check"`) || !strings.Contains(b.String(), "kind: Check\n") || !strings.Contains(a.String(), `"finding": "conflict"`) {
		t.Errorf("%s\n%s", &a, &b)
	}
}
