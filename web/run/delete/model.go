// Package deletion is the page that deletes an object: the options, the dependents, the dry run, and then what still blocks the
// deletion.
package deletion

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/finalizer"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "delete"

// fieldName is the field in which the reader types the object's name.
const fieldName = "name"

// Parts of the page's query; all but the first are fields of its form.
const (
	QueryPath        = "path"        // the API path of the object
	QueryPropagation = "propagation" // a Propagation
	QueryGrace       = "grace"       // seconds; empty: from the object
	QueryOnlyIf      = "only-if"     // a Condition
)

// Propagation is what happens to the dependents.
type Propagation string

// The policies.
const (
	Background Propagation = "Background"
	Foreground Propagation = "Foreground"
	Orphan     Propagation = "Orphan"
)

var propagations = []Propagation{Background, Foreground, Orphan}

// effectText explains a policy to the reader.
func (p Propagation) effectText() string {
	switch p {
	case Foreground:
		return "Dependents are deleted first. The object stays, marked for deletion, until the garbage collector has deleted every dependent that blocks it (blockOwnerDeletion)."
	case Orphan:
		return "Dependents stay, without an owner. The object is deleted after the garbage collector has removed the owner reference from each dependent. A controller with a matching selector may adopt the dependents."
	default:
		return "The object is deleted at once. The garbage collector deletes the dependents afterwards."
	}
}

// Condition is a condition for the deletion.
type Condition string

// The conditions.
const (
	SameVersion Condition = "version" // the object that the reader saw, unchanged
	SameObject  Condition = "uid"     // the object that the reader saw
	Whatever    Condition = "none"    // any object with this name
)

var conditions = []Condition{SameVersion, SameObject, Whatever}

func (c Condition) optionLabel() string {
	switch c {
	case SameObject:
		return "the object is the same (uid)"
	case Whatever:
		return "the object has this name"
	default:
		return "the object is unchanged (uid, resourceVersion)"
	}
}

// Options are what the reader chose.
type Options struct {
	Propagation Propagation `json:"propagation"`
	Grace       string      `json:"grace,omitempty"` // as the reader typed it; empty: from the object
	OnlyIf      Condition   `json:"onlyIf"`
}

// ParseOptions reads the options from the page's query. Unknown values become the defaults.
func ParseOptions(query url.Values) Options {
	o := Options{Propagation: Background, Grace: query.Get(QueryGrace), OnlyIf: SameVersion}
	for _, p := range propagations {
		if string(p) == query.Get(QueryPropagation) {
			o.Propagation = p
		}
	}
	for _, c := range conditions {
		if string(c) == query.Get(QueryOnlyIf) {
			o.OnlyIf = c
		}
	}
	return o
}

// maxGrace is the longest grace period, in seconds: a year.
const maxGrace = 366 * 24 * 3600

// seconds is the grace period. If it comes from the object, ok is false. If it isn't valid, wrong says why.
func (o Options) seconds() (n int64, ok bool, wrong string) {
	if o.Grace == "" {
		return 0, false, ""
	}
	n, err := strconv.ParseInt(o.Grace, 10, 64)
	switch {
	case err != nil || n < 0 || n > maxGrace:
		return 0, false, "The grace period must be a number of seconds."
	case n == 0:
		return 0, false, "A grace period of 0 is a forced deletion: the API server deletes the Pod before its node has stopped it. Fieldmark doesn’t do that."
	}
	return n, true, ""
}

// Model is the page's state.
type Model struct {
	page.Frame
	Path    apipath.Path      `json:"path"`
	Type    discovery.Type    `json:"type"`
	Object  object.Object     `json:"object"` // without secrets
	Owned   []dependents.Ref  `json:"owned"`
	Search  dependents.Search `json:"search"`
	Options Options           `json:"options"`
	Doom    *Doom             `json:"doom,omitempty"` // nil: the deletion deletes no other objects because of the type
	Now     time.Time         `json:"now"`

	live *live // nil on the server
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Title: heading(m), Small: page.Text(m.seen().APIVersion()), Below: stated(m)}
	if m.live != nil && m.Type.Watchable() {
		h.Live = new(m.live.followed.Liveness(0, 0))
	}
	return h
}

// Address leads to the page of an object.
func Address(slug string, p apipath.Path) string {
	return web.WithQuery(web.Tool(slug, web.Delete), url.Values{QueryPath: {apipath.ObjectOf(p).String()}})
}

// pageAddress is the address of this page with the chosen options.
func (m Model) pageAddress() string {
	query := url.Values{QueryPath: {m.Path.String()}, QueryGrace: {m.Options.Grace}}
	if m.Options.Propagation != Background {
		query.Set(QueryPropagation, string(m.Options.Propagation))
	}
	if m.Options.OnlyIf != SameVersion {
		query.Set(QueryOnlyIf, string(m.Options.OnlyIf))
	}
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Delete), query)
}

// hasGrace tells whether objects of the type have a grace period. Of the built-in types, only Pods have one.
func (m Model) hasGrace() bool { return m.Type.Group == "" && m.Type.Resource == "pods" }

// grace is the chosen grace period in seconds, for a type that has one; see seconds.
func (m Model) grace() (n int64, own bool, wrong string) {
	if !m.hasGrace() {
		return 0, false, ""
	}
	return m.Options.seconds()
}

// Parent implements page.Below.
func (m Model) Parent() string { return m.objectPage() }

// objectPage is the page of the object itself.
func (m Model) objectPage() string { return web.Page(m.Shell.Cluster.Slug, m.Path.String()) }

// title names the object.
func (m Model) title() string {
	name := m.Path.Name
	if m.Path.Namespace != "" {
		name = m.Path.Namespace + "/" + name
	}
	return m.Type.Kind + " " + name
}

func (m Model) age(t time.Time) string {
	if m.Now.Before(t) {
		return table.Age(t, t)
	}
	return table.Age(t, m.Now)
}

func (m Model) asOf() string { return m.Search.At.In(m.Now.Location()).Format("15:04:05") }

// finalizers are the finalizers of an object's metadata. A namespace also has some in its spec.
func finalizers(o object.Object) []finalizer.Finalizer {
	var all []finalizer.Finalizer
	for _, name := range o.Finalizers() {
		all = append(all, finalizer.Explain(name))
	}
	if o.APIVersion() != "v1" || o.Kind() != "Namespace" {
		return all
	}
	spec, _ := o.Fields["spec"].(map[string]any)
	names, _ := spec["finalizers"].([]any)
	for _, n := range names {
		if name, is := n.(string); is {
			all = append(all, finalizer.Explain(name))
		}
	}
	return all
}

// controlled warns of a controller that will create the object again; nil if there is none.
func (m Model) controlled() *components.Notice {
	for _, o := range m.seen().OwnerReferences() {
		if o.Controller && m.seen().Deleted().IsZero() {
			return &components.Notice{
				Tone:  components.Warn,
				Title: o.Kind + " " + o.Name + " manages this object",
				Why:   &why.OwnerReference,
				Words: "The controller will probably create a new object in its place. To delete the object for good, change or delete the owner.",
			}
		}
	}
	return nil
}

// seen is the version of the object that the reader saw. Conditions are about this version.
func (m Model) seen() object.Object {
	if m.live == nil {
		return m.Object
	}
	return m.live.pinned
}
