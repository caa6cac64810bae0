package check

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Kind names the page in the embedded model.
const Kind = "check"

// Parts of the page's query, and fields of its form.
const (
	QueryManager   = "manager"   // the field manager that applies; empty: the one that owns most fields
	QueryForce     = "force"     // 1: an apply with force
	QueryNamespace = "namespace" // of documents that name none
	QueryFinding   = "finding"   // kinds of findings to show, separated by commas; empty: all
	QueryExpected  = "expected"  // 1: also show findings that a rule expects
	FieldText      = "manifest"  // the text; only in the form, never in an address
)

// UsualNamespace is the namespace of documents that name none, the same as with kubectl.
const UsualNamespace = "default"

// Model is the page's state.
type Model struct {
	page.Frame
	Text    string            `json:"text,omitempty"` // the text in the form's request to Fieldmark
	Options Options           `json:"options"`
	Look    Look              `json:"look"`
	Judged  [][]check.Finding `json:"judged,omitempty"` // findings by document, for those that the server checked
	Choice  check.Choice      `json:"choice"`           // the manager that was chosen, if the reader named none
	Now     time.Time         `json:"now"`
	// Ended tells that the server stopped the check, because it took too long.
	Ended bool `json:"ended,omitempty"`

	live *live // nil on the server; see Content
}

// Options are the parameters of the apply that is checked.
type Options struct {
	Manager   string `json:"manager,omitempty"` // empty: the one that owns most fields of the documents
	Force     bool   `json:"force,omitempty"`
	Namespace string `json:"namespace"`
}

// Look says which findings are shown.
type Look struct {
	Kinds    []check.Kind `json:"kinds,omitempty"` // empty: all
	Expected bool         `json:"expected,omitempty"`
}

// Content implements page.Page.
func (m Model) Content() templ.Component {
	if m.live == nil {
		m.buildState(m.Now) // on the server
	}
	if !m.live.awake {
		return content(m)
	}
	return m.drawn()
}

// Head implements page.Headed.
func (m Model) Head() page.Head {
	if m.live == nil {
		m.buildState(m.Now) // on the server
	}
	return page.Head{Small: page.Brief(m), Below: below(m)}
}

// Parse reads options and the look from a query, or from the fields of a form.
func Parse(query url.Values) (Options, Look) {
	o := Options{Manager: strings.TrimSpace(query.Get(QueryManager)), Force: query.Get(QueryForce) == "1", Namespace: strings.TrimSpace(query.Get(QueryNamespace))}
	if o.Namespace == "" {
		o.Namespace = UsualNamespace
	}
	l := Look{Expected: query.Get(QueryExpected) == "1"}
	for kind := range strings.SplitSeq(query.Get(QueryFinding), ",") {
		if k := check.Kind(kind); slices.Contains(check.Kinds(), k) && !slices.Contains(l.Kinds, k) {
			l.Kinds = append(l.Kinds, k)
		}
	}
	return o, l
}

// lookAddress is the address of this page with a look.
func (m Model) lookAddress(l Look) string {
	var kinds []string
	for _, k := range l.Kinds {
		kinds = append(kinds, string(k))
	}
	query := url.Values{QueryManager: {m.Options.Manager}, QueryFinding: {strings.Join(kinds, ",")}}
	if m.Options.Force {
		query.Set(QueryForce, "1")
	}
	if m.Options.Namespace != UsualNamespace {
		query.Set(QueryNamespace, m.Options.Namespace)
	}
	if l.Expected {
		query.Set(QueryExpected, "1")
	}
	return web.WithQuery(m.tool(), query)
}

func (m Model) tool() string { return web.Tool(m.Shell.Cluster.Slug, web.Check) }

// shows tells whether findings of a kind are shown.
func (l Look) shows(k check.Kind) bool { return len(l.Kinds) == 0 || slices.Contains(l.Kinds, k) }

// toggled is the look with a kind in it, or without.
func (l Look) toggled(k check.Kind) Look {
	kinds := slices.DeleteFunc(slices.Clone(l.Kinds), func(o check.Kind) bool { return o == k })
	if len(kinds) == len(l.Kinds) {
		kinds = append(kinds, k)
	}
	l.Kinds = kinds
	return l
}
