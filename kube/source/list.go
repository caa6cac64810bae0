package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// IsList tells whether a document is a list of objects, as kubectl get prints it.
func (d Document) IsList() bool { return d.items() != nil }

func (d Document) items() *manifest.Node {
	if d.Root == nil || !strings.HasSuffix(d.Kind, "List") {
		return nil
	}
	items := d.Root.Field("items")
	if items == nil {
		return nil
	}
	if _, is := items.Value.([]any); !is {
		return nil
	}
	return items
}

// maxItems is the maximum number of documents of a text with lists, and maxNested how many lists may be around an item.
const (
	maxItems  = 10_000
	maxNested = 8
)

// Items returns the text with the items of its lists in place of the lists, like kubectl: each item is a document, with its place in the
// text. Items of a typed list, such as ConfigMapList, may have no type of their own. The items take the nodes of the lists, so t can't be
// used afterwards.
func (t Text) Items() Text {
	if !slices.ContainsFunc(t.Documents, Document.IsList) {
		return t
	}
	out := Text{whole: t.whole, steps: t.steps}
	for _, p := range t.Problems {
		if p.Document < 0 {
			out.problem(p)
		}
	}
	for _, d := range t.Documents {
		var about []Problem
		for _, p := range t.Problems {
			if p.Document == d.Index {
				about = append(about, p)
			}
		}
		out.addDocument(d, about, 0)
	}
	out.finish()
	return out
}

// addDocument adds a document with its problems or, if it is a list, its items.
func (t *Text) addDocument(d Document, problems []Problem, nested int) {
	items := d.items()
	if items == nil || nested > maxNested {
		d.Index = len(t.Documents)
		for _, p := range problems {
			p.Document = d.Index
			t.problem(p)
		}
		t.Documents = append(t.Documents, d)
		return
	}
	if d.nameless {
		problems = slices.DeleteFunc(problems, Problem.Nameless)
	}
	for _, n := range items.Children {
		t.work(2*stride + len(problems))
		item := d.item(n)
		if len(t.Documents) >= maxItems {
			t.beyond(item.Start)
			break
		}
		within := func(p Problem) bool { return p.Start.compare(item.Start) >= 0 && p.Start.compare(item.End) < 0 }
		var about []Problem
		for _, p := range problems {
			if within(p) {
				about = append(about, p)
			}
		}
		problems = slices.DeleteFunc(problems, within)
		t.identified(item, d, about, nested)
	}
	for _, p := range problems { // problems of the list itself
		p.Document = -1
		t.problem(p)
	}
}

// beyond says that an item and everything after it is not read. The problem belongs to no document, and comes before less important ones.
func (t *Text) beyond(start Position) {
	end := Position{Line: start.Line, Column: start.Column + 1}
	t.Problems = append(t.Problems[:min(len(t.Problems), maxProblems-1)], Problem{
		Span: Span{Start: start, End: end}, Severity: Error, Document: -1,
		Message: fmt.Sprintf("The text has more than %d objects. The objects from here on are not read. Split the text.", maxItems),
	})
}

// item is a list item as a document. Its object is not identified yet.
func (d Document) item(n *manifest.Node) Document {
	at := d.places[n.ID]
	item := Document{Span: d.Place(n), Text: d.whole.text[at.start:at.end], whole: d.whole, base: int(at.start), listed: true}
	if _, is := n.Value.(map[string]any); is {
		item.places, item.lists = d.places[n.ID:n.End], &listIndex{}
		item.Root = n.Cut()
	}
	return item
}

// identified identifies the object of an item, and adds the item.
func (t *Text) identified(item, list Document, problems []Problem, nested int) {
	item.Index = len(t.Documents)
	r := reader{text: t, document: item.Index, first: item.base}
	if item.Root == nil {
		r.say(Error, r.first, r.first+len(item.Text), "The list item is not an object with fields such as apiVersion and kind.")
		item.Broken = true
		t.Documents = append(t.Documents, item)
		return
	}
	item.identify(&r, Document{APIVersion: list.APIVersion, Kind: strings.TrimSuffix(list.Kind, "List")})
	item.typed()
	item.Broken = r.broken || slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
	if item.IsList() {
		problems = append(problems, t.cutBack(item.Index)...)
	}
	t.addDocument(item, problems, nested+1)
}

// typed gives the value of a list item the type that it has from the list.
func (d *Document) typed() {
	if d.Kind != "" && (d.Root.Field("kind") == nil || d.Root.Field("apiVersion") == nil) {
		fields := maps.Clone(d.Fields())
		fields["apiVersion"], fields["kind"] = d.APIVersion, d.Kind
		d.Root.Value = fields
	}
}

// cutBack removes and returns the problems of a document.
func (t *Text) cutBack(document int) []Problem {
	var own []Problem
	t.Problems = slices.DeleteFunc(t.Problems, func(p Problem) bool {
		if p.Document == document {
			own = append(own, p)
		}
		return p.Document == document
	})
	return own
}
