// Package resourceversion knows what resourceVersion, resourceVersionMatch and paging mean together in a get, a list or a watch, and which
// responses are possible. The rules are those of the API's documentation. If kube-apiserver is known to differ, Note says so. The package
// makes no requests.
//
//	          Unset  Zero  Old  Current  Future      Columns: the version that is requested
//	Row        ·      ·     ·      ·       ·         Rows: all other parameters; Row.In(Column) is the Meaning
//	                        └ Query ─▶ request ─▶ response ─▶ Read ─▶ Answer ─▶ Judge ─▶ Verdict
package resourceversion

// Verb is the API verb.
type Verb string

// The verbs whose requests can have a resourceVersion.
const (
	Get   Verb = "get"
	List  Verb = "list"
	Watch Verb = "watch"
)

// Meaning is the documentation's name for what a combination of parameters requests.
type Meaning string

// The meanings, for reads and for watches.
const (
	MostRecent   Meaning = "Most Recent"
	Any          Meaning = "Any"
	NotOlder     Meaning = "Not older than"
	Exact        Meaning = "Exact"
	Continuation Meaning = "Continue Token, Exact"
	Invalid      Meaning = "Invalid"
	StateRecent  Meaning = "Get State and Start at Most Recent"
	StateAny     Meaning = "Get State and Start at Any"
	StateNotOld  Meaning = "Get State and Start Not older than"
	StartExact   Meaning = "Start at Exact"
	StartRecent  Meaning = "Start at Most Recent"
	StartAny     Meaning = "Start at Any"
)

// Choices are the meanings that a user can choose from in a prediction for a row.
func Choices(r Row) []Meaning {
	switch {
	case r.Verb == Get:
		return []Meaning{MostRecent, Any, NotOlder, Exact, Invalid}
	case r.Verb == List:
		return []Meaning{MostRecent, Any, NotOlder, Exact, Continuation, Invalid}
	case r.Initial == Skip:
		return []Meaning{StateRecent, StartRecent, StartAny, StartExact, Invalid}
	default:
		return []Meaning{StateRecent, StateAny, StateNotOld, StartExact, Invalid}
	}
}

// Column is the kind of version that is requested.
type Column string

// The columns of the tables. The documentation has one column for all values except "0", but their responses differ.
const (
	Unset   Column = "unset"
	Zero    Column = "zero"
	Old     Column = "old"
	Current Column = "current"
	Future  Column = "future"
)

// Columns are all columns, in order.
var Columns = []Column{Unset, Zero, Old, Current, Future}

// Paging says which of limit and continue the request has.
type Paging string

// The kinds of paging.
const (
	NoLimit  Paging = ""
	Limited  Paging = "limit"
	Continue Paging = "continue"
)

// Initial is the value of sendInitialEvents in the request.
type Initial string

// The values of sendInitialEvents.
const (
	NotSaid Initial = ""
	Send    Initial = "true"
	Skip    Initial = "false"
)

// The values of resourceVersionMatch.
const (
	MatchExact    = "Exact"
	MatchNotOlder = "NotOlderThan"
)

// Row is a row of a table: all parameters except the version.
type Row struct {
	ID      string
	Verb    Verb
	Match   string // resourceVersionMatch; empty: not given
	Paging  Paging
	Initial Initial
	// Means are the meanings in the documentation: without a version, with "0", and with any other version.
	Means [3]Meaning
	// Silent tells that the documentation has no such row.
	Silent bool
}

// In is the meaning of the row in a column.
func (r Row) In(c Column) Meaning {
	switch c {
	case Unset:
		return r.Means[0]
	case Zero:
		return r.Means[1]
	default:
		return r.Means[2]
	}
}

var never = [3]Meaning{Invalid, Invalid, Invalid}

