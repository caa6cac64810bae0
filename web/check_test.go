package web_test

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	checkpage "github.com/fieldmark/fieldmark/web/write/check"
)

// checks are the check of manifests: empty, as the server answers a form, and alive with a finding open.
func (s sample) checks() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.Tool = web.Check
	empty := checkpage.Model{Frame: page.Frame{Shell: frame}, Options: checkpage.Options{Manager: s.text(), Namespace: s.text()}, Now: now}
	wrong := empty
	wrong.Problem = &components.Notice{Title: s.text(), Words: s.text()}
	found := empty
	found.Text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n" // the reader's own
	owner := ownership.Owner{Manager: manager.Manager{Name: s.text(), Operation: s.text(), Subresource: s.text()}, Time: "2026-11-21T11:00:00Z"}
	about := check.Object{APIVersion: "v1", Kind: s.text(), Namespace: s.text(), Name: s.text()}
	found.Judged = [][]check.Finding{{
		{
			Kind: check.Conflict, Object: about, Path: "." + s.text(), File: s.text(), Line: 4, Live: []byte(s.quoted()), Stated: []byte(s.quoted()), Owners: []ownership.Owner{owner, owner}, Why: s.text(),
			Ways: []check.Way{{Way: check.WayGiveUp, Text: s.text()}, {Way: check.WayRule, Text: "# " + check.RulesFile + "\n" + s.text()}},
		},
		{Kind: check.Created, Object: about, File: s.text(), Line: 1, Why: s.text(), Expected: &check.Excuse{Reason: s.text(), Until: s.text()}},
	}}
	found.Choice = check.Choice{Manager: s.text()}
	dropped := page.Loaded{Field: checkpage.FieldFiles, Name: s.text(), Size: 4 << 20}
	return map[string]templ.Component{
		"in a check": page.View(empty), "in a check, wrong": page.View(wrong), "in a check, answered": page.View(found),
		"in a check, alive":  page.View(s.live(empty)),
		"in a check, found":  page.View(s.live(found)),
		"in a check, opened": page.View(s.live(found, page.Pressed{Key: "j"})),
		"in a check, unread": page.View(s.live(empty, page.Choosing{Field: checkpage.FieldFiles, Files: 1, Passed: 2, Why: s.text()}, dropped)),
	}
}
