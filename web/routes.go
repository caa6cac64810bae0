// Package web is what the browser shows. Its folders are the pages, each with a Model and a View. This file lists every address of
// Fieldmark.
package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Fixed addresses.
const (
	Home  = "/"
	Theme = "/-/theme" // POST theme=light|dark|auto, back=<local path>
	// Favorites takes POST type=<full name of a type>, back=<local path>. It adds the type to the favorites, or removes it.
	Favorites = "/-/favorites"
	// Contexts is a number that changes with the kubeconfig. As ContextList, it is the contexts whose names match ContextQuery.
	Contexts = "/-/contexts"
	SignIn   = "/-/sign-in"
	SignOut  = "/-/sign-out"
	Healthz  = "/healthz"
	Readyz   = "/readyz"
	Metrics  = "/metrics"
	Static   = "/static/"
	Socket   = "/socket"       // WebSocket: see package wire
	Gallery  = "/-/components" // only with --dev
	Learn    = "/learn"        // the field guide's map

	// Progress takes a PATCH with changes of the learner's progress, in local mode; see package server/learner. A GET has the recorded responses of a lesson.
	Progress = "/-/progress"

	Search = "/-/search" // the search of all clusters

	SignInLink = "/-/sign-in-link" // POST makes a one-visit link for another browser
	Programs   = "/-/programs"     // POST makes a token for programs; with the field revoke, it revokes those of the session
	Assistants = "/mcp"            // the Model Context Protocol, for programs with such a token
)

// ContextQuery is the parameter with the words that names of contexts must have. ContextList is the media type of the contexts that match.
const (
	ContextQuery = "q"
	ContextList  = "application/vnd.fieldmark.contexts+json"
)

// SearchQuery is the parameter with the words that Search searches.
const SearchQuery = "q"

// Roots below which every cluster has its pages and its API.
const (
	PageRoot = "/c/"
	APIRoot  = "/clusters/"
)

// PageAddresses are the addresses of pages that a program of the browser runs, for scripts. Those with a * at their end begin like that.
const PageAddresses = Home + " " + Search + " " + Learn + " " + Learn + "/* " + PageRoot + "*"

// Cluster is the overview of a cluster, given its slug.
func Cluster(slug string) string { return PageRoot + url.PathEscape(slug) }

// Page is the page of an API path: the address is the path, below the cluster's own.
func Page(slug, apiPath string) string { return Cluster(slug) + apiPath }

// API is the API call itself, through the proxy.
func API(slug, apiPath string) string { return APIRoot + url.PathEscape(slug) + apiPath }

// Tool is one of a cluster's tools, such as "find".
func Tool(slug, name string) string { return Cluster(slug) + "/-/" + name }

// Watched lists the objects that the server watches for the session: GET shows them, POST begins or ends one.
const Watched = "watched"

// Fields of the form of Watched, and the values of WatchAct. Without WatchBack, the form leads to the list.
const (
	WatchPath  = "path" // the API path of the object
	WatchBack  = "back" // the address to return to
	WatchAct   = "act"
	WatchStart = "watch"
	WatchStop  = "stop"
)

// Media types at the address of Watched: the list of objects, and, with the path of one, its recording. No API request is made for them.
const (
	WatchedList      = "application/vnd.fieldmark.watched+json"
	WatchedRecording = "application/vnd.fieldmark.timeline+json"
)

// Find jumps to a resource type by any of its names, given as ?type=.
const Find = "find"

// Contention is the scan for managers that get in each other's way: GET shows it, POST starts or stops it.
const Contention = "contention"

// Managers is the census of field managers: GET shows it, POST starts or stops it.
const Managers = "managers"

// UpgradeCheck says what an upgrade of Kubernetes would break, Unappliable which objects can't be applied any more, and Migrate what the first server-side
// apply of each owner's objects would do. All are about the same census.
const (
	UpgradeCheck = "upgrade-check"
	Unappliable  = "unappliable"
	Migrate      = "migrate"
)

// Apply is where a manifest is written, and what it would change is seen before it does.
const Apply = "apply"

// Check is where many manifests are judged before they are applied.
const Check = "check"

// Explain is where a refusal is explained: GET shows the form, POST takes the text.
const Explain = "explain"

// KindSchema is what a cluster says about the fields of one kind, for living pages.
const KindSchema = "schema"

// Events is what happened in a cluster: its events, grouped.
const Events = "events"

// WhoAmI says who the reader is in a cluster and what the reader may do: GET shows it, POST begins or ends a view as somebody else.
const WhoAmI = "whoami"

// Fields of the form of WhoAmI, and the values of ViewAct.
const (
	ViewAct    = "act"
	ViewStart  = "view"
	ViewStop   = "stop"
	ViewUser   = "user"
	ViewGroups = "groups" // one a line, or separated by commas
	ViewBack   = "back"   // the address to return to
)

// Delete is where an object is deleted, given its API path as ?path=.
const Delete = "delete"

// Act is where an act on objects is chosen, tried and sent.
const Act = "act"

// RemoveFinalizer is the name of the act that removes a finalizer (kube/act has it, which pages that only read don't link).
const RemoveFinalizer = "remove-finalizer"

// Assist is where ownership of an object's fields is moved between managers, given its API path as ?path=.
const Assist = "assist"

