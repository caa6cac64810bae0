package check

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Document is one document of the input.
type Document struct {
	File   string // as the user named it; "-": the standard input
	Built  bool   // from a kustomization with the folder File, so no file has the text
	From   string // the file that a built document comes from; empty if kustomize doesn't say
	Source source.Document
	// Problems are the errors in the document's text.
	Problems []source.Problem
	// Namespace is the object's namespace if the manifest has none.
	Namespace string
	// Only tells that kubectl accepts no other namespace, because the user named this one.
	Only bool
	// Clustered tells that the type has no namespaces. Then kubectl and the API server ignore the manifest's one.
	Clustered bool
}

// Response is the API server's response to one request.
type Response struct {
	Object   map[string]any // decoded, with numbers as json.Number and with managedFields
	No       *status.Status // the refusal; nil: the request succeeded
	Warnings []status.Warning
}

// Input is one document with the responses about its object. A zero Response says that the request was not made.
type Input struct {
	Document Document
	Unserved bool                // discovery knows no such type
	Verbs    []string            // of the type; nil if discovery doesn't say
	Kinds    []string            // that are served in the group and version of an unserved type
	Live     Response            // to the GET
	Plain    Response            // to the dry run
	Forced   *Response           // to the dry run with force, after a conflict
	Tried    map[string]Response // to trials of ways out, by their keys
	Schema   *schema.Schema
	Manager  string
	Force    bool // the user would apply with force
}

func (r Response) made() bool { return r.Object != nil || r.No != nil }

// Unpatched tells that the type lacks the verb patch, so nobody can apply the document. Most such types can only be created.
func (in Input) Unpatched() bool { return len(in.Verbs) > 0 && !slices.Contains(in.Verbs, "patch") }

// missing tells that the object doesn't exist.
func (r Response) missing() bool { return r.No != nil && r.No.Is(status.NotFound) }

// Object is the object that the document names.
func (d Document) Object() Object {
	o := Object{APIVersion: d.Source.APIVersion, Kind: d.Source.Kind, Namespace: d.Source.Namespace, Name: d.Source.Name}
	if o.Namespace == "" {
		o.Namespace = d.Namespace
	}
	if d.Clustered {
		o.Namespace = ""
	}
	if o.Name == "" {
		o.Name = d.Source.GenerateName
	}
	return o
}

// line is the line of a field in the document, or of the nearest field around it that the document has.
func (d Document) line(path string) int {
	if written := object.Unencoded(path); written != path && len(d.Source.Find(written)) > 0 {
		path = written
	}
	if path != "" {
		if n := d.Source.Nearest(path); n != nil && n != d.Source.Root {
			return d.Source.Head(n).Start.Line
		}
	}
	return d.Source.Line()
}

// elsewhere tells that the manifest has another namespace than the only one that kubectl accepts.
func (d Document) elsewhere() bool {
	return d.Only && !d.Clustered && d.Source.Namespace != "" && d.Source.Namespace != d.Namespace
}

// lineOf is the line of a finding's field.
func (d Document) lineOf(f Finding) int {
	at := f.node
	if at == nil && f.ambiguous {
		at = f.around
	}
	if at != nil && at.Parent != nil && d.Source.Root != nil {
		if n := at.In(d.Source.Root); n != nil {
			return d.Source.Head(n).Start.Line
		}
	}
	return d.line(f.Path)
}

// At is the document's place, as file:line, or the file that a built document comes from.
func (d Document) At() string {
	if d.Built {
		return d.shownFile()
	}
	return d.File + ":" + strconv.Itoa(d.Source.Line())
}

// shownFile is the file that readers know: for a built document the one that it comes from, or else the folder of the kustomization.
func (d Document) shownFile() string { return cmp.Or(d.From, d.File) }

// kustomizeGroup is the API group of the files that kustomize reads. No API server serves it.
const kustomizeGroup = "kustomize.config.k8s.io"

// kustomizations are the names of the files in which kustomize looks for a kustomization.
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomization tells that the document is one of kustomize's own files, and not a manifest. Such a file needs neither apiVersion nor kind.
func (d Document) kustomization() bool {
	group, _, _ := strings.Cut(d.Source.APIVersion, "/")
	named := d.Source.APIVersion == "" && d.Source.Kind == "" && d.Source.Fields() != nil && slices.Contains(kustomizations, path.Base(slashes(d.File)))
	return group == kustomizeGroup || named
}

// hooks are annotations of manifests that a tool applies only for certain actions.
var hooks = []string{".metadata.annotations.helm.sh/hook", ".metadata.annotations.argocd.argoproj.io/hook"}

