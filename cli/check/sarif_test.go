package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
)

// everyKind has a finding of each kind, besides those of found.
func everyKind() result {
	r := found()
	for i, kind := range check.Kinds() {
		r.Findings = append(r.Findings, check.Finding{Kind: kind, Object: check.Object{Name: "x"}, File: "a b/ü%.yaml", Line: i + 1, Why: "Because.\x1b[31m"})
	}
	r.Report.Report = check.ReportOf("helm", 14, r.Findings)
	r.failOn, r.version = check.FailOn(), "v1.2.3"
	return r
}

func sarifOf(t *testing.T, r result) (sarifRun, string) {
	t.Helper()
	var b bytes.Buffer
	if err := asSARIF(&b, r); err != nil {
		t.Fatal(err)
	}
	schematest.SARIF(t, b.Bytes())
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil || len(log.Runs) != 1 {
		t.Fatal(err, len(log.Runs))
	}
	return log.Runs[0], b.String()
}

func TestSARIF(t *testing.T) {
	run, text := sarifOf(t, everyKind())
	if d := run.Tool.Driver; d.Version != "v1.2.3" || len(d.Rules) != len(check.Kinds()) || !run.Invocations[0].Successful {
		t.Errorf("%+v %+v", d, run.Invocations)
	}
	if strings.Contains(text, `\u001b`) {
		t.Error("what a terminal would obey is in it")
	}
	prints := map[string]bool{}
	for _, one := range run.Results {
		rule := run.Tool.Driver.Rules[one.Index]
		fails := slices.Contains(check.FailOn(), check.Kind(one.Rule))
		if rule.ID != one.Rule || rule.Default.Level != one.Level || (one.Level == "error") != fails || one.Message.Text == "" {
			t.Errorf("%+v", one)
		}
		if prints[one.Fingerprints[fingerprint]] {
			t.Errorf("the fingerprint isn't its own: %+v", one)
		}
		prints[one.Fingerprints[fingerprint]] = true
		if at := one.Locations[0].Physical; strings.HasPrefix(at.Artifact.URI, "a") && (at.Artifact.URI != "a%20b/%C3%BC%25.yaml" || at.Region.Line < 1) {
			t.Errorf("%+v", at)
		}
		if expected := one.Message.Text == "Deployment shop/web .status: The controller."; expected != (len(one.Suppressions) == 1) {
			t.Errorf("%+v", one)
		} else if expected && one.Suppressions[0].Justification != "it always does" {
			t.Errorf("%+v", one.Suppressions)
		}
	}
	first := run.Results[0]
	if first.Rule != "conflict" || first.Locations[0].Physical.Region.Line != 7 || first.Message.Text != "Deployment shop/web .spec.replicas: ada owns it. Live: 3. Stated: 5." {
		t.Errorf("%+v", first)
	}
}

// A finding about a built document is in the file that kustomize read, and never in a folder.
func TestAFolderIsNoPlace(t *testing.T) {
	r := found()
	r.Findings[0].Folder, r.Findings[0].File, r.Findings[0].Line = "over", "base/web.yaml", 0
	r.Findings[1].Folder, r.Findings[1].File, r.Findings[1].Line = "over", "over", 0
	run, _ := sarifOf(t, r)
	if at := run.Results[0].Locations[0].Physical; at == nil || at.Artifact.URI != "base/web.yaml" || at.Region != nil {
		t.Errorf("%+v", at)
	}
	if at := run.Results[1].Locations[0]; at.Physical != nil || len(at.Logical) != 1 {
		t.Errorf("%+v", at)
	}
}

func TestFingerprintsStay(t *testing.T) {
	before, _ := sarifOf(t, found())
	moved := found()
	for i := range moved.Findings {
		moved.Findings[i].Line += 10
		moved.Findings[i].Why += " And more."
		moved.Findings[i].Stated = nil
	}
	after, _ := sarifOf(t, moved)
	for i := range before.Results {
		if before.Results[i].Fingerprints[fingerprint] != after.Results[i].Fingerprints[fingerprint] {
			t.Errorf("%+v\n%+v", before.Results[i], after.Results[i])
		}
	}
	if twice := found(); twice.Findings[0].Kind == check.Conflict {
		twice.Findings = append(twice.Findings, twice.Findings[0])
		run, _ := sarifOf(t, twice)
		if last := run.Results[len(run.Results)-1].Fingerprints[fingerprint]; last != run.Results[0].Fingerprints[fingerprint]+":2" {
			t.Error(last)
		}
	}
}

func TestSARIFSaysWhatCouldNotBeDone(t *testing.T) {
	r := found()
	r.wrong = errors.Join(errors.New("one"), errors.New("two"))
	run, _ := sarifOf(t, r)
	if i := run.Invocations[0]; i.Successful || len(i.Notifications) != 2 || i.Notifications[1].Message.Text != "two" {
		t.Errorf("%+v", i)
	}
	if run, _ := sarifOf(t, result{Report: Report{Report: check.ReportOf("x", 0, nil)}}); run.Results == nil {
		t.Error("no results are an empty list")
	}
}

func TestFilesAreNamedAsURIs(t *testing.T) {
	for file, want := range map[string]string{"-": "stdin", "a.yaml": "a.yaml", "./a/../b/c.yaml": "b/c.yaml", "/x/y z.yaml": "file:///x/y%20z.yaml", "a:b.yaml": "./a:b.yaml", "../up.yaml": "../up.yaml"} {
		if got := fileURI(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
