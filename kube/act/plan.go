package act

import (
	"maps"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// Plan is what to send, and what the reader must know before. If Waits, Nothing or Wrong is set, there are no steps.
type Plan struct {
	Steps []Step
	// Waits tells that a required Read has no result yet.
	Waits bool
	// Nothing says why there is nothing to send.
	Nothing string
	// Wrong says what is wrong with an option, by its name.
	Wrong map[string]string
	// Notes are sentences about what happens, the worst first.
	Notes []Note
	// Touches are the fields of the object that the plan changes, with their owners.
	Touches []Touch
	// Patience is how long to try again what the API server refuses for now (429); zero: not at all.
	Patience time.Duration
}

// Tone is how bad a note is.
type Tone string

// The tones.
const (
	Info   Tone = "info"
	Warn   Tone = "warn"   // probably not what the reader wants
	Danger Tone = "danger" // something is lost
)

// Note is a sentence or two about the plan.
type Note struct {
	Tone Tone
	Text string
}

// Answer is what the response to a step is.
type Answer string

// The answers.
const (
	TheObject  Answer = "object"  // the object at the step's path: compare it with the object before
	TheScale   Answer = "scale"   // a Scale; After predicts the object
	TheStatus  Answer = "status"  // a Status, without an object
	TheEnd     Answer = "end"     // a Status if the object is gone; the object if something still keeps it
	ANewObject Answer = "created" // the created object
)

// Step is one request. Send the steps of a stage after all steps of the stages before have succeeded. Steps of one stage don't depend
// on each other.
type Step struct {
	Stage      int
	Title, Why string
	Path       apipath.Path  // of the object; of the collection if the step creates an object
	Request    patch.Request // its path is Path, followed by its subresource
	Answer     Answer
	// After predicts the object after the step, with its managedFields. It is set if the response isn't the object.
	After *object.Object
	// Again tells that after the step, what the plan needs must be read again: something may have come in the meantime. Make another plan with it,
	// for the object in the response, and add its steps that aren't in this plan.
	Again bool
	// Retry tells that the API server may refuse the step for now (429), and to try it again after the response's Retry-After, for as
	// long as the plan's Patience.
	Retry bool
	Goal  Goal
	// Undo is the step that takes this one back; nil: there is none.
	Undo *Step
}

// Target is the path of the request, with its query.
func (s Step) Target() string { return target(s.Path, s.Request) }

// DryTarget is the path of the dry run, with its query. The dry run has DryBody. The rest is as in the request.
func (s Step) DryTarget() string {
	r := s.Request
	r.Query = maps.Clone(r.Query)
	if r.Query == nil {
		r.Query = url.Values{}
	}
	r.Query.Set("dryRun", "All")
	return target(s.Path, r)
}

// DryBody is the body of the dry run. The API server reads the options of a deletion from its body only.
func (s Step) DryBody() []byte {
	if s.Answer != TheEnd {
		return s.Request.Body
	}
	return append([]byte(`{"dryRun":["All"],`), s.Request.Body[1:]...)
}

// Same tells whether a step does the same as another one.
func (s Step) Same(as Step) bool { return s.Target() == as.Target() && s.Goal == as.Goal }

// Verb is the API verb of the request, for which the reader needs permission on Resource.
func (s Step) Verb() string { return apipath.Verb(s.Request.Method, s.Resource(), s.Request.Query) }

// Resource is the path that permissions are checked for: the object or the collection, with the subresource.
func (s Step) Resource() apipath.Path {
	if s.Request.Subresource == "" {
		return s.Path
	}
	return apipath.SubresourceOf(s.Path, s.Request.Subresource)
}

func target(p apipath.Path, r patch.Request) string {
	if r.Subresource != "" {
		p = apipath.SubresourceOf(p, r.Subresource)
	}
	if len(r.Query) == 0 {
		return p.String()
	}
	return p.String() + "?" + r.Query.Encode()
}

// planner makes a plan.
type planner struct {
	Subject
	Plan

	found   Found
	chosen  Chosen
	options []Option
}

func (p *planner) addNote(tone Tone, text string) { p.Notes = append(p.Notes, Note{tone, text}) }

func (p *planner) wrong(option, why string) {
	if p.Wrong == nil {
		p.Wrong = map[string]string{}
	}
	p.Wrong[option] = why
}

// manager is the manager as which a step writes.
func (s Subject) manager(subresource string) ownership.Manager {
	name := s.Manager
	if name == "" {
		name = Manager
	}
	return ownership.Manager{Name: name, Operation: ownership.Update, Subresource: subresource, APIVersion: s.Object.APIVersion()}
}
