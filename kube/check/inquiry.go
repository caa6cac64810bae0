package check

import (
	"maps"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// A plan says which requests a check needs. The terminal, the page and the server only send them:
//
//	for each document:  Inquire ──▶ Next ──▶ the caller sends it ──▶ Take ──▶ Next … until there is no request
//	without a manager:  Next reads the live object only ──▶ Count; after all documents Choose, and then Next again
//	at the end:         Judge ──▶ findings ──▶ Lacking.Fold, in the order of the documents

// mostKept is how many documents keep their live objects after the survey. The objects of the others are read again, so that memory stays bounded.
const mostKept = 250

// Plan is what all documents of a check share.
type Plan struct {
	Manager  string // the field manager to apply as; empty: the survey chooses it
	Force    bool   // the user would apply with force
	Contents Contents
	// Body is the body of a document's dry run.
	Body func(source.Document) ([]byte, error)

	votes   Votes
	counted int
}

// Surveys tells whether live objects are read first, to choose the manager.
func (p *Plan) Surveys() bool { return p.Manager == "" }

// Count counts the owners of a document's fields in its live object.
func (p *Plan) Count(q *Inquiry) {
	if q.in.Live.Object != nil {
		p.votes.Count(q.in.Live.Object, q.Document.Source.Read().Fields(), q.Schema)
	}
	if p.counted++; p.counted > mostKept && q.stage == trying {
		q.in.Live, q.stage = Response{}, reading
	}
}

// Choose ends the survey. All documents are judged for the manager that owns most of their fields.
func (p *Plan) Choose() Choice {
	choice := p.votes.Choice()
	p.Manager = choice.Manager
	return choice
}

// Served is what discovery says about the type of a document.
type Served struct {
	Type discovery.Type // without a resource: no API server of the cluster serves the type
	No   *status.Status // why nobody knows; nil: discovery knows
	// Kinds are the kinds of the type's group and version, if it isn't served. One of them may be meant.
	Kinds []string
}

// Ask is a request that the check needs: a GET, or a dry run.
type Ask struct {
	Method      string
	Path        apipath.Path
	Query       url.Values
	ContentType string
	Body        []byte
	// Trial tells that the request is the trial of a way out. Without a response, the document can still be judged.
	Trial bool
}

// Target is the path of the request, with its query.
func (a Ask) Target() string {
	if len(a.Query) == 0 {
		return a.Path.String()
	}
	return a.Path.String() + "?" + a.Query.Encode()
}

// Inquiry is the sequence of requests for one document: read the live object, dry run, after a conflict a dry run with force, and after a refusal a
// dry run of each way out of it.
type Inquiry struct {
	Document Document
	Schema   *schema.Schema // of the kind, if it is known; needed from the dry run on
	Err      error          // why the document can't be sent

	plan   *Plan
	in     Input
	path   apipath.Path
	stage  stage
	trials []Trial // not sent yet
}

// stage is the request that comes next.
type stage int

const (
	over stage = iota
	reading
	trying
	forcing
	leaving // a refusal: the trials of ways out
)

// Inquire begins the inquiry about a document, which may be an item of a list. If nothing can be sent, there is no next request.
func (p *Plan) Inquire(d Document, s Served) *Inquiry {
	q := &Inquiry{Document: d, plan: p}
	if !d.Askable() {
		return q
	}
	t := s.Type
	q.Document.Clustered = t.Resource != "" && !t.Namespaced
	q.in.Plain.No, q.in.Unserved, q.in.Verbs, q.in.Kinds = s.No, s.No == nil && t.Resource == "", t.Verbs, s.Kinds
	if t.Resource == "" || q.in.Unpatched() || d.Source.Name == "" { // without a name, the server makes one up when it creates the object
		return q
	}
	q.path, q.stage = apipath.Object(t.Group, t.Version, q.Document.Object().Namespace, t.Resource, d.Source.Name), reading
	return q
}

// Path is the API path of the object; false if no request is about it.
func (q *Inquiry) Path() (apipath.Path, bool) { return q.path, q.path.Kind == apipath.KindObject }

// Next returns the request to send next; false if there is none.
func (q *Inquiry) Next() (Ask, bool) {
	var ask Ask
	switch {
	case q.stage == over, q.stage != reading && q.plan.Surveys():
		return Ask{}, false
	case q.stage == reading:
		return Ask{Method: request.Get, Path: q.path}, true
	case q.stage == leaving:
		ask = DryRun(q.path, q.trials[0])
		ask.Trial = true
	default:
		body, err := q.plan.Body(q.Document.Source)
		if err != nil {
			q.Err, q.stage = err, over
			return Ask{}, false
		}
		query := url.Values{"fieldManager": {q.plan.Manager}}
		if q.plan.Force || q.stage == forcing {
			query.Set("force", "true")
		}
		ask = DryRun(q.path, patch.Request{Method: request.Patch, Query: query, ContentType: patch.ServerSideType, Body: body})
	}
	ask.Query.Set("fieldValidation", "Warn")
	return ask, true
}

// DryRun is a request about an object, as a dry run. A POST goes to the object's collection.
func DryRun(object apipath.Path, r patch.Request) Ask {
	path := object
	switch {
	case r.Method == request.Post:
		path = apipath.CollectionOf(object)
	case r.Subresource != "":
		path = apipath.SubresourceOf(object, r.Subresource)
	}
	query := url.Values{"dryRun": {"All"}}
	maps.Copy(query, r.Query)
	return Ask{Method: r.Method, Path: path, Query: query, ContentType: r.ContentType, Body: r.Body}
}

// Take takes the response to the request of Next.
func (q *Inquiry) Take(r Response) {
	switch q.stage {
	case reading:
		q.in.Live, q.stage = r, trying
	case trying:
		q.in.Plain = r
		if q.stage = forcing; q.plan.Force || r.No == nil || !r.No.ManagerConflict() {
			q.prepareTrials()
		}
	case forcing:
		q.in.Forced = &r
		q.prepareTrials()
	case leaving:
		q.in.Tried[Key(q.trials[0])] = r
		if q.trials = q.trials[1:]; len(q.trials) == 0 {
			q.stage = over
		}
	}
}

// prepareTrials prepares the trials of ways out of a refusal.
func (q *Inquiry) prepareTrials() {
	q.stage = over
	if q.in.Plain.No == nil {
		return
	}
	q.trials, q.in.Tried = Trials(Judge(q.input(), q.plan.Contents)), map[string]Response{}
	if len(q.trials) > 0 {
		q.stage = leaving
	}
}

// input is the document with all responses so far.
func (q *Inquiry) input() Input {
	in := q.in
	in.Document, in.Schema, in.Manager, in.Force = q.Document, q.Schema, q.plan.Manager, q.plan.Force
	return in
}

// Judge returns the findings, and drops the objects.
func (q *Inquiry) Judge() []Finding {
	in := q.input()
	q.in = Input{} // hundreds of objects would take too much memory
	return Judge(in, q.plan.Contents)
}
