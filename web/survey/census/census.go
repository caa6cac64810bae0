// Package census is what the pages about one pass over a cluster share: the form that starts the pass, how far it is, and findings with their ways out.
//
//	page ──▶ Before: nobody has asked ──▶ form ──▶ pass ──▶ Body: as far as it is known, once a second while it reads
package census

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// MediaType is that of a request for the Body alone. It causes no request to the API server.
const MediaType = "application/vnd.fieldmark.pass+json"

// Fields of the form that starts a pass, and the values of the buttons for FieldAct.
const (
	FieldNamespaces = "namespaces" // separated by commas; empty: all
	FieldAct        = "act"
	Start           = "start"
	Stop            = "stop"
)

// FieldExport in the query of a page's address stands for a file with everything that the page is about. The values are JSON and CSV.
const (
	FieldExport = "export"
	JSON        = "json"
	CSV         = "csv"
)

// Pass is what a page knows besides the Body.
type Pass struct {
	At         time.Time `json:"at"`
	Namespaces string    `json:"namespaces,omitempty"` // as the reader typed them
	Types      int       `json:"types,omitempty"`      // that a pass reads
	Others     int       `json:"others,omitempty"`     // requests that it begins with besides the lists of types
}

// Body is what a pass found out, as far as it is known.
type Body struct {
	State      *State   `json:"state"` // nil: nobody has asked
	Groups     []Group  `json:"groups,omitempty"`
	Objects    []Object `json:"objects,omitempty"`    // that the page is about
	All        int      `json:"all,omitempty"`        // how many they are
	Kept       int      `json:"kept,omitempty"`       // how many of them can be shown
	Owners     []Owner  `json:"owners,omitempty"`     // on the page about the move to server-side apply: who applies objects
	MoreOwners int      `json:"moreOwners,omitempty"` // how many more owners there are
}

// Owner is who applies objects today.
type Owner struct {
	Key     string `json:"key"` // for addresses
	Tool    string `json:"tool"`
	Name    string `json:"name,omitempty"` // of the release, the Application or the like; empty: the tool itself
	Objects int    `json:"objects"`        // that are to be moved
	Done    int    `json:"done,omitempty"` // that need nothing
}

// State is how far a pass is.
type State struct {
	Phase      report.Phase `json:"phase"`
	Began      time.Time    `json:"began"`
	Ended      time.Time    `json:"ended,omitzero"`
	Namespaces []string     `json:"namespaces,omitempty"` // empty: all
	Types      int          `json:"types"`
	Done       int          `json:"done"`              // types that were read or refused
	Refused    int          `json:"refused,omitempty"` // types that can't be listed
	Objects    int          `json:"objects"`
}

// StateOf is the state of the pass of a census.
func StateOf(r report.Report) *State {
	s := &State{Phase: r.Phase, Began: r.Began, Ended: r.Ended, Namespaces: r.Namespaces, Types: len(r.Types)}
	for _, t := range r.Types {
		s.Objects += t.Objects
		if t.State != report.Waiting && t.State != report.Arrives {
			s.Done++
		}
		if t.State == report.Refused {
			s.Refused++
		}
	}
	return s
}

// Group are the findings of one kind.
type Group struct {
	Kind     string          `json:"kind"`
	Tone     components.Tone `json:"tone"`
	Title    string          `json:"title"`
	Means    string          `json:"means"`
	Do       string          `json:"do"`
	Findings []Finding       `json:"findings"`
	All      int             `json:"all"` // how many findings there are, also those that aren't shown
}

// Finding is something that the pass found.
type Finding struct {
	About      string   `json:"about"`
	Type       string   `json:"type,omitempty"` // full name of a type whose page shows more
	APIVersion string   `json:"apiVersion,omitempty"`
	Manager    *string  `json:"manager,omitempty"` // whose entries it is about; nil: nobody's
	Why        string   `json:"why"`
	Ways       []Way    `json:"ways,omitempty"`
	Notes      []string `json:"notes,omitempty"`
}

// Way is a way out of a finding, as text to paste.
type Way struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Tried says what the dry run of the way said; empty: the way can't be tried.
	Tried string          `json:"tried,omitempty"`
	Tone  components.Tone `json:"tone,omitempty"`
	// Console is the query of the request console with the request of the way; empty: it is no request, or too long.
	Console string `json:"console,omitempty"`
}

