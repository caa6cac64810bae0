// Package assist is the page that moves ownership of an object's fields between managers. It shows a sequence of requests. The reader sees
// the dry run of each request before it is sent.
package assist

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "assist"

// Model is the page's state.
type Model struct {
	page.Frame
	Path   apipath.Path   `json:"path"`
	Type   discovery.Type `json:"type"`
	Object object.Object  `json:"object"` // as it was when the server made the page; without secrets
	Choice Choice         `json:"choice"`
	Now    time.Time      `json:"now"`

	live *live // nil on the server
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Title: heading(m), Lead: page.Text(m.Choice.Do.purposeText()), Below: components.Tabs("Ownership assistants", m.tabs())}
	if m.live != nil && m.Type.Watchable() {
		h.Live = new(m.liveness())
	}
	return h
}

// Address leads to an assistant for an object.
func Address(slug string, p apipath.Path, do Do) string {
	return web.WithQuery(web.Tool(slug, web.Assist), url.Values{QueryPath: {apipath.ObjectOf(p).String()}, QueryDo: {string(do)}})
}

// at leads to another choice.
func (m Model) at(c Choice) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Assist), c.query(m.Path.String()))
}

// tabs are the assistants.
func (m Model) tabs() []components.Link {
	var links []components.Link
	for _, do := range all {
		to := Choice{Do: do}
		if do == StopFight && len(m.Choice.Fields) > 0 {
			to.Fields, to.Managers = m.Choice.Fields[:1], m.Choice.Managers
		}
		links = append(links, components.Link{Text: do.title(), Href: m.at(to), Hint: do.purposeText(), Current: do == m.Choice.Do, Why: why.In(topics, do)})
	}
	return links
}

// shown is the object as the page knows it, without secrets.
func (m Model) shown() object.Object {
	if m.live != nil && m.live.raw.OK() {
		return m.live.raw.Object.Masked()
	}
	return m.Object
}

// liveness words how current the page is.
func (m Model) liveness() components.Liveness {
	if m.live.followed.Gone() {
		return components.Liveness{Tone: components.Bad, Words: "deleted", Why: &why.Deletion}
	}
	return m.live.followed.Liveness(0, 0)
}

// chosen is the choice, completed from managedFields.
func (m Model) chosen() Choice { return m.Choice.settled(m.shown()) }

// holder is a manager that the reader can choose.
type holder struct {
	ownership.Manager
	leaves, alone int
	wrote         string
	href          string
	current       bool
}

// title names the object.
func (m Model) title() string {
	name := m.Path.Name
	if m.Path.Namespace != "" {
		name = m.Path.Namespace + "/" + name
	}
	return m.Type.Kind + " " + name
}

func (m Model) objectPage() string { return web.Page(m.Shell.Cluster.Slug, m.Path.String()) }

// hows are the ways in which a manager can write the object.
func (m Model) hows() []string {
	hows := []string{applies, updates}
	for _, s := range m.Type.Subresources {
		if s.Can("update") && (s.Name == "scale" || s.Name == "status") {
			hows = append(hows, s.Name)
		}
	}
	return hows
}

// howWords is a way to write as managers show theirs: "Apply", "Update, scale".
func howWords(how string) string {
	switch how {
	case applies:
		return ownership.Apply
	case updates:
		return ownership.Update
	default:
		return ownership.Update + ", " + how
	}
}
