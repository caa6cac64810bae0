// Package act is the page of acts on objects, such as scale, restart, roll back and drain. Package kube/act describes the acts as data. The page
// shows the options of one act, its requests for each object, and what they do to the owners of fields. It sends them, and follows what becomes of
// them.
package act

import (
	"encoding/json"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "act"

// Model is the page's state.
type Model struct {
	page.Frame
	Query    Query     `json:"query"`
	Targets  []Target  `json:"targets"`
	Practice bool      `json:"practice"` // the practice cluster: the page doesn't ask before it writes
	Now      time.Time `json:"now"`

	live *live // nil on the server
}

// Target is an object to act on.
type Target struct {
	Path    apipath.Path       `json:"path"`
	Type    discovery.Type     `json:"type"`
	Object  object.Object      `json:"object"` // without secrets
	Found   plans.Found        `json:"found,omitempty"`
	At      time.Time          `json:"at"`                // when the object was read
	Problem *components.Notice `json:"problem,omitempty"` // why there is no object
}

// Query is the part of the page's state that is in the address.
type Query struct {
	Act    string       `json:"act,omitempty"` // the name; empty: none is chosen
	Paths  []string     `json:"paths"`         // API paths of objects, each once; at most web.MostActedOn
	More   int          `json:"more,omitempty"`
	Chosen plans.Chosen `json:"chosen,omitempty"` // options
}

// ParseQuery reads the page's query. More counts the paths above the bound, which are left out. Of an option with several values, the last one counts:
// a box that isn't set has an empty value, and a box that is set has a second one.
func ParseQuery(values url.Values) Query {
	q := Query{Act: values.Get(web.ActName), Chosen: plans.Chosen{}}
	q.Paths = web.ActedOn(values)
	if q.More = max(0, len(q.Paths)-web.MostActedOn); q.More > 0 {
		q.Paths = q.Paths[:web.MostActedOn]
	}
	for name, all := range values {
		if !slices.Contains([]string{web.ActName, web.ActPath, web.ActIn, web.ActObjects}, name) && len(all) > 0 {
			q.Chosen[name] = all[len(all)-1]
		}
	}
	return q
}

// same tells whether two queries are about the same act on the same objects.
func (q Query) same(other Query) bool {
	return q.Act == other.Act && slices.Equal(q.Paths, other.Paths)
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m, m.items()) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	var items []*item
	if !m.several() {
		items = m.items() // the head of several objects has no need of their plans
	}
	h := page.Head{Title: heading(m, items), Below: stated(m)}
	if len(items) == 1 {
		h.Small = page.Text(items[0].Object.APIVersion())
		if items[0].followed != nil {
			h.Live = new(items[0].followed.Liveness(0, 0))
		}
	}
	return h
}

// pageAddress is the address of this page with the chosen options.
func (m Model) pageAddress() string {
	return m.addressOn(m.Query.Paths)
}

// addressOn is the address of the same act with the same options on these objects.
func (m Model) addressOn(paths []string) string {
	query := web.ActQuery(paths)
	query.Set(web.ActName, m.Query.Act)
	for name, value := range m.Query.Chosen {
		query.Set(name, value)
	}
	return web.Tool(m.Shell.Cluster.Slug, web.Act) + "?" + query.Encode() // an empty option is a choice, too
}

// Subject is a target as plans need it.
func (t Target) Subject() plans.Subject {
	return plans.Subject{Type: t.Type, Path: t.Path, Object: t.Object, Now: t.At}
}

// several tells whether the act is on several objects.
func (m Model) several() bool { return len(m.Targets) > 1 }

// subject is a target as the plans of this page need it.
func (m Model) subject(t Target) plans.Subject {
	s := t.Subject()
	s.Several = m.several()
	return s
}

// acts are the acts that all objects have.
func (m Model) acts() (all []plans.Act) {
	seen := map[string]bool{}
	for _, t := range m.usable() {
		name := t.Type.Version + " " + t.Type.FullName()
		if seen[name] {
			continue
		}
		if seen[name] = true; len(seen) == 1 {
			all = plans.Of(t.Type)
			continue
		}
		all = slices.DeleteFunc(all, func(a plans.Act) bool {
			_, has := plans.Find(t.Type, a.Name)
			return !has
		})
	}
	return all
}

// usable are the targets with an object.
func (m Model) usable() []Target {
	return slices.DeleteFunc(slices.Clone(m.targets()), func(t Target) bool { return t.Problem != nil })
}

// targets are the targets as they were read last.
func (m Model) targets() []Target {
	if m.live == nil {
		return m.Targets
	}
	all := make([]Target, 0, len(m.live.items))
	for _, it := range m.live.items {
		all = append(all, it.Target)
	}
	return all
}

// chosenAct is the chosen act; ok is false if none is chosen, or if an object doesn't have it.
func (m Model) chosenAct() (a plans.Act, ok bool) {
	all := m.acts()
	i := slices.IndexFunc(all, func(a plans.Act) bool { return a.Name == m.Query.Act })
	if i < 0 {
		return plans.Act{}, false
	}
	return all[i], true
}

// ReadResult reads the response to a Read. It leaves out managedFields, which no plan reads there, and values of Secrets. Items of a list don't say
// their kind, so the list is masked as a whole.
func ReadResult(body []byte) (plans.Result, error) {
	if object.MayHold(body) {
		o, err := object.Parse(body)
		if err != nil {
			return plans.Result{}, err
		}
		if body, err = json.Marshal(o.Masked()); err != nil {
			return plans.Result{}, err
		}
	}
	r, err := plans.ReadResult(body)
	for i, o := range r.Objects {
		r.Objects[i] = o.WithoutManagedFields()
	}
	return r, err
}