// The laboratories, where the API itself is tried out.
const (
	Requests        = "requests"        // the record of every request of the session
	Request         = "request"         // any request, made by hand
	Representations = "representations" // one path in every media type, given as ?path=
	Compare         = "compare"         // one request to two clusters, given as the request console's, and the second cluster
	Chunks          = "chunks"          // a collection, limit by limit
	Watch           = "watch"           // a stream of events, cut and resumed by hand
	Versions        = "versions"        // what resourceVersion and resourceVersionMatch mean
	WhoCan          = "who-can"         // who could change a type, an object or a field, given as ?path=
	Discovery       = "discovery"       // all that the API server says it serves
	Archive         = "requests.har"    // the record as an HTTP archive, chosen like the page of it
)

// Lesson is a lesson of the field guide, given its id.
func Lesson(id string) string { return Learn + "/" + url.PathEscape(id) }

// Task is the address of the task of a lesson.
func Task(id string) string { return Lesson(id) + "/task" }

// Print is the guide on paper.
const Print = Learn + "/print"

// Cases is the page of all cases of the guide.
const Cases = Learn + "/cases"

// Case is the address of a case, given its id.
func Case(id string) string { return Cases + "/" + url.PathEscape(id) }

// Exam is the exam at the end of a path through the guide.
const Exam = Learn + "/exam"

// Glossary is what the field's words mean; each has its id as fragment.
const Glossary = Learn + "/glossary"

// ClusterField is the parameter by which a page outside of any cluster is told with which to work, by its slug.
const ClusterField = "cluster"

// EntryField is the parameter by which the page of requests is told which of them to open, by its number.
const EntryField = "entry"

// Parts of the query of Request, which fill in the request.
const (
	ConsoleMethod = "method"
	ConsolePath   = "path"   // the API path with its query
	ConsoleAccept = "accept" // a media type, or the name of one
	ConsoleBody   = "body"
	// ConsoleContent is the media type of the body.
	ConsoleContent = "contentType"
)

// Console is the request console with a request filled in.
func Console(slug, method, path, accept string) string {
	return WithQuery(Tool(slug, Request), url.Values{ConsoleMethod: {method}, ConsolePath: {path}, ConsoleAccept: {accept}})
}

// MostInAddress is how long a body may be, in bytes, to stand in the address of the request console.
const MostInAddress = 4 << 10

// The programs for the browser. Each runs the pages of one kind of work, so that nobody loads what they have no use for.
const (
	ReadProgram   = "read"   // what one reads
	WriteProgram  = "write"  // on which one writes
	LabProgram    = "lab"    // on which one tries things out
	SurveyProgram = "survey" // that ask a whole cluster
	LearnProgram  = "learn"  // from which one learns
	RunProgram    = "run"    // that show what runs
)

// TabField is the parameter by which the page of an object is told which view of it to show.
const TabField = "tab"

// Views of an object that show what runs. The program RunProgram runs their pages.
const (
	DescribeTab = "describe"
	LogsTab     = "logs"
	ShellTab    = "shell"
	UsageTab    = "usage"
)

// Running tells whether a view of an object shows what runs.
func Running(tab string) bool {
	return tab == DescribeTab || tab == LogsTab || tab == ShellTab || tab == UsageTab
}

// Program names the program for the browser that runs the page at an address.
func Program(address string) string {
	path, query, _ := strings.Cut(address, "?")
	path, _, _ = strings.Cut(path, "#")
	if strings.HasPrefix(path, Learn+"/") {
		return LearnProgram
	}
	if i := slices.IndexFunc(Profiles(), func(p Profile) bool { return p.Address == path }); i >= 0 {
		return Profiles()[i].Program
	}
	rest, below := strings.CutPrefix(path, PageRoot)
	_, rest, _ = strings.Cut(rest, "/")
	tool, isTool := strings.CutPrefix(rest, "-/")
	if !below || !isTool {
		return ofView(query)
	}
	if p, known := ToolNamed(tool); known {
		return p.Program
	}
	return ReadProgram
}

// ofView is the program of a view of an object, given the query of its address.
func ofView(query string) string {
	query, _, _ = strings.Cut(query, "#")
	if values, err := url.ParseQuery(query); err == nil && Running(values.Get(TabField)) {
		return RunProgram
	}
	return ReadProgram
}

// Parts of the query of WhoCan.
const (
	WhoCanPath = "path"        // of a collection, an object or a subresource
	WhoCanPart = "subresource" // of the type, through which fields of an object are written
	WhoCanWho  = "manager"     // the name of a field manager, for the subjects that it could be
)

// Parts of the query of Assist, for a fight.
const (
	AssistPath    = "path"    // the API path of the object
	AssistDo      = "do"      // the assistant
	AssistField   = "field"   // the path of a field; any number of times
	AssistManager = "manager" // the key of a manager (manager.Key); any number of times
	StopFight     = "stop-fight"
)

// Edit is the address of the page that edits the object at an API path, and previews the change.
func Edit(slug, path string) string {
	return WithQuery(Tool(slug, Apply), url.Values{"edit": {path}})
}

// Stop is where a fight over a field of an object is stopped. Every mark of a fight leads there.
func Stop(slug, object, field string, managers ...manager.Manager) string {
	query := url.Values{AssistPath: {object}, AssistDo: {StopFight}, AssistField: {field}}
	for _, m := range managers {
		query.Add(AssistManager, m.Key())
	}
	return WithQuery(Tool(slug, Assist), query)
}

// WithQuery adds a query to an address; empty values are left out.
func WithQuery(address string, query url.Values) string {
	kept := url.Values{}
	for key, values := range query {
		for _, v := range values {
			if v != "" {
				kept.Add(key, v)
			}
		}
	}
	if len(kept) == 0 {
		return address
	}
	return address + "?" + kept.Encode()
}

// Local tells whether an address leads to a page of ours: it is what a redirect may go to.
func Local(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil &&
		strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") &&
		!strings.ContainsAny(address, "\\\r\n\t")
}
