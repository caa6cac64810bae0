package check

import (
	"slices"

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

// Asking is one document about which the API server is asked: for the live object, for a dry run, and after a conflict for one with force.
// Whoever has it sends what Next gives and lets it Hear the response, until there is no next one. Then it can be judged. If nobody named a
// manager, the dry runs wait for For: the live objects of all documents are read first, and Count says who owns what of them.
type Asking struct {
	Document check.Document

	text   string // that is applied
	target aim.Target
	in     check.Input
	stage  stage
}

// stage is the request that comes next.
type stage int

const (
	reading stage = iota
	trying
	forcing
	over
)

// newAsking finds out where a document goes, whose text is what is applied. What can't be sent is over at once.
func newAsking(d check.Document, text string, o Options, catalog discovery.Catalog) *Asking {
	a := &Asking{Document: d, text: text, stage: over}
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
	if unread := slices.IndexFunc(catalog.Failures, func(f discovery.Failure) bool { return f.Group == group }); !served && unread >= 0 {
		a.in.Plain.No = &status.Status{Code: status.CodeBadGateway, Message: "the cluster could not say which types it serves in " + d.APIVersion + ": " + catalog.Failures[unread].Why}
		return
	}
	a.in.Unserved = !served
	if typ.Namespaced {
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

// Next is the request to send next; false: all is known that can be.
func (a *Asking) Next(cluster string) (call.Call, bool) {
	o := aim.Options{Cluster: cluster, Manager: a.in.Manager, Validation: aim.Warn}
	switch a.stage {
	case reading:
		return call.New(cluster, "GET", a.target.Path.String(), "", nil), true
	case trying:
		return a.target.Request(a.text, o, true, a.in.Force), a.in.Manager != ""
	case forcing:
		return a.target.Request(a.text, o, true, true), true
	}
	return call.Call{}, false
}

// Hear takes in the response to what Next gave. The schema of the kind is needed with the first one; nil: there is none.
func (a *Asking) Hear(r *dryrun.Response, known *schema.Schema) {
	heard := check.Response{Object: r.Object.Fields, No: r.No, Warnings: r.Warnings}
	if r.No != nil && r.No.Message == "" {
		no := *r.No
		no.Message = "There was no response."
		heard.No = &no
	}
	switch a.stage {
	case reading:
		a.in.Live, a.in.Schema, a.stage = heard, known, trying
	case trying:
		a.in.Plain, a.stage = heard, over
		if r.Conflicts() && !a.in.Force {
			a.stage = forcing
		}
	case forcing:
		a.in.Forced, a.stage = &heard, over
	}
}

// Count counts who owns what the document has.
func (a *Asking) Count(votes *check.Votes) {
	if a.in.Live.Object != nil {
		votes.Count(a.in.Live.Object, a.Document.Source.Fields(), a.in.Schema)
	}
}

// forget forgets the live object, so that it is read again before the dry run.
func (a *Asking) forget() {
	if a.stage == trying {
		a.in.Live, a.stage = check.Response{}, reading
	}
}

// For names the manager.
func (a *Asking) For(manager string) { a.in.Manager = manager }

// Judge tells what was found.
func (a *Asking) Judge(contents check.Contents) []check.Finding {
	in := a.in
	in.Document, a.in = a.Document, check.Input{} // of hundreds of documents the objects need not be kept
	return check.Judge(in, contents)
}

// path is the API path of the object; false: there is none.
func (a *Asking) path() (apipath.Path, bool) {
	return a.target.Path, a.target.Path.Kind == apipath.KindObject
}

func (a *Asking) kind() schema.Kind { return aim.KindOf(a.Document.Source) }
