package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	checking "github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/lsp/folder"
	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/cli/lsp/wire"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
)

type owner = ownership.Owner

// ownerWords name an owner, with the time of its last write.
func ownerWords(o owner) string {
	words := o.Words()
	if o.Time != "" {
		words += ", last write " + o.Time
	}
	return plain.Text(words)
}

// hover says whose the field under the cursor is, and what its schema says. It sends one read, and only with the person's consent.
func (s *session) hover(ctx context.Context, params []byte) (any, error) {
	var p wire.PositionParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, wire.Refuse(wire.InvalidParams, "the parameters can't be read")
	}
	j, markdown, ok := s.hovered(p)
	if !ok {
		return null, nil
	}
	of, named := folder.Of(j.path)
	if given, _ := s.aim.consent(of); !named || !given || folder.IsTemplate(j.path) {
		return null, nil
	}
	line := j.text.Line(p.Position.Line)
	at := max(j.text.Offset(text.Position(p.Position), j.encoding), len(line)-len(strings.TrimLeft(line, " -\t")))
	d, n := pointed(j.text.String(), source.Position{Line: p.Position.Line + 1, Column: j.text.Character(p.Position.Line, at, text.UTF16) + 1})
	if n == nil || d.APIVersion == "" || d.Kind == "" {
		return null, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	type answer struct {
		live  checking.Live
		found bool
	}
	read, err := within(ctx, s.checks, func() (a answer, err error) {
		cluster, err := s.aim.cluster(of)
		if err == nil {
			a.live, a.found, err = checking.Text{File: j.path}.Read(ctx, cluster, d)
		}
		return a, err
	})
	if err != nil {
		s.aim.forget()
		return nil, wire.Refuse(wire.RequestFailed, unasked(ctx, err))
	}
	if !read.found {
		return null, nil
	}
	w := writer{markdown: markdown}
	w.field(d, n, read.live)
	shown := j.diagnostic(p.Position.Line, 0, "", "").Range
	return wire.Hover{Contents: wire.Markup{Kind: w.kind(), Value: w.String()}, Range: shown}, nil
}

// hovered is the document of a hover as it is now; false: there is nothing to say about it.
func (s *session) hovered(p wire.PositionParams) (j job, markdown, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[p.Document.URI]
	if d == nil || d.text == nil || !folder.IsManifest(d.path) || d.text.Len() > maxChecked {
		return j, false, false
	}
	markdown = slices.Contains(s.can.TextDocument.Hover.ContentFormat, wire.Markdown)
	return job{uri: d.uri, path: d.path, text: text.New(d.text.String()), encoding: s.encoding}, markdown, true
}

// pointed is the document at a position, and the innermost field there; nil: there is none.
func pointed(whole string, at source.Position) (source.Document, *manifest.Node) {
	pieces := source.Pieces(0, whole)
	i := len(pieces) - 1
	for i > 0 && pieces[i].Line() > at.Line {
		i--
	}
	if i < 0 {
		return source.Document{}, nil
	}
	for _, d := range pieces[i].Parse().Documents {
		if d.Root != nil && d.Start.Line <= at.Line && at.Line <= d.End.Line {
			if n := d.At(at); n != nil && n != d.Root {
				return d, n
			}
		}
	}
	return source.Document{}, nil
}

// writer writes what a hover shows. Texts from the cluster are escaped.
type writer struct {
	strings.Builder
	markdown bool
}

func (w *writer) kind() string {
	if w.markdown {
		return wire.Markdown
	}
	return wire.PlainText
}

// text is a text that isn't markup.
func (w *writer) text(t string) string {
	if w.markdown {
		return strings.ReplaceAll(plain.Markdown(t), "<!-- -->", "") // editors make links of addresses only, and show these comments
	}
	return plain.Text(t)
}

// code is a name or a value.
func (w *writer) code(t string) string {
	if w.markdown {
		return plain.Code(t)
	}
	return plain.Text(t)
}

// line writes a paragraph with a title.
func (w *writer) line(title, rest string) {
	if rest == "" {
		return
	}
	if w.Len() > 0 {
		w.WriteString("\n")
		if w.markdown {
			w.WriteString("\n")
		}
	}
	switch {
	case title == "":
	case w.markdown:
		w.WriteString("**" + title + "**: ")
	default:
		w.WriteString(title + ": ")
	}
	w.WriteString(rest)
}

// field writes all about a field.
func (w *writer) field(d source.Document, n *manifest.Node, of checking.Live) {
	var known ownership.Schema
	if of.Schema != nil {
		known = of.Schema.Knowledge()
	}
	stated := ownership.Parse(map[string]any{}).On(d.Root, known)
	w.line("", w.code(stated.Path(n))+" of "+w.text(plain.Object(of.Named.Kind, of.Named.Namespace, of.Named.Name)))
	if of.Object.Object != nil {
		live := ownership.Parse(of.Object.Object).On(manifest.Tree(object.Object{Fields: of.Object.Object}.WithoutManagedFields().Fields), known)
		w.owners(live, live.At(stated.Parts(n)))
	} else if of.Object.No != nil {
		w.line("Live", w.text(of.Object.No.Message))
	}
	if of.Schema != nil {
		if f, found := of.Schema.Field(schema.PathOf(n)); found {
			w.schema(f)
		}
	}
}

// mostOwners is how many owners a hover lists.
const mostOwners = 8

// owners writes who owns a field of the live object.
func (w *writer) owners(live *ownership.Blame, n *manifest.Node) {
	if n == nil {
		w.line("Live", "The object doesn’t have this field.")
		return
	}
	all := slices.Clone(live.Owners(n))
	title := "Owners"
	if len(all) == 0 && len(n.Children) > 0 {
		all, title = slices.Clone(live.OwnersWithin(n)), "Owners of its fields"
	}
	if len(all) == 0 {
		w.line(title, "nobody")
		return
	}
	slices.SortStableFunc(all, func(a, b owner) int { return b.Written().Compare(a.Written()) })
	var words []string
	for _, o := range all[:min(len(all), mostOwners)] {
		words = append(words, w.text(o.Words()))
	}
	if more := len(all) - len(words); more > 0 {
		words = append(words, "and more")
	}
	w.line(title, strings.Join(words, ", "))
	w.line("Last writer", w.text(ownerWords(all[0])))
}

// longestDescription is how much of a description a hover has, in characters.
const longestDescription = 1200

// schema writes what the schema says about a field.
func (w *writer) schema(f schema.Field) {
	says := []string{w.text(f.Type)}
	if f.Merge.Strategy != schema.Single {
		says = append(says, w.text(f.Merge.Name()))
	}
	if len(f.Merge.Keys) > 0 {
		says = append(says, "keys "+w.code(strings.Join(f.Merge.Keys, ", ")))
	}
	if f.Default != "" {
		says = append(says, "default "+w.code(f.Default))
	}
	if f.Required {
		says = append(says, "required")
	}
	if f.Deprecated {
		says = append(says, "deprecated")
	}
	w.line("Schema", strings.Join(says, " · "))
	about := f.Description
	if about == "" {
		about = f.About
	}
	if runes := []rune(about); len(runes) > longestDescription {
		about = string(runes[:longestDescription]) + "…"
	}
	w.line("", w.text(strings.Join(strings.Fields(about), " ")))
}