// Object is an object with entries that its page is about: they block applies, or the first server-side apply folds them.
type Object struct {
	Path      string `json:"path"`
	Type      string `json:"type"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Manager   string `json:"manager"` // of the first of the entries
	Entries   string `json:"entries"` // in words
	Last      int64  `json:"last,omitempty"`
}

// Reads tells whether the pass still reads.
func (b Body) Reads() bool { return b.State != nil && b.State.Phase == report.Reading }

// Live is the state that only the browser has.
type Live struct {
	Now     time.Time
	asked   bool   // a request for the body is on its way
	trouble string // why the last request had no usable response; empty: it had one
}

const asking = "pass"

// SignedOut says why nothing more arrives after the session has ended.
const SignedOut = "signed out: reload to sign in again"

// Follow keeps the body of a page current. The address is the page's own.
func (b Body) Follow(l Live, msg page.Msg, address string) (Body, Live, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		l.Now = msg.Now
		if b.Reads() && !l.asked {
			l.asked = true
			return b, l, []page.Cmd{page.Ask{ID: asking, Address: address, Accept: MediaType}}
		}
	case page.Response:
		if msg.ID == asking {
			return b.receive(l, msg)
		}
	}
	return b, l, nil
}

func (b Body) receive(l Live, answer page.Response) (Body, Live, []page.Cmd) {
	l.asked = false
	var next Body
	switch {
	case answer.Status == status.CodeUnauthorized:
		l.trouble = SignedOut
		return b, l, nil
	case answer.Status != status.CodeOK || json.Unmarshal(answer.Body, &next) != nil:
		l.trouble = "Fieldmark doesn’t respond, trying again"
		return b, l, nil
	case next.State == nil:
		return b, l, []page.Cmd{page.Reload{}}
	}
	l.trouble = ""
	if next.Reads() {
		return next, l, nil
	}
	return next, l, []page.Cmd{page.Announce{Words: "The cluster has been read. " + words.Count(int64(next.findings()), "finding", "findings") + "."}}
}

func (b Body) findings() (n int) {
	for _, g := range b.Groups {
		n += g.All
	}
	return n
}

// Liveness says how far the pass is.
func (b Body) Liveness(l Live, at time.Time) components.Liveness {
	return b.State.Liveness(l.trouble, l.now(at))
}

// Liveness says how far a pass is; nil: there is none. While it reads, trouble says why nothing more arrives; empty: all is well.
func (s *State) Liveness(trouble string, now time.Time) components.Liveness {
	switch {
	case s == nil:
		return components.Liveness{}
	case trouble != "" && s.Phase == report.Reading:
		return components.Liveness{Tone: components.Bad, Words: trouble}
	case s.Phase == report.Reading:
		return components.Liveness{
			Tone: components.Busy, Words: "reading, " + words.Thousands(int64(s.Done)) + " of " + words.Count(int64(s.Types), "type", "types"), Done: int64(s.Done), All: int64(s.Types),
		}
	case s.Phase == report.Failed:
		return components.Liveness{Tone: components.Bad, Words: "nothing could be read"}
	case s.Phase == report.Stopped:
		return components.Liveness{Tone: components.Warn, Words: "stopped, " + s.read(now)}
	}
	return components.Liveness{Tone: components.Good, Words: s.read(now)}
}

// now is the reader's time.
func (l Live) now(at time.Time) time.Time {
	if l.Now.IsZero() {
		return at
	}
	return l.Now
}

// read says how long the pass took, and when it was.
func (s State) read(now time.Time) string {
	return "read in " + strconv.FormatFloat(s.Ended.Sub(s.Began).Seconds(), 'f', 1, 64) + " s, " + Ago(s.Ended.Unix(), now)
}

// Ago says how long ago a time in seconds since 1970 was; 0: it isn't known.
func Ago(at int64, now time.Time) string {
	switch since := now.Unix() - at; {
	case at == 0:
		return "not known"
	case since <= 0:
		return "just now"
	default:
		return table.Duration(time.Duration(since)*time.Second) + " ago"
	}
}

// Counted says in short what was read.
func (s State) Counted() string {
	said := words.Count(int64(s.Objects), "object", "objects") + " of " + words.Count(int64(s.Types-s.Refused), "type", "types")
	if s.Refused > 0 {
		said += " · " + words.Count(int64(s.Refused), "type", "types") + " can’t be listed"
	}
	return said
}

// where says which namespaces were read.
func (s State) where() string {
	switch all := s.Namespaces; len(all) {
	case 0:
		return "all namespaces"
	case 1:
		return "namespace " + all[0]
	default:
		return "namespaces " + all[0] + " and " + words.Thousands(int64(len(all)-1)) + " more"
	}
}
