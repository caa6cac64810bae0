// Package library has what Fieldmark itself tells assistants: its guide, its glossary, and documents.
package library

import (
	"cmp"
	"html"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/mcp/tools"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/docs"
	"github.com/fieldmark/fieldmark/lessons"
)

// Library is the guide and the documents that this program was built with. They are read when they are needed, because a server must be ready at once.
type Library struct{}

// The addresses of the documents.
const (
	Glossary  = "fieldmark://glossary"
	Zoo       = "fieldmark://conflict-zoo"
	Ways      = "fieldmark://ways-out"
	Reference = "fieldmark://reference/" // and the name of a verb
)

// Documents are the glossary, the zoo of conflicts, the ways out, and the reference of each verb.
func (Library) Documents() []tools.Document {
	all := []tools.Document{
		{URI: Glossary, Name: "glossary", About: "What the terms of the Kubernetes API mean", Text: glossary},
		{URI: Zoo, Name: "conflict-zoo", About: "Conflicts that people report, reproduced: what each tool does, and the way out", Text: file("conflict-zoo.md")},
		{URI: Ways, Name: "ways-out", About: "What each finding means, and which way out to choose", Text: file("ways-out.md")},
	}
	names, _ := fs.Glob(docs.Files, "reference/*.md") // the pattern is valid
	for _, name := range names {
		verb := strings.TrimPrefix(strings.TrimSuffix(path.Base(name), ".md"), "fieldmark_")
		if !strings.HasPrefix(verb, "completion") {
			all = append(all, tools.Document{URI: Reference + verb, Name: "reference-" + verb, About: "The command line of " + verb, Text: file(name)})
		}
	}
	return all
}

// file is a document as it is written.
func file(name string) func() (string, error) {
	return func() (string, error) {
		text, err := docs.Files.ReadFile(name)
		return string(text), err
	}
}

// glossary is the glossary as Markdown.
func glossary() (string, error) {
	guide, err := lessons.Load()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range guide.Terms {
		b.WriteString("## " + t.Title + "\n\n" + t.Words + "\n\n")
	}
	return b.String(), nil
}

// markup is a tag of HTML.
var markup = regexp.MustCompile(`<[^>]*>`)

// words is HTML as text.
func words(of string) string {
	return strings.Join(strings.Fields(html.UnescapeString(markup.ReplaceAllString(of, " "))), " ")
}

// longestPassage is how many bytes of a text an answer has.
const longestPassage = 700

// scored is a passage with how well it fits a topic.
type scored struct {
	tools.Passage
	score int
}

// About are lessons and entries of the glossary in which the words of a topic are. A word in a title counts more.
func (Library) About(topic string, most int) ([]tools.Passage, error) {
	guide, err := lessons.Load()
	if err != nil {
		return nil, err
	}
	asked := wordsOf(topic)
	var all []scored
	for _, l := range guide.Lessons {
		one := tools.Passage{Title: l.Title, Text: l.Summary, Link: why.Topic{Lesson: l.ID}.Address()}
		found := strings.Join(l.FoundBy, " ")
		for _, t := range l.Takeaways {
			one.Rules = append(one.Rules, words(t.HTML))
		}
		all = append(all, scored{one, score(asked, l.Title+" "+strings.ReplaceAll(l.ID, "-", " "), l.Summary+" "+found+" "+strings.Join(one.Rules, " "))})
	}
	for _, t := range guide.Terms {
		text := t.Words
		if len(text) > longestPassage {
			text = strings.ToValidUTF8(text[:longestPassage], "") + "…"
		}
		all = append(all, scored{tools.Passage{Title: t.Title, Text: text, Link: why.Topic{Term: t.ID}.Address()}, score(asked, t.Title, t.Words)})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var best []tools.Passage
	for _, s := range all {
		if s.score > 0 && len(best) < most {
			best = append(best, s.Passage)
		}
	}
	return best, nil
}

// wordsOf are the words of a text in lower case, without those that say nothing.
func wordsOf(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r) })
	return slices.DeleteFunc(all, func(w string) bool { return len(w) < 3 })
}

// score is how well two texts fit words: a word in the title counts five times, and one that only begins like a word of the text counts, too.
func score(asked []string, title, text string) (n int) {
	titles, texts := wordsOf(title), wordsOf(text)
	for _, w := range asked {
		stem := strings.TrimSuffix(w, "s")
		begins := func(other string) bool { return strings.HasPrefix(other, stem) }
		if slices.ContainsFunc(titles, begins) {
			n += 5
		}
		if slices.ContainsFunc(texts, begins) {
			n++
		}
	}
	return n
}
