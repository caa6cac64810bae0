// Package watch is the watch laboratory: a stream of events as the API server sends it. The reader opens, cuts and resumes the stream by hand,
// from any version.
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
)

// Kind names the page in the embedded model.
const Kind = "watch"

// Parts of the page's query, which are the fields of its form.
const (
	QueryPath      = "path"      // the API path of a collection, with its selectors
	QueryBegin     = "begin"     // a Begin
	QueryVersion   = "version"   // the version for AtVersion
	QueryTimeout   = "timeout"   // timeoutSeconds; empty: the server chooses
	QueryAs        = "as"        // a Form
	QueryBookmarks = "bookmarks" // off: the request doesn't allow bookmarks
)

// Begin is where a watch begins.
type Begin string

// The beginnings.
const (
	Initial   Begin = "initial" // with the whole state, by sendInitialEvents
	Listed    Begin = "listed"  // after a list, from its version
	Recent    Begin = "recent"  // without a version: the newest state, then changes
	Any       Begin = "any"     // version "0": any state that the server has in its cache
	AtVersion Begin = "version" // after a version
)

var begins = []Begin{Initial, Listed, Recent, Any, AtVersion}

// optionLabel names a beginning in the form.
func (b Begin) optionLabel() string {
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

// means says what the API server sends.
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

// topics explain the beginnings in the guide.
var topics = map[Begin]why.Topic{
	Initial:   why.StreamingLists,
	Listed:    why.Watch,
	Recent:    why.ResourceVersions,
	Any:       why.WatchCache,
	AtVersion: why.Resume,
}

// Form is the format of the objects.
type Form string

// The forms.
const (
	Objects  Form = "objects"
	Metadata Form = "metadata"
	Tables   Form = "table"
)

var forms = []Form{Objects, Metadata, Tables}

// accept is the media type of a format, in a watch or in a list.
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

// Options are the reader's settings.
type Options struct {
	Path        string `json:"path"`
	Begin       Begin  `json:"begin"`
	Version     string `json:"version,omitempty"`
	Timeout     string `json:"timeout,omitempty"` // seconds, as typed
	As          Form   `json:"as"`
	NoBookmarks bool   `json:"noBookmarks,omitempty"`
}

// usualPath is the default collection.
const usualPath = "/api/v1/pods"

// ParseOptions reads the options from the page's query. A value that isn't valid becomes the default.
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

// Values is the inverse of ParseOptions, without defaults.
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
	page.Frame
	Options Options `json:"options"`

	live *live // nil on the server
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{
		Live: new(m.liveness()), Below: form(m),
		Lead: page.Text("A watch is one request whose response doesn’t end. Each line is an event with a type, an object, and the version of this " +
			"object. Disconnect at any time, and continue from any version that you have seen."),
	}
}

// Open implements page.Opener. Where the server doesn't offer streaming lists, the page begins with a list, unless the address says otherwise.
func (Model) Open(f page.Frame, query url.Values) page.Page {
	m := Model{Frame: f, Options: ParseOptions(query)}
	if len(f.Shell.Lacks) > 0 && !query.Has(QueryBegin) {
		m.Options.Begin = Listed
	}
	return m
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"s"}, Does: "Connect, or disconnect"},
		{Keys: []string{"j", "k"}, Does: "Choose an older or a newer event"},
		{Keys: []string{"w"}, Does: "Watch from the chosen event"},
	}
}

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Watch) }

func (m Model) optionsAddress(o Options) string { return web.WithQuery(m.action(), o.Values()) }

// practice tells whether the cluster is a practice cluster. Its store can be compacted, and the page may write to it.
func (m Model) practice() bool { return scenario.Offered(m.Shell.Catalog) }

// target is the watched collection. problem says why it can't be watched; nil: it can.
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
		o.Path = apipath.CollectionOf(at).String() + "?" + url.Values{"fieldSelector": {apipath.NameSelector(at.Name)}}.Encode()
		n.Links = []components.Link{{Text: "Watch this object", Href: m.optionsAddress(o), Primary: true}}
		return at, nil, n
	}
	of, known := m.Shell.Catalog.Type(at.Group, at.Version, at.Resource)
	failure, unread := m.Shell.Catalog.Unread(at.Group, at.Version)
	switch {
	case !known && unread:
		return at, nil, unfit(failure.Title(), "Fieldmark doesn’t know whether the cluster serves this path: "+failure.Why+".")
	case !known:
		return at, nil, unfit("The API server serves nothing at this path", "Its discovery has no resource type of that name.")
	case !of.Watchable():
		return at, nil, unfit("This type can’t be watched", "The API server does not serve the verb watch for "+of.FullName()+".")
	}
	for _, ours := range []string{
		"watch", "resourceVersion", "resourceVersionMatch", "sendInitialEvents", "allowWatchBookmarks", "timeoutSeconds", "limit", "continue",
	} {
		query.Del(ours) // the form sets it
	}
	return at, query, nil
}

func unfit(title, words string) *components.Notice {
	return &components.Notice{Tone: components.Warn, Title: title, Words: words}
}

// watchPath is the path of the request that opens the stream. version is the list's version, if the watch begins with a list.
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

// listPath is the path of a list of the watched collection.
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
