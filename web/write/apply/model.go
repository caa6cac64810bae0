package apply

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// Kind names the page in the embedded model.
const Kind = "apply"

// Parts of the page's query.
const (
	QueryEdit        = "edit"                // the API path of an object to start with
	QueryAs          = "as"                  // the manager whose fields to load: the key of a Holder; empty: the whole object
	QueryManager     = call.FieldManager     // the field manager to write as
	QueryValidation  = "validation"          // an aim.Validation
	QueryNamespace   = call.FieldNamespace   // of documents that name none
	QuerySubresource = call.FieldSubresource // the subresource to apply to, instead of the object itself
	QueryValues      = "values"              // 1: with the values of a Secret
	QueryManifest    = call.FieldManifest    // a text to start with; a longer one is posted
	QueryExample     = "example"             // 1: start with the example, even if a draft was kept
)

// UsualManager is the default field manager of this page.
const UsualManager = "fieldmark"

// Model is the page's state.
type Model struct {
	page.Frame
	Text        string         `json:"text"`              // the text that the page starts with
	Example     bool           `json:"example,omitempty"` // Text is an example, for readers without a draft
	Manager     string         `json:"manager"`
	Validation  aim.Validation `json:"validation"`
	Namespace   string         `json:"namespace"` // of documents that name none
	Subresource string         `json:"subresource,omitempty"`
	From        *From          `json:"from,omitempty"` // the object that the text was taken from
	Now         time.Time      `json:"now"`

	live *live // nil on the server; see Content
}

// From is an object that a manifest was taken from.
type From struct {
	Path    string   `json:"path"`
	As      string   `json:"as"` // the key of a Holder; empty: the whole object
	Holders []Holder `json:"holders"`
}

// Parent implements page.Below: it is the page of the object that is edited.
func (m Model) Parent() string {
	if m.From != nil {
		return web.Page(m.Shell.Cluster.Slug, m.From.Path)
	}
	return m.Shell.Up()
}

// Holder is a manager whose fields of an object can be loaded.
type Holder struct {
	Key   string `json:"key"`
	Words string `json:"words"`
}

// Content implements page.Page.
func (m Model) Content() templ.Component {
	return content(m.begun())
}

// Head implements page.Headed.
func (m Model) Head() page.Head { return page.Head{Small: page.Brief(m), Below: settings(m.begun())} }

// begun is the page with its live state, which the server doesn't have.
func (m Model) begun() Model {
	if m.live == nil {
		m.live = &live{}
	}
	return m
}

// pageAddress is the address of this page with its settings.
func (m Model) pageAddress() string {
	query := url.Values{QueryNamespace: {m.Namespace}, QuerySubresource: {m.Subresource}}
	if m.Manager != UsualManager {
		query.Set(QueryManager, m.Manager)
	}
	if m.Validation != aim.Warn {
		query.Set(QueryValidation, string(m.Validation))
	}
	if m.From != nil {
		query.Set(QueryEdit, m.From.Path)
		query.Set(QueryAs, m.From.As)
	}
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Apply), query)
}

// textID identifies the text that the page started with. While it stays the same, the editor keeps the reader's changes.
func (m Model) textID() string {
	if m.From == nil {
		return "apply"
	}
	return "apply " + m.From.Path + " " + m.From.As
}

func (m Model) options() aim.Options {
	return aim.Options{Cluster: m.Shell.Cluster.Slug, Manager: m.Manager, Validation: m.Validation}
}