// hook tells that a tool creates the object only for certain actions, such as a test of a chart, and often deletes it afterwards.
func (d Document) hook() bool {
	for _, path := range hooks {
		if len(d.Source.Find(path)) > 0 {
			return true
		}
	}
	return false
}

// Contents is what all documents define together: types, namespaces, and which documents are about the same object.
type Contents struct {
	types      map[string]string     // where they are defined
	namespaces map[string]Document   // the first documents that define them
	files      map[string]int        // the order of the files
	documents  map[Object][]Document // the first mostAlike
	unlike     map[Object]int        // how many more there are
}

// ContentsOf is the contents of all documents of the input.
func ContentsOf(documents []Document) Contents {
	c := Contents{types: map[string]string{}, namespaces: map[string]Document{}, files: map[string]int{}, documents: map[Object][]Document{}, unlike: map[Object]int{}}
	c.Add(documents)
	return c
}

// Add adds documents to the contents, which keep their texts and not their values.
func (c Contents) Add(documents []Document) {
	for _, d := range documents {
		c.define(d)
		switch o := d.Object(); {
		case d.Source.Name == "":
		case len(c.documents[o]) == mostAlike:
			c.unlike[o]++
		default:
			c.documents[o] = append(c.documents[o], d.unread())
		}
	}
}

// define notes the type or the namespace that a document defines.
func (c Contents) define(d Document) {
	if _, known := c.files[d.File]; !known {
		c.files[d.File] = len(c.files)
	}
	group, _, _ := strings.Cut(d.Source.APIVersion, "/")
	switch {
	case d.Source.Kind == "CustomResourceDefinition" && group == "apiextensions.k8s.io":
		spec := below(d.Source.Read().Fields()["spec"])
		kind, _ := below(spec["names"])["kind"].(string)
		in, _ := spec["group"].(string)
		c.types[in+"/"+kind] = d.At()
	case d.Source.Kind == "Namespace" && d.Source.APIVersion == "v1":
		if _, again := c.namespaces[d.Source.Name]; !again {
			c.namespaces[d.Source.Name] = d.unread()
		}
	}
}

// before tells whether a document comes before another one when kubectl applies them. Folders are read in the order of names. Browsers can pass files
// in another order, so a file is before another one only if both orders say so.
func (c Contents) before(d, other Document) bool {
	if d.File == other.File {
		return d.Source.Line() < other.Source.Line() || d.Source.Start.Line == other.Source.Start.Line && d.Source.Start.Column < other.Source.Start.Column
	}
	byName := strings.NewReplacer("/", "\x00", "\\", "\x00")
	return c.files[d.File] < c.files[other.File] && byName.Replace(d.File) < byName.Replace(other.File)
}

// definition is the place (file:line) that defines an object's type; empty if the input doesn't define the type.
func (c Contents) definition(o Object) string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return c.types[group+"/"+o.Kind]
}

// mostAlike is how many documents about one object are compared with each other. Each of them is compared with all others.
const mostAlike = 20

// key is the object of a document, as the contents have it. They may be older than the knowledge that the type has no namespaces.
func (c Contents) key(d Document) Object {
	o := d.Object()
	if d.Clustered && len(c.documents[o]) == 0 {
		d.Clustered = false
		o = d.Object()
	}
	return o
}

// beyond tells whether a document comes after those about the same object that are compared.
func (c Contents) beyond(d Document) bool {
	o := c.key(d)
	return c.unlike[o] > 0 && !slices.ContainsFunc(c.documents[o], d.is)
}

// others are the other documents about the same object.
func (c Contents) others(d Document) []Document {
	var all []Document
	for _, other := range c.documents[c.key(d)] {
		if !d.is(other) {
			all = append(all, other.readSource())
		}
	}
	return all
}

// is tells whether two documents are the same one.
func (d Document) is(other Document) bool {
	return d.At() == other.At() && d.Source.Span == other.Source.Span
}

func (d Document) unread() Document {
	d.Source = d.Source.Unread()
	return d
}

func (d Document) readSource() Document {
	d.Source = d.Source.Read()
	return d
}

func below(v any) map[string]any {
	fields, _ := v.(map[string]any)
	return fields
}

// masked masks secret values in the three versions of an object. Values that differ still differ.
func masked(live, predicted, stated map[string]any) (was, is, sent map[string]any) {
	hide := func(o, beside map[string]any) map[string]any {
		if o == nil {
			return nil
		}
		return object.Object{Fields: o}.MaskedBeside(object.Object{Fields: beside}).Fields
	}
	return hide(live, nil), hide(predicted, live), hide(stated, live)
}

func applier(name string) ownership.Manager {
	return ownership.Manager{Name: name, Operation: ownership.Apply}
}
