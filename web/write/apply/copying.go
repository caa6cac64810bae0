package apply

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// facesIn are the faces of the managers of a document's conflicts and of the object that it is about.
func facesIn(d *document) owners.Faces {
	all := managersOf(d.shown.preview.Managers)
	for _, r := range d.rows {
		for _, o := range r.Owners {
			all = append(all, o.Manager)
		}
	}
	return owners.FacesOf(all)
}

// copied copies the conflicts of a document as they are shown, so without secrets. The key is the document's number.
func (m Model) copied(form components.CopyForm, key string) []page.Cmd {
	d, _ := m.findDocument(strings.Fields(key))
	if d == nil || len(d.rows) == 0 {
		return nil
	}
	faces := facesIn(d)
	sheet := copying.Conflict{Object: plain.Object(d.read.Kind, d.target.Path.Namespace, d.read.Name), Why: m.Manager + " applies other values."}
	for _, r := range d.rows {
		field := copying.Contested{Path: r.Path, Live: r.Live, Stated: r.Yours}
		for _, o := range r.Owners {
			field.Owners = append(field.Owners, copying.Owner{Manager: faces.Of(o.Manager), Wrote: owners.Wrote(o.Owner, m.clock())})
		}
		sheet.Fields = append(sheet.Fields, field)
	}
	if len(sheet.Fields) == 1 {
		sheet.Why = m.Manager + " applies another value."
	}
	return page.CopyAs(form, sheet)
}
