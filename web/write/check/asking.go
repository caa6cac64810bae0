package check

import (
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// Asking is the sequence of requests for one document: read the live object, dry run, after a conflict a dry run with force, and after a refusal a dry
// run of each way out of it.
// The caller sends the request of Next and passes the response to Hear, until Next has no request. Then Judge gives the findings. If the
// reader named no manager, Next has no dry run until For names one. The caller first reads all live objects, and Count counts their owners.
type Asking struct {
	Document check.Document

	target aim.Target
	in     check.Input
	stage  stage
	trials []check.Trial // not sent yet
}

// stage is the request that comes next.
type stage int

const (
	reading stage = iota
	trying
	forcing
	leaving // a refusal: the trials of ways out
	over
)

// newAsking finds the target of a document, which may be an item of a list. If nothing can be sent, there is no next request.
func newAsking(d check.Document, o Options, catalog discovery.Catalog) *Asking {
	a := &Asking{Document: d, stage: over}
	a.in = check.Input{Manager: o.Manager, Force: o.Force}
	if !d.Askable() {
		return a
	}
	a.aim(d.Source, o, catalog)
	return a
}

func (a *Asking) aim(d source.Document, o Options, catalog discovery.Catalog) {
	group, version := aim.SplitVersion(d.APIVersion)
	typ, served := catalog.Kind(group, version, d.Kind)
	if f, unread := catalog.Unread(group, version); !served && unread {
		a.in.Plain.No = &status.Status{Code: status.CodeBadGateway, Message: f.Words() + " So Fieldmark doesn’t know whether the cluster serves this type."}
		return
	}
	a.in.Unserved, a.in.Verbs = !served, typ.Verbs
	if a.Document.Clustered = served && !typ.Namespaced; typ.Namespaced {
		a.Document.Namespace = o.Namespace
	}
	head := aim.Head{APIVersion: d.APIVersion, Kind: d.Kind, Name: d.Name, GenerateName: d.GenerateName}
	if typ.Namespaced {
		head.Namespace = d.Namespace
	}
	t, why := aim.At(head, catalog, o.Namespace, "")
	if why == "" && !t.Creates() {
		a.target, a.stage = t, reading
	}
}

// Next returns the request to send next. It returns false if there is none.
func (a *Asking) Next(cluster string) (call.Call, bool) {
	o := aim.Options{Cluster: cluster, Manager: a.in.Manager, Validation: aim.Warn}
	switch a.stage {
	case reading:
		return call.New(cluster, "GET", a.target.Path.String(), "", nil), true
	case trying:
		if a.in.Manager == "" {
			return call.Call{}, false
		}
		return a.target.Request(alone(a.Document.Source), o, true, a.in.Force), true
	case forcing:
		return a.target.Request(alone(a.Document.Source), o, true, true), true
	case leaving:
		return a.target.Trial(a.trials[0], o), true
	}
	return call.Call{}, false
}

// Hear takes the response to the request of Next. The first call needs the schema of the kind; nil if there is none.
func (a *Asking) Hear(r *dryrun.Response, known *schema.Schema) {
	heard := check.Response{Object: r.Object.Fields, No: r.No, Warnings: r.Warnings}
	if r.No != nil && r.No.Message == "" {
		no := *r.No
		no.Message = "The API server didn’t respond."
		heard.No = &no
	}
	switch a.stage {
	case reading:
		a.in.Live, a.in.Schema, a.stage = heard, known, trying
	case trying:
		a.in.Plain = heard
		if a.stage = forcing; !r.Conflicts() || a.in.Force {
			a.leave()
		}
	case forcing:
		a.in.Forced = &heard
		a.leave()
	case leaving:
		a.in.Tried[check.Key(a.trials[0])] = heard
		if a.trials = a.trials[1:]; len(a.trials) == 0 {
			a.stage = over
		}
	}
}

// leave prepares the trials of ways out of a refusal.
func (a *Asking) leave() {
	a.stage = over
	if a.in.Plain.No == nil {
		return
	}
	in := a.in
	in.Document = a.Document
	a.trials, a.in.Tried = check.Trials(check.Judge(in, check.Contents{})), map[string]check.Response{}
	if len(a.trials) > 0 {
		a.stage = leaving
	}
}

// Count counts the owners of the document's fields in the live object.
func (a *Asking) Count(votes *check.Votes) {
	if a.in.Live.Object != nil {
		votes.Count(a.in.Live.Object, a.Document.Source.Read().Fields(), a.in.Schema)
	}
}

// forget drops the live object. Next reads it again before the dry run.
func (a *Asking) forget() {
	if a.stage == trying {
		a.in.Live, a.stage = check.Response{}, reading
	}
}

// For sets the manager of the dry runs.
func (a *Asking) For(manager string) { a.in.Manager = manager }

// Judge returns the findings, and drops the objects.
func (a *Asking) Judge(contents check.Contents) []check.Finding {
	in := a.in
	in.Document, a.in = a.Document, check.Input{} // hundreds of objects would take too much memory
	return check.Judge(in, contents)
}

// path returns the API path of the object; false if there is none.
func (a *Asking) path() (apipath.Path, bool) {
	return a.target.Path, a.target.Path.Kind == apipath.KindObject
}

func (a *Asking) kind() schema.Kind { return aim.KindOf(a.Document.Source) }
