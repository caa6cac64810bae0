package collection

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
)

const (
	askSchema = "column schema"
	askNotes  = "column annotations"
	// fewNotes is how many objects are searched for annotations, and mostOptions bounds the suggestions.
	fewNotes    = 20
	mostOptions = 60
)

// adding is the state of the field for another column.
type adding struct {
	text   string
	asked  bool
	schema schema.Schema
	notes  []string // the keys of annotations
	note   string   // why there are no paths
}

// openAdding asks for what can be suggested, once.
func (m Model) openAdding() []page.Cmd {
	a := &m.live.adding
	if a.asked {
		return nil
	}
	a.asked = true
	query := limited(fewNotes)
	query.Set("pretty", "false")
	metadata := column.Reader{Secrets: m.Shell.Path.OfSecrets()}
	commands := []page.Cmd{page.Get(askNotes, m.Shell.Cluster.Slug, web.WithQuery(m.Shell.Path.String(), query), Accept(metadata, true))}
	if !m.Shell.Path.OfSecrets() {
		commands = append(commands, page.Get(askSchema, m.Shell.Cluster.Slug, outline.OpenAPI(m.Shell.Path), accept.JSON))
	}
	return commands
}

func (m Model) notesResponded(r page.Response) []page.Cmd {
	if r.OK() {
		m.live.adding.notes = column.Annotations(r.Body)
	}
	return nil
}

func (m Model) schemaResponded(r page.Response) []page.Cmd {
	a := &m.live.adding
	document, err := schema.Parse(r.Body)
	found := false
	if r.OK() && err == nil {
		a.schema, found = document.Schema(schema.Kind{Group: m.Type.Group, Version: m.Type.Version, Kind: m.Type.Kind})
	}
	if !found {
		a.note = "The API server has no schema of this type, so no fields are suggested. Any path works."
	}
	return nil
}

// options are suggestions for the typed text: labels and annotations that the objects have, and the fields below the typed path.
func (m Model) options() []string {
	var a adding
	if m.live != nil {
		a = m.live.adding
		if !a.asked {
			return nil
		}
	}
	var all []string
	if !aged(m.columns()) {
		all = append(all, column.AgeText)
	}
	for _, key := range m.labelKeys() {
		all = append(all, column.LabelPrefix+key)
	}
	for _, key := range a.notes {
		all = append(all, column.AnnotationPrefix+key)
	}
	all = append(all, m.paths(a)...)
	have, _ := m.added()
	word := strings.ToLower(a.text)
	all = slices.DeleteFunc(all, func(text string) bool {
		c, err := column.Parse(text)
		return err != nil || m.Shell.Path.OfSecrets() && c.FitsSecrets() != nil || !strings.Contains(strings.ToLower(text), word) || slices.ContainsFunc(have, func(o column.Column) bool { return o.String() == c.String() })
	})
	return all[:min(len(all), mostOptions)]
}

// labelKeys are the keys of the labels of rows that are rendered.
func (m Model) labelKeys() (keys []string) {
	for _, r := range m.laidOut().rows {
		for key := range r.Labels.All() {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// paths are the fields below the typed path, without its last, unfinished step. They begin with what was typed, because browsers suggest nothing else.
func (m Model) paths(a adding) (all []string) {
	if m.Shell.Path.OfSecrets() {
		return []string{".metadata.generation", ".metadata.finalizers", ".metadata.ownerReferences[*].name"}
	}
	begin := a.text[:max(0, strings.LastIndexByte(a.text, '.'))]
	parent, err := schema.ParsePath(begin)
	if err != nil {
		return nil
	}
	for _, f := range a.schema.Children(parent) {
		all = append(all, begin+schema.Path{f.Name()}.String())
	}
	return all
}

// sourceWords say what a column costs.
func sourceWords(c column.Column) string {
	switch c.Source() {
	case column.Row:
		return "The rows have it. It costs no request."
	case column.Metadata:
		return "Fieldmark reads the metadata of the visible objects."
	}
	return "Fieldmark reads the whole visible objects."
}

// withoutSort is the query without an order by a column that it doesn't have.
func (q Query) withoutSort(c string) Query {
	if q.Sort.Column == c {
		q.Sort = table.Order{}
	}
	return q
}
