package apply

import (
	"fmt"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/words"
)

// A text can have a CustomResourceDefinition and its objects, or a namespace and what is in it. Then it is applied in two stages:
//
//	stage 1   documents that need nothing of the text      dry run ──▶ Apply ──▶ results
//	stage 2   documents that need a type or a namespace    predicted by the schema ──▶ after stage 1: discovery, dry run ──▶ Apply
//
// Before stage 1, no API server can make a dry run of stage 2. So its findings are predictions, from the schema in the text or the one that the server
// has, and the page calls them so. Each stage has its own Apply, because an apply is for what was previewed. If a document of stage 1 fails, stage 2
// isn't sent. Nothing is rolled back.

// askServed asks which types the API server serves in a group version.
const askServed = "served"

// mostAsked is how often the page asks for a type that was defined a moment ago, once a second.
const mostAsked = 30

// definitions are the types that a document defines, read once for each text.
type definitions struct {
	root *manifest.Node
	all  []schema.Definition
}

// defined are the types that a document defines.
func (d *document) defined() []schema.Definition {
	group, _ := aim.SplitVersion(d.read.APIVersion)
	if d.read.Kind != "CustomResourceDefinition" || group != "apiextensions.k8s.io" || d.read.Root == nil {
		return nil
	}
	if d.defines.root != d.read.Root {
		d.defines = definitions{d.read.Root, schema.Definitions(d.read.Fields())}
	}
	return d.defines.all
}

// untyped is the type of a document that only another document defines.
type untyped struct {
	by int // the document that defines it
	schema.Definition
}

// definition finds the document that defines a document's type; nil if none does.
func (m Model) definition(read source.Document) *untyped {
	k := aim.KindOf(read)
	for i, d := range m.live.docs {
		for _, def := range d.defined() {
			if def.Kind == k {
				return &untyped{i, def}
			}
		}
	}
	return nil
}

// catalog has the type alone.
func (u untyped) catalog() discovery.Catalog {
	version := discovery.Version{Name: u.Kind.Version, Types: []discovery.Type{u.Type}}
	return discovery.Catalog{Groups: []discovery.Group{{Name: u.Kind.Group, Versions: []discovery.Version{version}}}}
}

// later tells whether a document is in stage 2: the API server doesn't serve its type yet, or its namespace doesn't exist yet.
func (m Model) later(d *document) bool {
	return d.why == "" && (d.untyped != nil || d.shown != nil && m.awaits(d))
}

// needed is the number of the document that a document of stage 2 needs.
func (m Model) needed(d *document) int {
	if d.untyped != nil {
		return d.untyped.by
	}
	return m.provided(d)
}

// stage is the part of the documents that Apply sends.
type stage struct {
	docs       []*document
	number, of int
}

// stage is the next one. It is stage 1 until all its documents are stored. What stage 1 has stored isn't sent again.
func (m Model) stage() stage {
	r := m.live.run
	staged := r != nil && r.staged
	unsent := func(d *document) bool { return !d.idle() && !m.later(d) && (!staged || !d.currentResult().stored()) }
	s := stage{number: 1, of: 1}
	for _, d := range m.live.docs {
		if unsent(d) {
			s.docs = append(s.docs, d)
		}
	}
	first := slices.DeleteFunc(slices.Clone(s.docs), func(d *document) bool { return !staged || !slices.Contains(r.docs, d) })
	switch {
	case len(first) > 0:
		return stage{first, 1, 2}
	case slices.ContainsFunc(m.live.docs, m.later):
		s.of = 2
	case staged && len(s.docs) > 0:
		s.number, s.of = 2, 2
	}
	return s
}

// first tells whether another stage follows.
func (s stage) first() bool { return s.of == 2 && s.number == 1 }

// words name the stage; empty if there is only one.
func (s stage) words() string {
	if s.of == 1 {
		return ""
	}
	return fmt.Sprintf("stage %d of %d", s.number, s.of)
}

// laterWords say why a document is in stage 2, as check does.
func (m Model) laterWords(d *document) string {
	if d.untyped != nil {
		return words.Curly(check.NotServed(d.read.Kind, d.read.APIVersion)) + fmt.Sprintf(" Document %d defines the type.", d.untyped.by+1)
	}
	return words.Curly(check.NotThere(d.target.Path.Namespace)) + fmt.Sprintf(" Document %d creates it.", m.needed(d)+1)
}

