// Package watch is the watch laboratory: a stream of events as the API server sends it, which the reader opens, cuts and resumes by
// hand, from any version.
package watch

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Kind names the page in the embedded model.
const Kind = "watch"

// Parts of the page's query, which are the fields of its form.
const (
	QueryPath      = "path"      // the API path of a collection, with its selectors
	QueryBegin     = "begin"     // a Begin
	QueryVersion   = "version"   // to begin at, where Begin is AtVersion
	QueryTimeout   = "timeout"   // timeoutSeconds; empty: the server chooses
	QueryAs        = "as"        // a Form
	QueryBookmarks = "bookmarks" // off: no bookmarks are asked for
)

// Begin is where a watch begins.
type Begin string

// The beginnings.
const (
	Initial   Begin = "initial" // with the whole state, by sendInitialEvents
	Listed    Begin = "listed"  // after a list, from its version
	Recent    Begin = "recent"  // with no version: the state as of now, then what follows
	Any       Begin = "any"     // version "0": any state that the server has in its cache
	AtVersion Begin = "version" // after a version
)

var begins = []Begin{Initial, Listed, Recent, Any, AtVersion}

// words name a beginning in the form.
func (b Begin) words() string {
	switch b {
	case Listed:
		return "a list, then its version"
	case Recent:
		return "no version"
	case Any:
		return "version 0"
	case AtVersion:
		return "after version…"
	default:
		return "initial events"
	}
}

// means says what the API server makes of it.
func (b Begin) means() string {
	switch b {
	case Listed:
		return "A separate list returns the state. The watch continues from the list’s resourceVersion. Clients have followed collections this way from the start."
	case Recent:
		return "Without resourceVersion, the server sends the newest state as ADDED events, then all later changes. Nothing marks the end of the state."
	case Any:
		return "With resourceVersion=0, the server sends any state from its cache as ADDED events, then all later changes. The state may be old. The store does no work for it."
	case AtVersion:
		return "The server sends only the changes after that version. Use a version from a list, an event or a bookmark. Never calculate one."
	default:
		return "With sendInitialEvents=true, the server sends the state as ADDED events, then a bookmark with the annotation k8s.io/initial-events-end. It needs resourceVersionMatch=NotOlderThan and allowWatchBookmarks=true."
	}
}

// topics are what explains the beginnings.
var topics = map[Begin]why.Topic{
	Initial:   why.StreamingLists,
	Listed:    why.Watch,
	Recent:    why.ResourceVersions,
	Any:       why.WatchCache,
	AtVersion: why.Resume,
}

// Form is what the objects are asked for as.
type Form string

// The forms.
const (
	Objects  Form = "objects"
	Metadata Form = "metadata"
	Tables   Form = "table"
)

var forms = []Form{Objects, Metadata, Tables}

// accept is the media type that asks for it, in a watch and in a list.
func (f Form) accept(list bool) string {
	switch {
	case f == Metadata && list:
		return accept.MetadataList + accept.OrJSON
	case f == Metadata:
		return accept.Metadata + accept.OrJSON
	case f == Tables:
		return accept.Table + accept.OrJSON
	default:
		return accept.JSON
	}
}

// Options are what the reader chose.
type Options struct {
	Path        string `json:"path"`
	Begin       Begin  `json:"begin"`
	Version     string `json:"version,omitempty"`
	Timeout     string `json:"timeout,omitempty"` // seconds, as typed
	As          Form   `json:"as"`
	NoBookmarks bool   `json:"noBookmarks,omitempty"`
}

// usualPath is watched unless another path is chosen.
const usualPath = "/api/v1/pods"

// ParseOptions reads them from the page's query; what makes no sense is as usual.
func ParseOptions(query url.Values) Options {
	o := Options{
		Path: strings.TrimSpace(query.Get(QueryPath)), Begin: Initial, As: Objects,
		Version: strings.TrimSpace(query.Get(QueryVersion)), NoBookmarks: query.Get(QueryBookmarks) == "off",
	}
	if o.Path == "" {
		o.Path = usualPath
	}
	for _, b := range begins {
		if string(b) == query.Get(QueryBegin) {
			o.Begin = b
		}
	}
	for _, f := range forms {
		if string(f) == query.Get(QueryAs) {
			o.As = f
		}
	}
	if n, err := strconv.Atoi(query.Get(QueryTimeout)); err == nil && n > 0 {
		o.Timeout = strconv.Itoa(n)
	}
	return o
}

