package check

import (
	"strconv"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples, undelivered, ofAFolder) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Check
	empty := Model{Frame: page.Frame{Kind: Kind, Shell: frame}, Options: Options{Manager: s.String(), Namespace: s.String()}, Now: pagetest.Now}
	wrong := empty
	wrong.Problem = &components.Notice{Title: s.String(), Words: s.String()}
	found := empty
	found.Text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n" // the reader's own
	owner := ownership.Owner{Manager: manager.Manager{Name: s.String(), Operation: s.String(), Subresource: s.String()}, Time: "2026-11-21T11:00:00Z"}
	about := check.Object{APIVersion: "v1", Kind: s.String(), Namespace: s.String(), Name: s.String()}
	found.Judged = [][]check.Finding{{
		{
			Kind: check.Conflict, Object: about, Path: "." + s.String(), File: s.String(), Line: 4, Live: []byte(s.Quoted()), Stated: []byte(s.Quoted()), Owners: []ownership.Owner{owner, owner}, Why: s.String(),
			Ways: []check.Way{{Way: check.WayGiveUp, Text: s.String()}, {Way: check.WayRule, Text: "# " + check.RulesFile + "\n" + s.String()}},
		},
		{Kind: check.Created, Object: about, File: s.String(), Line: 1, Why: s.String(), Expected: &check.Excuse{Reason: s.String(), Until: s.String()}},
	}}
	found.Choice = check.Choice{Manager: s.String()}
	dropped := page.Loaded{Field: FieldFiles, Name: s.String(), Size: 4 << 20}
	return map[string]page.Page{
		"in a check": empty, "in a check, wrong": wrong, "in a check, answered": found,
		"in a check, alive":  pagetest.Live(empty),
		"in a check, found":  pagetest.Live(found),
		"in a check, opened": pagetest.Live(found, page.Pressed{Key: "j"}),
		"in a check, unread": pagetest.Live(empty, page.Choosing{Field: FieldFiles, Files: 1, Passed: 2, Why: s.String()}, dropped),
	}
}

// undelivered are pages of checks that find values that won't arrive.
func undelivered(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Check
	about := check.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: s.String()}
	lost := func(line int, path, live, stated, why string) check.Finding {
		f := check.Finding{Kind: check.Server, Object: about, Path: path, File: Pasted, Line: line, Stated: []byte(stated), Why: "The value of the manifest won't arrive. " + why}
		if live != "" {
			f.Live = []byte(live)
		}
		return f
	}
	m := Model{Frame: page.Frame{Kind: Kind, Shell: frame}, Now: pagetest.Now, Text: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  labels:\n    zone: west\nspec:\n  replicas: null\n", Judged: [][]check.Finding{{
		lost(6, ".metadata.labels.zone", `"east"`, `"west"`, "A policy of the cluster sets east."),
		lost(8, ".spec.replicas", "1", "null", "The API server sets its default instead. That is the default. Without the field, the manifest means the same and doesn't own the field."),
		lost(8, `.spec.template.spec.containers[name="`+s.String()+`"].env`, "", "null", "The API server ignores the null, and yet counts the field as yours."),
		{Kind: check.Conflict, Object: about, Path: ".spec.template.spec.containers[name=\"web\"].image", File: Pasted, Line: 7, Live: []byte(`"registry.example/shop/web:1.27.4"`), Stated: []byte(`"registry.example/shop/web:1.28.0"`), Why: s.String()},
	}}}
	return map[string]page.Page{"in a check, undelivered": pagetest.Live(m), "in a check, undelivered, opened": pagetest.Live(m, page.Pressed{Key: "j"})}
}

// ofAFolder are pages of a check of a folder: what is wrong comes first, and new objects are one row.
func ofAFolder(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Check
	m := Model{Frame: page.Frame{Kind: Kind, Shell: frame}, Now: pagetest.Now}
	add := func(f check.Finding, file string, line int, kind, name string) {
		m.Text += "---\napiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + ", namespace: shop}\nspec:\n  replicas: 5\n"
		f.File, f.Line, f.Object = file, line, check.Object{APIVersion: "v1", Kind: kind, Namespace: "shop", Name: name}
		m.Judged = append(m.Judged, []check.Finding{f})
	}
	owner := ownership.Owner{Manager: manager.Manager{Name: "shop-autoscaler", Operation: "Update", Subresource: "scale"}, Time: "2026-11-21T11:00:00Z"}
	add(check.Finding{Kind: check.Invalid, Path: ".spec.repilcas", Why: "The kind has no field repilcas. Did you mean replicas?"}, "app/web/web.yaml", 5, "Deployment", "web")
	add(check.Finding{Kind: check.Invalid, Path: ".spec.schedule", Why: s.String()}, "app/batch/cron.yaml", 11, "CronJob", "nightly")
	add(check.Finding{Kind: check.Conflict, Path: ".spec.replicas", Live: []byte("4"), Stated: []byte("5"), Owners: []ownership.Owner{owner}, Why: s.String()}, "app/web/front.yaml", 18, "Deployment", "storefront")
	add(check.Finding{Kind: check.Pruned, Path: ".spec.ports[port=9090,protocol=\"TCP\"]", Live: []byte(s.Quoted()), Why: s.String()}, "app/api.yaml", 24, "Service", "api")
	add(check.Finding{Kind: check.Changed, Path: ".data.motto", Live: []byte(s.Quoted()), Stated: []byte(`"fresh every day"`), Why: s.String()}, "app/web/settings.yaml", 30, "ConfigMap", "settings")
	for i := range 12 {
		add(check.Finding{Kind: check.Created, Why: "The apply creates the object."}, "app/new.yaml", 36+6*i, []string{"ConfigMap", "Service"}[i%2], "new-"+strconv.Itoa(i))
	}
	return map[string]page.Page{
		"in a check of a folder": m, "in a check of a folder, alive": pagetest.Live(m), "in a check of a folder, new": pagetest.Live(m, page.Pressed{Key: "G"}),
		"in a check of a folder, unfolded": pagetest.Live(m, page.Acted{Action: doGroup + " created"}),
	}
}
