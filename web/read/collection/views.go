package collection

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/saved"
)

// The fields and the actions of the menu of views. The index of a view follows those that end with a space.
const (
	fieldViewName   = "view-name"
	fieldViewScope  = "view-scope"
	fieldViewRename = "view-rename"

	doSaveView    = "view-save"
	doRenameView  = "view-rename "
	doRenamedView = "view-renamed"
	doStayView    = "view-stay"
	doDeleteView  = "view-delete "
	doUndoView    = "view-undo"

	everyCluster = "all"
)

// viewing is the state of the menu of views.
type viewing struct {
	book     saved.Book
	name     string // of the view to save
	every    bool   // the view to save is for all clusters
	renaming int    // the index of the view that gets another name, from 1; 0: none
	rename   string // the other name
	refused  saved.Refused
	deleted  *saved.View // the view that was deleted last
}

// Keeps implements page.Keeper.
func (Model) Keeps() []string { return []string{saved.Key} }

// Shares implements page.Sharer.
func (Model) Shares() string { return saved.Key }

// views are the saved views of this type.
func (m Model) views() saved.Book {
	if m.live == nil {
		return nil
	}
	return m.live.viewing.book.For(m.Shell.Cluster.Slug, m.Type)
}

// current is the page as a view, without a name.
func (m Model) current() saved.View {
	return saved.View{
		Cluster: m.Shell.Cluster.Slug, Group: m.Type.Group, Resource: m.Type.Resource, Namespace: m.Shell.Path.Namespace,
		Query: m.Query.first().Values().Encode(),
	}
}

// shows tells whether the page shows a view.
func (m Model) shows(v saved.View) bool {
	c := m.current()
	return v.Namespace == c.Namespace && v.Query == c.Query
}

// typedView handles a field of the menu.
func (m Model) typedView(t page.Typed) bool {
	v := &m.live.viewing
	switch t.Field {
	case fieldViewName:
		v.name, v.refused = t.Text, ""
	case fieldViewScope:
		v.every = t.Text == everyCluster
	case fieldViewRename:
		v.rename, v.refused = t.Text, ""
	default:
		return false
	}
	return true
}

// handleAction handles a button of the menu.
func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	v := &m.live.viewing
	switch {
	case action == doChooseNone:
		return m.chooseNone()
	case action == doReadRest:
		return m.readRest()
	case action == doStopRest:
		return m.stopRest()
	case action == doSaveView:
		return m.saveView()
	case action == doRenamedView:
		return m.renamedView()
	case action == doStayView:
		v.renaming, v.refused = 0, ""
	case action == doUndoView && v.deleted != nil:
		next, refused := v.book.With(*v.deleted)
		if refused == "" {
			v.deleted = nil
		}
		return m.keepViews(next, refused, "View restored")
	case strings.HasPrefix(action, doRenameView):
		if n, one := m.viewAt(action, doRenameView); n > 0 {
			v.renaming, v.rename, v.refused = n, one.Name, ""
			return m, []page.Cmd{page.Focus{ID: fieldViewRename}}
		}
	case strings.HasPrefix(action, doDeleteView):
		if n, one := m.viewAt(action, doDeleteView); n > 0 {
			v.deleted, v.renaming = &one, 0
			return m.keepViews(v.book.Without(one), "", "View deleted")
		}
	}
	return m, nil
}

// viewAt is the view that an action names, and its index from 1; 0 if there is none.
func (m Model) viewAt(action, prefix string) (int, saved.View) {
	all := m.views()
	n, err := strconv.Atoi(strings.TrimPrefix(action, prefix))
	if err != nil || n < 1 || n > len(all) {
		return 0, saved.View{}
	}
	return n, all[n-1]
}

func (m Model) saveView() (page.Page, []page.Cmd) {
	v := &m.live.viewing
	one := m.current()
	one.Name = v.name
	if v.every {
		one.Cluster = ""
	}
	next, refused := v.book.With(one)
	if refused == "" {
		v.deleted = nil // the name stays, so that the view can be saved again with a change
	}
	return m.keepViews(next, refused, "View saved")
}

func (m Model) renamedView() (page.Page, []page.Cmd) {
	v := &m.live.viewing
	all := m.views()
	if v.renaming < 1 || v.renaming > len(all) {
		return m, nil
	}
	next, refused := v.book.Renamed(all[v.renaming-1], v.rename)
	if refused == "" {
		v.renaming = 0
	}
	return m.keepViews(next, refused, "View renamed")
}

// keepViews keeps the changed views in the browser, or says why not.
func (m Model) keepViews(next saved.Book, refused saved.Refused, said string) (page.Page, []page.Cmd) {
	v := &m.live.viewing
	v.refused = refused
	if refused != "" {
		return m, []page.Cmd{page.Announce{Words: string(refused)}}
	}
	v.book = next
	return m, []page.Cmd{page.Keep{Key: saved.Key, Value: next.String()}, page.Announce{Words: said}}
}

// remembered takes in the views that the browser has.
func (m Model) remembered(k page.Kept) {
	m.live.viewing.book = saved.Read(k.Values[saved.Key])
	if m.live.viewing.renaming > len(m.views()) {
		m.live.viewing.renaming = 0
	}
}

// describe says in a few words what a view shows.
func (m Model) describe(v saved.View) string {
	q := readQuery(v.Query)
	parts := []string{}
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+value)
		}
	}
	switch {
	case !m.Type.Namespaced:
	case v.Namespace == "":
		parts = append(parts, "all namespaces")
	default:
		add("in ", v.Namespace)
	}
	add("labels ", q.LabelSelector)
	add("fields ", q.FieldSelector)
	add("filter ", q.Filter)
	if q.Sort.Column != "" {
		parts = append(parts, strings.ToLower(sortWords(q.Sort)[:1])+sortWords(q.Sort)[1:])
	}
	if q.Wide {
		parts = append(parts, "all columns")
	}
	add("with ", strings.Join(q.Columns, ", "))
	if v.Cluster == "" {
		parts = append(parts, "in every cluster")
	}
	return strings.Join(parts, ", ")
}
