package object

import (
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/inplace"
	"github.com/fieldmark/fieldmark/web/frame/fights"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/words"
)

// actions are what one can do with the object, the most usual first.
func (m Model) actions() components.Actions {
	var a components.Actions
	if m.editable() {
		a.Add(components.LinkButton(views.Edit(m.Shell.Cluster.Slug, m.Shell.Path)))
	}
	a.Add(fights.StopLink(m.Shell.Cluster.Slug, m.fights()))
	if m.actable() {
		a.Add(components.LinkButton(views.Act(m.Shell.Cluster.Slug, m.Shell.Path)))
	}
	a.Add(inplace.Link(m.apiCall(), "Show the request for this object, and the response of the API server"))
	if m.Watched != nil {
		a.Add(watchedLink(m))
	}
	if m.Tab == Fields && m.Problem == nil {
		a.Add(components.Copying(fields.CopyLines, "the lines with their owners"))
	}
	if m.refusal() != "" {
		a.Add(unwatched(m))
	}
	m.more(&a)
	return a
}

// more puts what is done less often into the menu.
func (m Model) more(a *components.Actions) {
	if m.assisted() {
		a.Link(views.Assist(m.Shell.Cluster.Slug, m.Shell.Path))
	}
	if m.watchable() {
		a.Rest = append(a.Rest, watchForm(m))
	}
	if m.Problem == nil && m.Object.ManagedFields() > 0 && (m.Tab == Fields || asText(m.Tab)) {
		a.Link(m.managedLink())
	}
	a.Link(shell.ObjectTools(m.Shell.Cluster.Slug, m.Shell.Path, m.Type).Links...)
	a.Link(m.subresources()...)
	if m.deletable() {
		a.Link(views.Delete(m.Shell.Cluster.Slug, m.Shell.Path))
	}
}

// managedLink shows or hides managedFields, in the text of the object.
func (m Model) managedLink() components.Link {
	l := components.Link{
		Text: "Show managed fields (" + words.Count(int64(m.Object.ManagedFields()), "entry", "entries") + ")", Why: &why.ManagedFields,
		Hint: "metadata.managedFields: who owns which field", Href: m.queryAddress(m.toggled()), Current: m.Managed,
	}
	switch {
	case m.Tab == Fields:
		l.Text, l.Href = "Managed fields as YAML", m.queryAddress(url.Values{"tab": {"yaml"}, "managed": {"1"}})
	case m.Managed:
		l.Text = "Hide managed fields"
	}
	return l
}

// whole tells whether the page shows an object that exists, and not a subresource.
func (m Model) whole() bool { return m.Shell.Path.Kind == apipath.KindObject && !m.gone() }

// deletable tells whether the object's type can be deleted.
func (m Model) deletable() bool { return m.whole() && m.Type.Can("delete") }

// assisted tells whether the ownership assistants can be used on the object.
func (m Model) assisted() bool {
	return m.whole() && m.Type.Can("patch") && m.Object.ManagedFields() > 0
}

// actable tells whether there are acts on the object. The simplest, a label, needs the verb patch.
func (m Model) actable() bool { return m.whole() && m.Type.Can("patch") }

// subresources are links to the object's readable subresources.
func (m Model) subresources() []components.Link {
	if m.Shell.Path.Kind != apipath.KindObject {
		return nil
	}
	var links []components.Link
	for _, s := range m.Type.Subresources {
		if !s.Can("get") || apipath.SubresourceOf(m.Shell.Path, s.Name).Connects() || s.Name == "log" {
			continue
		}
		links = append(links, components.Link{
			Text: "Subresource " + s.Name, Why: &why.Subresources, Href: web.Page(m.Shell.Cluster.Slug, apipath.SubresourceOf(m.Shell.Path, s.Name).String()),
			Hint: "The " + s.Name + " subresource, of kind " + s.Kind,
		})
	}
	return links
}

// editable tells whether the object's type can be written.
func (m Model) editable() bool {
	if m.gone() {
		return false
	}
	if sub := m.Shell.Path.Subresource; sub != "" {
		s, known := m.Type.Subresource(sub)
		return known && slices.Contains(s.Verbs, "patch")
	}
	return m.Type.Can("patch")
}
