package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Addresses that links in the guide lead to, and the only place outside.
const (
	lessonAddress  = "/learn/"
	termAddress    = "/learn/glossary#"
	documentation  = "https://kubernetes.io/"
	classAttribute = "class"
)

var (
	dialect  = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAttribute()))
	variable = regexp.MustCompile(`\{\{([a-z][a-z0-9-]*)\}\}`)
)

// languages are what examples in the text may be written in.
var languages = []string{"yaml", "json", "http", "text", "sh", "go"}

// prose is a piece of Markdown while it is turned into HTML.
type prose struct {
	r      *reader
	source []byte
	first  int // the line that the source begins in
}

// lineOf is where a node of the text is written.
func (p prose) lineOf(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if at := n.Pos(); at >= 0 && n.Kind() != ast.KindDocument {
			return p.first - 1 + lineAt(p.source, at)
		}
	}
	return p.first
}

// check makes links lead where they should, and says what text must not have.
func (p prose) check(n ast.Node) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if entering {
			p.node(n)
		}
		return ast.WalkContinue, nil
	})
}

func (p prose) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.RawHTML, *ast.HTMLBlock:
		p.wrong(n, "HTML is not shown: write it in Markdown, or between backticks if it is an example")
	case *ast.Image:
		p.wrong(n, "images are not shown: draw it in components/picture and write a picture block")
	case *ast.AutoLink:
		if address := string(n.URL(p.source)); !strings.HasPrefix(address, documentation) {
			p.wrong(n, "%s leads out of the guide: links outside lead to %s only", address, documentation)
		}
	case *ast.Link:
		p.link(n)
	case *ast.FencedCodeBlock:
		if word := firstWord(string(n.Language(p.source))); !slices.Contains(languages, word) {
			p.wrong(n, "%q is neither a block of a lesson nor a language of examples (%s): correct the name, or move a block out of the list that it is in", word, strings.Join(languages, ", "))
		}
	}
}

func (p prose) wrong(n ast.Node, format string, args ...any) { p.r.wrong(p.lineOf(n), format, args...) }

func (p prose) link(n *ast.Link) {
	to := string(n.Destination)
	scheme, name, _ := strings.Cut(to, ":")
	switch scheme {
	case "term":
		p.term(n, name)
	case "lesson":
		p.r.mentions = append(p.r.mentions, Mention{Lesson: name, Line: p.lineOf(n)})
		n.Destination = []byte(lessonAddress + name)
	case "tool":
		if !slices.Contains(lesson.Tools(), name) {
			p.wrong(n, "tool:%s is no tool: they are %s", name, strings.Join(lesson.Tools(), ", "))
		}
		n.SetAttributeString(classAttribute, []byte("tool"))
	default:
		if !strings.HasPrefix(to, documentation) {
			p.wrong(n, "the link to %s leads nowhere: write term:, lesson: or tool: and a name, or an address below %s", to, documentation)
		}
	}
}

// term makes a link to the glossary, with the definition as its title.
func (p prose) term(n *ast.Link, id string) {
	n.Destination = []byte(termAddress + id)
	n.SetAttributeString(classAttribute, []byte("term"))
	if !slices.Contains(p.r.lesson.Terms, id) {
		p.r.lesson.Terms = append(p.r.lesson.Terms, id)
	}
	if term, ok := p.r.known.Terms[id]; ok {
		n.Title = []byte(escaped(term.Text))
		return
	}
	p.r.missing(p.lineOf(n), "term:%s is not in lessons/guide/glossary.md: correct the name, or write an entry with {#%[1]s}", id)
}

// escaped keeps the text of a title from being read as Markdown: goldmark reads backslashes and entities in it.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "&", `\&`).Replace(text)
}

// html renders nodes, one after the other. Variables become places to be filled in.
func (p prose) html(nodes ...ast.Node) string {
	var b bytes.Buffer
	for _, n := range nodes {
		if err := dialect.Renderer().Render(&b, p.source, n); err != nil {
			p.wrong(n, "this can't be shown: %v", err)
		}
	}
	out := b.String()
	return variable.ReplaceAllStringFunc(out, func(found string) string { return lesson.Placeholder(found[2 : len(found)-2]) })
}

// inline is a text of one paragraph as HTML, without the paragraph.
func (r *reader) inline(lines []line) string {
	lines = trimmed(lines)
	if len(lines) == 0 {
		return ""
	}
	var texts []string
	for _, l := range lines {
		texts = append(texts, strings.TrimSpace(l.text))
	}
	p := prose{r: r, source: []byte(strings.Join(texts, "\n")), first: lines[0].n}
	r.use(lines[0].n, joined(lines))
	document := dialect.Parser().Parse(text.NewReader(p.source))
	only, isParagraph := document.FirstChild().(*ast.Paragraph)
	if !isParagraph || document.ChildCount() != 1 {
		r.wrong(lines[0].n, "this has to be one paragraph of text")
		return ""
	}
	p.check(only)
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(p.html(only)), "<p>"), "</p>")
}

// plainText is the text of a node without its markup.
func plainText(source []byte, n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if t, isText := n.(*ast.Text); isText && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

func quoted(names []string) string { return fmt.Sprintf("%q", names) }