// Values is the inverse of ParseOptions; what is as usual is left out.
func (o Options) Values() url.Values {
	v := url.Values{QueryPath: {o.Path}, QueryTimeout: {o.Timeout}}
	if o.Begin != Initial {
		v.Set(QueryBegin, string(o.Begin))
	}
	if o.Begin == AtVersion {
		v.Set(QueryVersion, o.Version)
	}
	if o.As != Objects {
		v.Set(QueryAs, string(o.As))
	}
	if o.NoBookmarks {
		v.Set(QueryBookmarks, "off")
	}
	return v
}

// Model is the page's state.
type Model struct {
	Shell   shell.Model `json:"shell"`
	Options Options     `json:"options"`

	live *live // nil on the server
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"s"}, Does: "Connect, or disconnect"},
		{Keys: []string{"j", "k"}, Does: "Choose an older or a newer event"},
		{Keys: []string{"w"}, Does: "Watch from the chosen event"},
	}
}

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Watch) }

func (m Model) address(o Options) string { return web.WithQuery(m.action(), o.Values()) }

// practice tells whether it is a practice cluster, whose store can be compacted and in which anything may be made.
func (m Model) practice() bool { return scenario.Offered(m.Shell.Catalog) }

// target is the collection that is watched; problem says why that can't be.
func (m Model) target() (at apipath.Path, query url.Values, problem *components.Notice) {
	path, selectors, _ := strings.Cut(m.Options.Path, "?")
	query, err := url.ParseQuery(selectors)
	at, pathErr := apipath.Parse(path)
	if err != nil || pathErr != nil || !at.IsResource() {
		return at, nil, unfit("This path is not a collection", "Type the path of a collection, such as /api/v1/pods or /apis/apps/v1/namespaces/shop/deployments. Selectors can follow as its query.")
	}
	if at.Kind != apipath.KindCollection {
		n := unfit("This is the path of a single object", "Watch its collection with the field selector metadata.name, which selects one object.")
		o := m.Options
		o.Path = apipath.CollectionOf(at).String() + "?" + url.Values{"fieldSelector": {"metadata.name=" + at.Name}}.Encode()
		n.Links = []components.Link{{Text: "Watch this object", Href: m.address(o), Primary: true}}
		return at, nil, n
	}
	of, known := m.Shell.Catalog.Type(at.Group, at.Version, at.Resource)
	switch {
	case !known:
		return at, nil, unfit("The API server serves nothing at this path", "Its discovery has no resource type of that name.")
	case !of.Watchable():
		return at, nil, unfit("This type can’t be watched", "The API server does not serve the verb watch for "+of.FullName()+".")
	}
	for _, ours := range []string{
		"watch", "resourceVersion", "resourceVersionMatch", "sendInitialEvents", "allowWatchBookmarks", "timeoutSeconds", "limit", "continue",
	} {
		query.Del(ours) // the form says it
	}
	return at, query, nil
}

func unfit(title, words string) *components.Notice {
	return &components.Notice{Tone: components.Warn, Title: title, Words: words}
}

// watchPath is the request that opens the stream. The version is that of a list, where the watch begins with one.
func watchPath(at apipath.Path, selectors url.Values, o Options, version string) string {
	query := url.Values{"watch": {"1"}}
	for key, values := range selectors {
		query[key] = values
	}
	if !o.NoBookmarks || o.Begin == Initial {
		query.Set("allowWatchBookmarks", "true")
	}
	switch o.Begin {
	case Initial:
		query.Set("sendInitialEvents", "true")
		query.Set("resourceVersionMatch", "NotOlderThan")
	case Any:
		query.Set("resourceVersion", "0")
	case AtVersion:
		query.Set("resourceVersion", o.Version)
	case Listed:
		query.Set("resourceVersion", version)
	case Recent:
	}
	if o.Timeout != "" {
		query.Set("timeoutSeconds", o.Timeout)
	}
	return at.String() + "?" + query.Encode()
}

// listPath is a list of the same.
func listPath(at apipath.Path, selectors, more url.Values) string {
	query := url.Values{}
	for _, from := range []url.Values{selectors, more} {
		for key, values := range from {
			query[key] = values
		}
	}
	if len(query) == 0 {
		return at.String()
	}
	return at.String() + "?" + query.Encode()
}
