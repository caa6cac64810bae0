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
	for _, c := range d.shown.conflicts {
		for _, o := range c.Owners {
			all = append(all, o.Manager)
		}
	}
	return owners.FacesOf(all)
}

// copied copies a conflict as it is shown, so without secrets. The key has the places of its document and of the conflict.
func (m Model) copied(form components.CopyForm, key string) []page.Cmd {
	d, n := m.findDocument(strings.Fields(key))
	if d == nil || n < 0 || n >= len(d.shown.conflicts) {
		return nil
	}
	c, faces := d.shown.conflicts[n], facesIn(d)
	field := copying.Contested{Path: c.Path, Live: c.Live, Stated: c.Yours}
	for _, o := range c.Owners {
		field.Owners = append(field.Owners, copying.Owner{Manager: faces.Of(o.Manager), Wrote: owners.Wrote(o.Owner, m.clock())})
	}
	return page.CopyAs(form, copying.Conflict{
		Object: plain.Object(d.read.Kind, d.target.Path.Namespace, d.read.Name), Fields: []copying.Contested{field},
		Why: m.Manager + " applies another value.",
	})
}
