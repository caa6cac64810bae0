// Package gather reads what an upgrade check needs beside the metadata of all objects, and finds the objects that can't be applied in that metadata. The
// census of package kube/census/reading reads the metadata itself, so that one pass answers who writes to a cluster and what an upgrade breaks.
//
//	Definitions ──▶ definitions of types ─────────────────────────┐
//	Parts       ──▶ API services, webhooks                        ├──▶ Facts ──▶ upgrade.Findings
//	Metrics     ──▶ deprecated versions that somebody requested   │
//	reading.Reading ─┬─▶ its report ──────────────────────────────┘
//	                 └─▶ Take: each object ──▶ Blocked
package gather

import (
	"context"
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

// Requests is how many requests a gathering begins with: four lists, and the metrics.
const Requests = 5

// MostBlocked is how many objects a gathering keeps that can't be applied. It counts all others.
const MostBlocked = 1000

// Send is how requests are sent.
type Send struct {
	// Get sends a GET and returns the body, or why there is none.
	Get func(ctx context.Context, target, accept string) (body []byte, no *status.Status)
	// Lines reads a text line by line, and keeps none of them.
	Lines func(ctx context.Context, target string, take func(line string)) (no *status.Status)
}

// Gathering is what has been read of a cluster. It is safe for concurrent use.
type Gathering struct {
	send Send

	mu      sync.Mutex
	facts   upgrade.Facts // without a target and a census
	blocked []upgrade.Record
	more    map[string]int // blocked objects that aren't kept, by the name of their type
	kept    []string       // the name of the type of each of blocked
}

// New prepares a gathering of a cluster that serves these types.
func New(catalog discovery.Catalog, send Send) (*Gathering, error) {
	table, err := removal.Of()
	if err != nil {
		return nil, err
	}
	return &Gathering{send: send, facts: upgrade.Facts{Table: table, Catalog: catalog}, more: map[string]int{}}, nil
}

// Plan is a census of types that fills the gathering. Read the definitions before it: without them, nobody can tell which objects can't be applied.
func (g *Gathering) Plan(types []discovery.Type, namespaces []string) reading.Plan {
	return reading.Plan{Types: types, Namespaces: namespaces, Served: g.facts.Catalog.Serves, Take: g.take, Lost: g.lose}
}

// Facts are what is known for a target, with a census.
func (g *Gathering) Facts(target release.Version, census report.Report) upgrade.Facts {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := g.facts
	f.Target, f.Census = target, census
	f.Definitions, f.Services, f.Hooks = slices.Clone(f.Definitions), slices.Clone(f.Services), slices.Clone(f.Hooks)
	f.Requested, f.Missing = slices.Clone(f.Requested), slices.Clone(f.Missing)
	return f
}

// AboutApplies are what is known about objects that can't be applied. No finding is about a target.
func (g *Gathering) AboutApplies(census report.Report) []upgrade.Finding {
	return upgrade.AboutApplies(g.Facts(g.facts.Table.MadeFor, census).Findings())
}

// Blocked are the objects that can't be applied, and how many more there are.
func (g *Gathering) Blocked() (all []upgrade.Record, more int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range g.more {
		more += n
	}
	return slices.Clone(g.blocked), more
}

// take looks at an object of the census.
func (g *Gathering) take(t discovery.Type, raw []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	d, defined := g.facts.DefinitionOf(t.Group, t.Resource)
	if !defined || d.ListsAll(raw) {
		return
	}
	if len(g.blocked) >= MostBlocked {
		g.more[t.FullName()]++
		return
	}
	if r, is := Judge(d, t, raw); is {
		g.blocked, g.kept = append(g.blocked, r), append(g.kept, t.FullName())
	}
}

// lose forgets the objects of a type, which is read again.
func (g *Gathering) lose(t discovery.Type) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.more, t.FullName())
	for i := len(g.kept) - 1; i >= 0; i-- {
		if g.kept[i] == t.FullName() {
			g.blocked, g.kept = slices.Delete(g.blocked, i, i+1), slices.Delete(g.kept, i, i+1)
		}
	}
}

// Judge tells whether an object of a type can't be applied, and what leads out. Its metadata is enough.
func Judge(d upgrade.Definition, t discovery.Type, raw []byte) (r upgrade.Record, blocked bool) {
	o, err := object.Parse(raw)
	if err != nil {
		return upgrade.Record{}, false
	}
	return d.Blocked(o.Fields, apipath.Object(t.Group, t.Version, o.Meta("namespace"), t.Resource, o.Meta("name")).String())
}

// Definitions reads the definitions of types. It returns why not all could be read; empty: all were.
func (g *Gathering) Definitions(ctx context.Context) (why string) {
	return g.list(ctx, "apiextensions.k8s.io", "customresourcedefinitions", "the definitions of types", func(f *upgrade.Facts, raw []byte) error {
		d, err := upgrade.ParseDefinition(raw)
		f.Definitions = append(f.Definitions, d)
		return err
	})
}

// Parts reads API services and webhooks.
func (g *Gathering) Parts(ctx context.Context) {
	g.list(ctx, "apiregistration.k8s.io", "apiservices", "the API services", func(f *upgrade.Facts, raw []byte) error {
		s, err := upgrade.ParseAPIService(raw)
		f.Services = append(f.Services, s)
		return err
	})
	for _, of := range []struct{ resource, kind string }{{"mutatingwebhookconfigurations", "MutatingWebhookConfiguration"}, {"validatingwebhookconfigurations", "ValidatingWebhookConfiguration"}} {
		g.list(ctx, "admissionregistration.k8s.io", of.resource, "the "+of.resource, func(f *upgrade.Facts, raw []byte) error {
			hooks, err := upgrade.ParseHooks(of.kind, raw)
			f.Hooks = append(f.Hooks, hooks...)
			return err
		})
	}
}

// Metrics reads which deprecated versions somebody requested.
func (g *Gathering) Metrics(ctx context.Context) {
	var all []upgrade.Request
	no := g.send.Lines(ctx, "/metrics", func(line string) {
		if r, ok := upgrade.ParseMetric(line); ok {
			all = append(all, r)
		}
	})
	g.mu.Lock()
	g.facts.Requested = append(g.facts.Requested, all...)
	g.mu.Unlock()
	if no != nil {
		g.miss(ctx, "the metrics, which say who requested deprecated versions", words(no))
	}
}

// words say why there is no response. Without a response, there is no code.
func words(no *status.Status) string {
	if no.Code == 0 {
		return no.Message
	}
	return no.String()
}

// miss notes what couldn't be read, and returns it as a sentence.
func (g *Gathering) miss(ctx context.Context, what, why string) string {
	if ctx.Err() != nil {
		why = "the reading was stopped"
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	m := upgrade.Missing{What: what, Why: "The API server didn’t send " + what + ": " + plain.Text(why)}
	g.facts.Missing = append(g.facts.Missing, m)
	return m.Why
}

// list reads whole objects of a type, and notes if it can't.
func (g *Gathering) list(ctx context.Context, group, resource, what string, take func(f *upgrade.Facts, raw []byte) error) (why string) {
	t, served := g.facts.Catalog.Type(group, "", resource)
	if !served {
		return ""
	}
	var wrong error
	no := reading.Wholes(ctx, g.send.Get, t, func(raw []byte) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := take(&g.facts, raw); err != nil {
			wrong = err
		}
	})
	switch {
	case no != nil:
		return g.miss(ctx, what, words(no))
	case wrong != nil:
		return g.miss(ctx, what, wrong.Error())
	}
	return ""
}