// Rows are the rows of all tables.
var Rows = []Row{
	{ID: "get", Verb: Get, Means: [3]Meaning{MostRecent, Any, NotOlder}},

	{ID: "list", Verb: List, Means: [3]Meaning{MostRecent, Any, NotOlder}},
	{ID: "list-limit", Verb: List, Paging: Limited, Means: [3]Meaning{MostRecent, Any, Exact}},
	{ID: "list-continue", Verb: List, Paging: Continue, Means: [3]Meaning{Continuation, Continuation, Invalid}},
	{ID: "list-exact", Verb: List, Match: MatchExact, Means: [3]Meaning{Invalid, Invalid, Exact}},
	{ID: "list-exact-limit", Verb: List, Match: MatchExact, Paging: Limited, Means: [3]Meaning{Invalid, Invalid, Exact}},
	{ID: "list-exact-continue", Verb: List, Match: MatchExact, Paging: Continue, Means: never, Silent: true},
	{ID: "list-notolder", Verb: List, Match: MatchNotOlder, Means: [3]Meaning{Invalid, Any, NotOlder}},
	{ID: "list-notolder-limit", Verb: List, Match: MatchNotOlder, Paging: Limited, Means: [3]Meaning{Invalid, Any, NotOlder}},
	{ID: "list-notolder-continue", Verb: List, Match: MatchNotOlder, Paging: Continue, Means: never, Silent: true},

	{ID: "watch", Verb: Watch, Means: [3]Meaning{StateRecent, StateAny, StartExact}},
	{ID: "watch-exact", Verb: Watch, Match: MatchExact, Means: never, Silent: true},
	{ID: "watch-notolder", Verb: Watch, Match: MatchNotOlder, Means: never, Silent: true},
	{ID: "watch-send", Verb: Watch, Initial: Send, Means: never, Silent: true},
	{ID: "watch-send-notolder", Verb: Watch, Match: MatchNotOlder, Initial: Send, Means: [3]Meaning{StateRecent, StateAny, StateNotOld}, Silent: true},
	{ID: "watch-skip-notolder", Verb: Watch, Match: MatchNotOlder, Initial: Skip, Means: [3]Meaning{StartRecent, StartAny, StartExact}, Silent: true},
}

// Note says where kube-apiserver is known to differ from the documentation in a cell, or to fill a gap in it. Empty: nowhere.
func Note(r Row, c Column) string {
	switch means := r.In(c); {
	case means == Invalid && r.Paging == Continue && r.Match == "":
		return "A token contains its own version, so a request can’t ask for another one."
	case means == Invalid:
		return "The documentation says 400 for invalid requests. kube-apiserver responds with 422 if one field of the options contradicts another."
	case r.Paging == Limited && c == Zero:
		return "kube-apiserver reads version 0 from its cache and ignores the limit. The response has the whole collection and no token."
	case r.Paging == Continue && c == Zero:
		return "With a token, kube-apiserver ignores version 0 and uses the token’s version. It also ignores the limit then."
	case c == Future && r.Verb != Watch:
		return "The documentation says 504 after a short wait, or a Retry-After header. kube-apiserver waits for three seconds, then sends both."
	case c == Future && r.Initial == Send:
		return "kube-apiserver responds with 200, waits for three seconds, and ends the watch with an ERROR event."
	case c == Future:
		return "For a watch, a future version is no error. kube-apiserver sends nothing until the store reaches that version."
	case means == StartExact:
		return "If the server no longer keeps the version, the status code says so, or an ERROR event after a 200."
	case r.Initial == Send:
		return "A bookmark marks the end of the state. Every event after it is a later change."
	case r.Verb == Get:
		return "An object’s own version is that of its last write, so the response doesn’t say which state it shows."
	}
	return ""
}

// Find returns the row with an id.
func Find(id string) (Row, bool) {
	for _, r := range Rows {
		if r.ID == id {
			return r, true
		}
	}
	return Row{}, false
}

// Of returns the rows of a verb.
func Of(v Verb) []Row {
	var rows []Row
	for _, r := range Rows {
		if r.Verb == v {
			rows = append(rows, r)
		}
	}
	return rows
}

// Values are the versions and the token to use in requests.
type Values struct {
	Old     string `json:"old"`
	Current string `json:"current"`
	Future  string `json:"future"`
	Token   string `json:"token"` // from the response to a list with a limit
	Of      string `json:"of"`    // the version of the token's list
	Limit   int    `json:"limit"`
}

// In is the version of a column; given is false if the request has none.
func (v Values) In(c Column) (version string, given bool) {
	switch c {
	case Unset:
		return "", false
	case Zero:
		return "0", true
	case Old:
		return v.Old, true
	case Current:
		return v.Current, true
	default:
		return v.Future, true
	}
}

// Missing says which value is missing for the request of a cell; empty: none.
func (v Values) Missing(r Row, c Column) string {
	if version, given := v.In(c); given && version == "" {
		return "there is no " + string(c) + " version yet"
	}
	if r.Paging == Continue && v.Token == "" {
		return "there is no token, because the collection has too few objects or couldn't be listed"
	}
	return ""
}
