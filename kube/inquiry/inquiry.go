package inquiry

import (
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// AtOnce is the maximum number of requests that Asks returns.
const AtOnce = 8

// The bounds of an inquiry.
const (
	mostExplained = 50 // refusals
	mostRead      = 5  // objects to read for one refusal
	chunk         = "500"
	mostPerType   = 5000 // objects
	mostSearched  = 50_000
	mostShown     = 10 // objects that a refusal may be about
	mostFields    = 100
)

// Options has information besides the text.
type Options struct {
	// Catalog has the types that the cluster serves; nil: there is no cluster, and no request is made.
	Catalog *discovery.Catalog
	// Namespace is the namespace of objects if the text doesn't have it.
	Namespace string
	// Manager is the manager that was refused, if the user gave it.
	Manager string
	// Documents are manifests that have the fields and values of the refused requests.
	Documents []check.Document
	// Schema returns the schema of a type; it may be nil.
	Schema func(discovery.Type) *schema.Schema
}

// Ask is a request that would help: a GET, or the dry run of a way out.
type Ask struct {
	Path   apipath.Path
	Query  url.Values
	Accept string
	// Method, ContentType and Body are those of a dry run; empty for a GET.
	Method, ContentType string
	Body                []byte
	take                func(Heard)
}

// Target is the path of the request, with its query.
func (a Ask) Target() string {
	if len(a.Query) == 0 {
		return a.Path.String()
	}
	return a.Path.String() + "?" + a.Query.Encode()
}

// Heard is the response to an Ask. Exactly one of the fields is set.
type Heard struct {
	Body []byte
	No   *status.Status // why there is no body; without a code if there was no response
}

// Inquiry is a text that is being explained.
type Inquiry struct {
	Options
	reading refusal.Reading
	matters []*matter
	waiting []Ask // not returned by Asks yet
	under   []Ask // returned by Asks, without a response yet
	stage   stage
	search  search
	schemas map[string]*schema.Schema // of types that were compared with a refusal's fields
}

type stage int

const (
	reading   stage = iota // objects that the text names
	searching              // objects that the text doesn't name
	resolving              // the object that the search found
	leaving                // ways out of refusals, as dry runs
	done
)

// matter is a refusal, with the objects that were found for it.
type matter struct {
	no       refusal.Refusal
	times    int
	found    []*found
	searched bool
	fits     int // how many objects the search found
	notes    []string
	tried    map[string]check.Response // to dry runs of ways out
}

// found is an object that a refusal is about, or may be about.
type found struct {
	of              discovery.Type
	namespace, name string
	live            map[string]any // the object; nil: it wasn't read
	told            bool           // the text has its type, name and namespace
	assumed         bool           // the namespace is from the options
	matches         bool           // its managedFields have all fields of the conflict
	rank            int
	written         string // when the manager wrote it last
}

// New begins an inquiry.
func New(r refusal.Reading, o Options) *Inquiry {
	q := &Inquiry{Options: o, reading: r}
	byText := map[string]*matter{}
	for _, no := range r.Refusals {
		key := keyOf(no)
		if m := byText[key]; m != nil {
			m.times++
			continue
		}
		if len(q.matters) == mostExplained {
			continue
		}
		m := &matter{no: no, times: 1}
		byText[key] = m
		q.matters = append(q.matters, m)
	}
	if o.Catalog == nil {
		q.stage = done
		return q
	}
	for _, m := range q.matters {
		q.readNamed(m)
	}
	return q
}

// Asks returns the next requests. They can be sent at the same time. If there are none, the inquiry is complete.
func (q *Inquiry) Asks() []Ask {
	for len(q.waiting) == 0 && q.stage != done {
		q.stage++
		switch q.stage {
		case searching:
			q.beginSearch()
		case resolving:
			q.resolve()
		case leaving:
			for _, m := range q.matters {
				q.requestTrials(m)
			}
		}
	}
	n := min(AtOnce, len(q.waiting))
	q.under, q.waiting = q.waiting[:n:n], q.waiting[n:]
	return q.under
}

// Take takes the responses to the last Asks, in the same order.
func (q *Inquiry) Take(all []Heard) {
	for i, a := range q.under {
		if i < len(all) {
			a.take(all[i])
		}
	}
	q.under = nil
}

// requestObject requests an object.
func (q *Inquiry) requestObject(f *found, then func(Heard)) {
	q.waiting = append(q.waiting, Ask{
		Path: apipath.Object(f.of.Group, f.of.Version, f.namespace, f.of.Resource, f.name), Accept: accept.JSON,
		take: func(h Heard) {
			if h.No == nil {
				if o, err := object.Parse(h.Body); err == nil {
					f.live = o.Fields
				}
			}
			then(h)
		},
	})
}

// worth tells whether the live object helps to explain a reason.
func worth(r refusal.Reason) bool {
	return slices.Contains([]refusal.Reason{refusal.Conflict, refusal.Modified, refusal.Invalid, refusal.Immutable, refusal.AlreadyExists, refusal.NotAdopted}, r)
}

// readNamed requests the objects that the text names. If a conflict names none, it requests the objects of manifests with its fields.
func (q *Inquiry) readNamed(m *matter) {
	if !worth(m.no.Reason) {
		return
	}
	candidates := q.namedObjects(m)
	if len(candidates) > mostRead {
		m.notes = append(m.notes, "More objects have this name. They were not read.")
		candidates = candidates[:mostRead]
	}
	for _, f := range candidates {
		q.requestObject(f, func(h Heard) { q.heard(m, f, h) })
	}
}

// heard takes the response to the request of a named object.
func (q *Inquiry) heard(m *matter, f *found, h Heard) {
	where := f.objectText()
	switch {
	case h.No == nil && f.live != nil:
		f.matches = m.no.Reason == refusal.Conflict && q.search.fit(ownership.Parse(f.live), m)
		m.found = append(m.found, f)
		if !f.matches && m.no.Reason == refusal.Conflict && f.told {
			m.notes = append(m.notes, "The managers of "+where+" have changed since the text was printed. They no longer own all of these fields.")
		}
	case h.No == nil:
		m.notes = append(m.notes, where+" couldn't be read, because the response isn't an object.")
	case h.No.Is(status.NotFound) && f.told:
		m.notes = append(m.notes, where+" doesn't exist, or no longer exists.")
		m.found = append(m.found, f)
	case !h.No.Is(status.NotFound):
		m.notes = append(m.notes, where+" couldn't be read: "+h.No.Message+".")
		m.found = append(m.found, f)
	}
}

// resolve reads the object that a search found, if there is only one.
func (q *Inquiry) resolve() {
	for _, m := range q.matters {
		if m.searched && len(m.found) == 1 && m.fits == 1 {
			q.requestObject(m.found[0], func(h Heard) {
				if h.No != nil {
					m.notes = append(m.notes, m.found[0].objectText()+" couldn't be read: "+h.No.Message+".")
				}
			})
		}
	}
}

// requestTrials requests the dry runs of the ways out. They need the manifest and the object.
func (q *Inquiry) requestTrials(m *matter) {
	f := m.only()
	if f == nil || q.subject(m).document == nil {
		return
	}
	m.tried = map[string]check.Response{}
	for _, trial := range check.TrialsOf(q.explainRefusal(m).Ways) {
		dry := check.DryRun(apipath.Object(f.of.Group, f.of.Version, f.namespace, f.of.Resource, f.name), trial)
		q.waiting = append(q.waiting, Ask{
			Path: dry.Path, Query: dry.Query, Accept: accept.JSON, Method: dry.Method, ContentType: dry.ContentType, Body: dry.Body,
			take: func(h Heard) {
				heard := check.Response{No: h.No}
				if o, err := object.Parse(h.Body); err == nil {
					heard.Object = o.Fields
				}
				m.tried[check.Key(trial)] = heard
			},
		})
	}
}

// objectText is the object's name in a sentence.
func (f *found) objectText() string { return worded(f.object()) }

func (f *found) object() check.Object {
	return check.Object{APIVersion: f.of.GroupVersion(), Kind: f.of.Kind, Namespace: f.namespace, Name: f.name}
}

func worded(o check.Object) string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}