// predicted says what the schema finds about a document of stage 2.
func (m Model) predicted(d *document) (said string, tone components.Tone) {
	from, after := "the schema of the kind", " The API server is asked again after stage 1."
	if d.untyped != nil {
		from = fmt.Sprintf("the schema in document %d", d.untyped.by+1)
	}
	switch n := len(m.flaws(d)); {
	case m.schemaOf(d) == nil:
		return "Nothing is predicted, because the schema of the kind isn’t known." + after, components.Calm
	case n > 0:
		return "Predicted from " + from + ": " + words.Count(int64(n), "problem", "problems") + "." + after, components.Bad
	}
	return "Predicted from " + from + ": no problem. Defaults and admission aren’t known." + after, components.Calm
}

// stagesWords say above the documents what the stages are; empty if there is only one.
func (m Model) stagesWords() string {
	s := m.stage()
	if s.of == 1 {
		return ""
	}
	var failed, stored int
	for _, d := range m.live.docs {
		switch r := d.currentResult(); {
		case r.stored():
			stored++
		case r != nil && r.No != nil:
			failed++
		}
	}
	switch {
	case m.live.run != nil && m.live.run.staged && failed > 0:
		said := fmt.Sprintf("Stage 1 failed for %s, so stage 2 isn’t sent.", words.Count(int64(failed), "document", "documents"))
		if stored > 0 {
			said += fmt.Sprintf(" What was applied stays: %s. Nothing is rolled back.", words.Count(int64(stored), "document", "documents"))
		}
		return said
	case len(m.live.unserved) > 0:
		return "Stage 1 is applied. Fieldmark waits until the API server serves the new type."
	case s.number == 2:
		return "Stage 1 is applied. The previews of stage 2 are dry runs of the API server now."
	}
	return "Documents of stage 2 need what stage 1 creates. Apply sends stage 1 first, and then the API server is asked about stage 2 again."
}

// unserved is a group version that is asked about until it has a type.
type unserved struct {
	kind schema.Kind
	left int // how often it is still asked about
}

// await asks for the types of documents that only the text defines, so many times at most.
func (m Model) await(times int) []page.Cmd {
	m.live.unserved = nil
	for _, d := range m.live.docs {
		if u := d.untyped; u != nil && !slices.ContainsFunc(m.live.unserved, func(other unserved) bool { return other.kind == u.Kind }) {
			m.live.unserved = append(m.live.unserved, unserved{kind: u.Kind, left: times})
		}
	}
	return m.askServed()
}

// askServed asks the API server which types it serves.
func (m Model) askServed() []page.Cmd {
	var commands []page.Cmd
	for i := range m.live.unserved {
		u := &m.live.unserved[i]
		u.left--
		m.live.seq++
		path := "/apis/" + u.kind.Group + "/" + u.kind.Version
		commands = append(commands, page.Get(dryrun.ID(askServed, m.live.seq), m.Shell.Cluster.Slug, path, "application/json"))
	}
	m.live.unserved = slices.DeleteFunc(m.live.unserved, func(u unserved) bool { return u.left < 0 })
	return commands
}

// served takes in which types a group version has. If a type of the text is among them, its documents are previewed.
func (m Model) served(f page.Response) (page.Page, []page.Cmd) {
	if f.Status != 200 {
		return m, nil
	}
	group, version, types, err := discovery.ParseResourceList(f.Body)
	if err != nil {
		return m, nil
	}
	catalog := discovery.Catalog{Groups: []discovery.Group{{Name: group, Versions: []discovery.Version{{Name: version, Types: types}}}}}
	m.live.unserved = slices.DeleteFunc(m.live.unserved, func(u unserved) bool {
		_, known := catalog.Kind(u.kind.Group, u.kind.Version, u.kind.Kind)
		return known
	})
	m.Shell.Catalog = m.Shell.Catalog.Including(group, version, types)
	next, commands := m.plan()
	return next, append(commands, next.marks())
}
