// Package planning makes the plan for moving to server-side apply: it finds the objects that tools own in the metadata of all objects, learns their
// manifests, and predicts the first server-side apply of each. It sends no request itself. The terminal plans a whole cluster, and a page the objects of
// one owner.
//
//	census ──▶ Take ──▶ candidates ──▶ ReadOptions, ReadRelease ──▶ Predict: manifest, dry runs ──▶ kube/check, kube/migrate
package planning

import (
	"context"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// MostPredicted is how many objects a plan has. It counts all others.
const MostPredicted = 500

// Send is how requests are sent. All are reads and dry runs.
type Send struct {
	// Get sends a GET and returns the body, or why there is none.
	Get func(ctx context.Context, target, accept string) (body []byte, no *status.Status)
	// Ask sends a GET or a dry run. A refusal is a response; the error says that there was none.
	Ask func(ctx context.Context, a check.Ask) (check.Response, error)
	// Type finds the type of a manifest; the error says why it can't.
	Type func(kind schema.Kind) (discovery.Type, error)
	// Schema is the schema of a kind; nil: it isn't known.
	Schema func(ctx context.Context, kind schema.Kind) *schema.Schema
}

// id identifies an object in all versions of its type.
type id struct{ group, kind, namespace, name string }

// Candidate is an object whose first server-side apply can be predicted.
type Candidate struct {
	Type  discovery.Type
	Meta  map[string]any // the object, or its metadata alone
	Owner migrate.Owner

	source migrate.Source
	file   string
	stated *check.Document // nil: no manifest is known
}

// Planning is what is known for a plan. Take and the reading methods are called one at a time. Predict may then be called for several candidates at the
// same time.
type Planning struct {
	// Candidates are the objects to predict, at most MostPredicted. More counts the others. Done counts objects that need nothing.
	Candidates []Candidate
	More, Done int
	// Releases are the API paths of the Secrets that have the releases of today.
	Releases []string
	// Missing says what could not be read, in sentences.
	Missing []string

	catalog  discovery.Catalog
	send     Send
	given    map[id]check.Document // nil: the plan is about all objects
	lacking  map[id]bool           // those of given that weren't seen
	seen     map[id]bool
	contents check.Contents
	stored   map[id]stored
	options  map[migrate.Tool]map[string]migrate.Options
}

// stored is a document of a release.
type stored struct {
	document check.Document
	method   string
}

// New prepares a plan for a cluster that serves these types. If given isn't nil, the plan is about the objects of these documents only.
func New(catalog discovery.Catalog, send Send, given []check.Document) *Planning {
	p := &Planning{
		catalog: catalog, send: send, seen: map[id]bool{}, contents: check.ContentsOf(nil), stored: map[id]stored{},
		options: map[migrate.Tool]map[string]migrate.Options{migrate.ArgoCD: {}, migrate.FluxHelm: {}},
	}
	if given == nil {
		return p
	}
	p.given, p.lacking = map[id]check.Document{}, map[id]bool{}
	p.contents.Add(given)
	for _, d := range given {
		which := p.idOf(d)
		p.given[which], p.lacking[which] = d, true
	}
	return p
}

// idOf is the object of a document.
func (p *Planning) idOf(d check.Document) id {
	o := d.Object()
	group, version := discovery.SplitGroupVersion(o.APIVersion)
	if t, served := p.catalog.Kind(group, version, o.Kind); served && !t.Namespaced {
		o.Namespace = ""
	}
	return id{group, o.Kind, o.Namespace, o.Name}
}

// Wants tells whether objects of a type can be in the plan.
func (p *Planning) Wants(t discovery.Type) bool {
	if !t.Can("patch") {
		return false
	}
	if p.given == nil {
		return t.Resource != "events"
	}
	for which := range p.given {
		if which.group == t.Group && which.kind == t.Kind {
			return true
		}
	}
	return false
}

// Take looks at an object, or its metadata alone. It takes each object once.
func (p *Planning) Take(t discovery.Type, raw []byte) {
	o, err := object.Parse(raw)
	if err != nil {
		return
	}
	which := id{t.Group, t.Kind, o.Meta("namespace"), o.Meta("name")}
	if p.seen[which] {
		return
	}
	p.seen[which] = true
	if IsRelease(t, o) {
		p.Releases = append(p.Releases, apipath.Object(t.Group, t.Version, which.namespace, t.Resource, which.name).String())
		return
	}
	d, named := p.given[which]
	if p.given != nil && !named {
		return
	}
	owner, owned := owning(o)
	switch {
	case !owned && !named:
		return
	case !owned:
		owner = migrate.ByHand(o.Fields)
	case owner.Done() && !named:
		p.Done++
		return
	}
	c := Candidate{Type: t, Meta: o.Fields, Owner: owner}
	if named {
		delete(p.lacking, which)
		c.source, c.stated = migrate.Given, &d
		if !d.Built {
			c.file = d.File
		}
	}
	if len(p.Candidates) == MostPredicted {
		p.More++
		return
	}
	p.Candidates = append(p.Candidates, c)
}

// owning finds the tool that applies an object, unless a controller only copied the tool's marks to it.
func owning(o object.Object) (migrate.Owner, bool) {
	owner, owned := migrate.OwnerOf(o.Fields)
	if owned && len(o.OwnerReferences()) > 0 && !owner.Wrote() {
		return migrate.Owner{}, false
	}
	return owner, owned
}

// IsRelease tells whether an object is a Secret with the release of today.
func IsRelease(t discovery.Type, o object.Object) bool {
	labels := o.Labels()
	return t.Group == "" && t.Resource == "secrets" &&
		strings.HasPrefix(o.Meta("name"), migrate.ReleasePrefix) && slices.Contains(labels, "owner=helm") && slices.Contains(labels, "status=deployed")
}

// Lacking are the objects of the given documents that weren't seen, in words.
func (p *Planning) Lacking() (all []string) {
	for which := range p.lacking {
		all = append(all, plain.Object(which.kind, which.namespace, which.name))
	}
	slices.Sort(all)
	return all
}

// Has tells whether a tool owns a candidate.
func (p *Planning) Has(tools ...migrate.Tool) bool {
	return slices.ContainsFunc(p.Candidates, func(c Candidate) bool { return slices.Contains(tools, c.Owner.Tool) })
}

// optionsIn are the types whose objects say how a tool applies.
var optionsIn = map[migrate.Tool][2]string{migrate.ArgoCD: {"argoproj.io", "applications"}, migrate.FluxHelm: {"helm.toolkit.fluxcd.io", "helmreleases"}}

// ReadOptions reads what Applications and HelmReleases say about server-side apply, if the plan has objects of them.
func (p *Planning) ReadOptions(ctx context.Context) {
	for tool, of := range optionsIn {
		t, served := p.catalog.Type(of[0], "", of[1])
		if !served || !p.Has(tool) {
			continue
		}
		no := reading.Wholes(ctx, p.send.Get, t, func(raw []byte) {
			if of, key, options := migrate.OptionsOf(raw); of == tool {
				p.options[tool][key] = options
			}
		})
		if no != nil {
			p.Missing = append(p.Missing, "The options in "+t.FullName()+" could not be read: "+plain.Text(no.String()))
		}
	}
}

// ReadRelease reads one of Releases, and keeps its manifests until the plan is made. Release Secrets are read only if the user asks for it.
func (p *Planning) ReadRelease(ctx context.Context, path string) {
	r, why := p.release(ctx, path)
	if why != "" {
		p.Missing = append(p.Missing, "The release in "+plain.Text(path)+" could not be read: "+plain.Text(why))
		return
	}
	for _, d := range r.Documents() {
		one := check.Document{Source: d, Namespace: r.Namespace}
		p.stored[p.idOf(one)] = stored{one, r.Method()}
	}
}

func (p *Planning) release(ctx context.Context, path string) (r migrate.Release, why string) {
	body, no := p.send.Get(ctx, path, "application/json")
	if no != nil {
		return migrate.Release{}, no.String()
	}
	r, err := migrate.ReadRelease(body)
	if err != nil {
		return migrate.Release{}, err.Error()
	}
	return r, ""
}
