package upgrade

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

// hostile is a name that must not act in a terminal, a table or a spreadsheet.
const hostile = "=x|\x1b[31m\n::error::y"

var at = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func found() upgrade.Report {
	return upgrade.Report{APIVersion: upgrade.APIVersion, Kind: upgrade.ReportKind, Target: "1.38", MadeFor: "1.37", Clusters: []upgrade.Cluster{
		upgrade.Cluster{Context: "staging", Server: "v1.37.1", Findings: []upgrade.Finding{{
			Kind: upgrade.Dropped, Type: "ingresses.networking.k8s.io", APIVersion: "networking.k8s.io/v1beta1", Removed: "1.22",
			Manager: manager.Manager{Name: hostile, Operation: "Apply", APIVersion: "networking.k8s.io/v1beta1"}, Objects: 3, Last: at, Why: "It is dropped.",
			Ways: []check.Way{{Way: check.WayCorrect, Text: "# use another\n"}, {Way: upgrade.WayServe, Text: "kubectl\n", NotTried: true}},
		}, {Kind: upgrade.Unread, Name: "the metrics", Why: "403.", Ways: []check.Way{}}}}.Counted(),
		upgrade.Cluster{Context: "gone", Problem: "no response"}.Counted(),
	}}
}

func blockedFound() upgrade.BlockedReport {
	return upgrade.BlockedReport{APIVersion: upgrade.APIVersion, Kind: upgrade.BlockedKind, Clusters: []upgrade.BlockedCluster{
		{Context: "staging", More: 1, Findings: []upgrade.Finding{{Kind: upgrade.Fading, Type: "widgets.x", APIVersion: "x/v1beta1", Why: "It fades.", Ways: []check.Way{}}}, Objects: []upgrade.Record{{
			Type: "widgets.x", Path: "/apis/x/v1/widgets/w", Name: "w", Namespace: "shop", Last: at, Ways: []check.Way{{Way: upgrade.WayClear, Text: "kubectl patch\n"}},
			Managers: []manager.Owner{{Manager: manager.Manager{Name: hostile, Operation: "Apply", APIVersion: "x/v0"}, Time: "2026-03-04T05:06:07Z"}},
		}}},
		{Context: "gone", Problem: "no response", Objects: []upgrade.Record{}, Findings: []upgrade.Finding{}},
		{Context: "fine", Objects: []upgrade.Record{}, Findings: []upgrade.Finding{}},
	}}
}

var ways = printing{ways: true, read: []string{"3 objects of 1 type read", "", "0 objects of 0 types read"}}

// printed is each format of both reports.
func printed(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, format := range formats {
		var a, b bytes.Buffer
		if err := outputs[format](ways, &a, found()); err != nil {
			t.Fatal(err)
		}
		if err := blockedOutputs[format](ways, &b, blockedFound()); err != nil {
			t.Fatal(err)
		}
		all[format], all["blocked "+format] = a.String(), b.String()
	}
	return all
}

func TestFormats(t *testing.T) {
	all := printed(t)
	for format, want := range map[string][]string{
		"text": {
			"  dropped     ingresses.networking.k8s.io  networking.k8s.io/v1beta1\n", "              correct:\n                  # use another\n", "serve (not tried):",
			"staging (v1.37.1) to 1.38: 1 dropped, 1 unread; 3 objects of 1 type read\n", "gone could not be checked: no response\n", "made for Kubernetes 1.37",
		},
		"markdown":         {"### staging (v1.37.1) to 1.38", "| dropped | ingresses.networking.k8s.io |", "**correct** for ingresses.networking.k8s.io"},
		"csv":              {"context,finding,type,", "staging,dropped,ingresses.networking.k8s.io,,networking.k8s.io/v1beta1,1.22,", ",Apply,,3,2026-03-04T05:06:07Z,It is dropped.", "gone,unread,,,,,,,,,,no response"},
		"json":             {`"madeFor": "1.37"`, `"dropped": 1`, `"problem": "no response"`},
		"blocked text":     {"widgets.x shop/w\n", "in x/v0. Last write: 2026-03-04T05:06:07Z.", "staging: 2 objects are unappliable, and the first 1 are listed", "gone could not be read", "fine: no object is unappliable; 0 objects"},
		"blocked markdown": {"| widgets.x shop/w |", "**clear** for widgets.x shop/w", "- **fading** It fades."},
		"blocked csv":      {"context,type,namespace,name,", "staging,widgets.x,shop,w,x/v0,", ",/apis/x/v1/widgets/w"},
		"blocked json":     {`"kind": "Unappliable"`, `"more": 1`},
	} {
		for _, words := range want {
			if !strings.Contains(all[format], words) {
				t.Errorf("%s has no %q:\n%s", format, words, all[format])
			}
		}
		if strings.Contains(all[format], "\x1b") || strings.Contains(all[format], "\n::error::") {
			t.Errorf("%s lets a name act:\n%s", format, all[format])
		}
	}
	for _, format := range []string{"csv", "blocked csv"} {
		if strings.Contains(all[format], ",=x") || strings.Contains(all[format], `"=x`) {
			t.Errorf("a spreadsheet computes a name:\n%s", all[format])
		}
	}
	schematest.Valid(t, "upgrade-check.v1.json", []byte(all["json"]))
	schematest.Valid(t, "unappliable.v1.json", []byte(all["blocked json"]))
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		o    options
		says string
	}{
		{options{}, "name it with --to"},
		{options{to: "next"}, "--to:"},
		{options{to: "1.38", output: "cvs"}, "csv"},
		{options{to: "1.38", output: "csv", failOn: []string{"droped"}}, "dropped"},
	} {
		if _, _, err := test.o.check(); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: %v", test.o, err)
		}
	}
	o := options{to: "v1.38", output: "text", failOn: []string{"dropped", "stored"}}
	if target, kinds, err := o.check(); err != nil || target != 38 || len(kinds) != 2 {
		t.Errorf("%v %v %v", target, kinds, err)
	}
}
