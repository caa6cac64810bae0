package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// entry is the heading of a term.
var entry = regexp.MustCompile(`^## (.+) \{#([a-z][a-z0-9-]*)\}$`)

// Glossary reads the glossary: terms in the order in which they are written, and the lessons that they lead to.
func Glossary(file string, source []byte) ([]lesson.Term, []Mention, Problems) {
	r := &reader{file: file, known: Known{Terms: map[string]lesson.Term{}}}
	parts := r.entries(strings.Split(strings.ReplaceAll(string(source), "\r\n", "\n"), "\n"))
	for _, p := range parts { // the ids first, for links between terms
		if _, twice := r.known.Terms[p.ID]; twice {
			r.wrong(p.Line, "there is a term #%s before", p.ID)
		}
		r.known.Terms[p.ID] = p.Term
	}
	for i := range parts { // then what they say, for the titles of links
		r.readPartText(&parts[i])
		r.known.Terms[parts[i].ID] = parts[i].Term
	}
	var terms []lesson.Term
	for _, p := range parts {
		r.explain(&p)
		terms = append(terms, p.Term)
	}
	return terms, r.mentions, r.problems.sorted()
}

// part is an entry while it is read.
type part struct {
	lesson.Term
	lines []line
}

// entries parts the file into terms.
func (r *reader) entries(texts []string) []part {
	var parts []part
	for i, t := range texts {
		l := line{i + 1, t}
		if found := entry.FindStringSubmatch(t); found != nil {
			parts = append(parts, part{Term: lesson.Term{Title: found[1], ID: found[2], Line: l.n}})
			continue
		}
		switch {
		case strings.HasPrefix(t, "#") && (len(parts) > 0 || strings.HasPrefix(t, "##")):
			r.wrong(l.n, "a term begins with a line ## its name {#its-id}")
		case len(parts) == 0: // what opens the file is for its writers
		case strings.HasPrefix(t, "lesson: "):
			r.leads(&parts[len(parts)-1], l)
		default:
			parts[len(parts)-1].lines = append(parts[len(parts)-1].lines, l)
		}
	}
	return parts
}

func (r *reader) leads(p *part, l line) {
	if p.Lesson != "" {
		r.wrong(l.n, "%s has a line lesson: already", p.ID)
	}
	p.Lesson = strings.TrimSpace(strings.TrimPrefix(l.text, "lesson: "))
	r.mentions = append(r.mentions, Mention{Lesson: p.Lesson, Line: l.n})
}

// parsed is what an entry says, as Markdown.
func (r *reader) parsed(p *part) (prose, ast.Node) {
	p.lines = trimmed(p.lines)
	first := p.Line
	if len(p.lines) > 0 {
		first = p.lines[0].n
	}
	source := prose{r: r, source: []byte(joined(p.lines)), first: first}
	return source, dialect.Parser().Parse(text.NewReader(source.source))
}

// readPartText takes the first paragraph without its markup.
func (r *reader) readPartText(p *part) {
	source, document := r.parsed(p)
	first, isParagraph := document.FirstChild().(*ast.Paragraph)
	if !isParagraph {
		r.wrong(p.Line, "%s is not explained: a paragraph has to follow", p.ID)
		return
	}
	p.Text = plainText(source.source, first)
	p.Words = paragraphText(source.source, document)
	if variable.Match(source.source) {
		r.wrong(p.Line, "%s: the glossary has no variables", p.ID)
	}
}

// paragraphText is the text of all paragraphs, with a space between them.
func paragraphText(source []byte, document ast.Node) string {
	var texts []string
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		texts = append(texts, plainText(source, n))
	}
	return strings.Join(texts, " ")
}

// explain renders the entry.
func (r *reader) explain(p *part) {
	source, document := r.parsed(p)
	source.check(document)
	var nodes []ast.Node
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if _, isParagraph := n.(*ast.Paragraph); !isParagraph {
			source.wrong(n, "%s: a term is explained in paragraphs of text alone", p.ID)
		}
		nodes = append(nodes, n)
	}
	p.HTML = strings.TrimSpace(source.html(nodes...))
}
