// Package glossary is the page of the field guide’s glossary: its terms, and the lessons that explain them.
package glossary

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the glossary in the embedded model.
const Kind = "glossary"

// FilterField is the parameter, and the field, of the glossary's filter.
const FilterField = "filter"

// Term is an entry of the glossary.
type Term struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	HTML   string  `json:"html"` // from the guide, so it needs no escaping
	Text   string  `json:"text"` // without markup
	Lesson *Named  `json:"lesson,omitempty"`
	Seen   []Named `json:"seen,omitempty"` // other lessons that mention the term
}

// Named is a lesson by its id and its title.
type Named struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Model is the state of the page.
type Model struct {
	page.Frame
	Terms  []Term `json:"terms"`
	Filter string `json:"filter,omitempty"`
}

// Alphabetical sorts terms by their titles, without regard to case.
func Alphabetical(terms []Term) {
	slices.SortStableFunc(terms, func(a, b Term) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)), strings.Compare(a.Title, b.Title))
	})
}

// Awake implements page.Page.
func (g Model) Awake(time.Time) (page.Page, []page.Cmd) { return g, nil }

// Content implements page.Page.
func (g Model) Content() templ.Component { return content(g) }

// Head implements page.Headed.
func (g Model) Head() page.Head {
	found := fmt.Sprintf("%d of %s", len(g.found()), words.Count(int64(len(g.Terms)), "term", "terms"))
	head := page.Head{Small: page.Text(found), Lead: lead(), Below: filter(g)}
	if g.Shell.Apart {
		head.Small, head.Below = page.Text(words.Count(int64(len(g.Terms)), "term", "terms")), letters(g)
	}
	return head
}

// Update implements page.Page.
func (g Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		if msg.Field == FilterField {
			g.Filter = msg.Text
			return g, []page.Cmd{page.Remember{Address: g.pageAddress(), Replace: true}}
		}
	case page.Addressed:
		g.Filter = msg.Query.Get(FilterField)
		return g, []page.Cmd{
			page.Remember{Address: g.pageAddress()},
			page.Announce{Words: words.Count(int64(len(g.found())), "term", "terms")},
		}
	}
	return g, nil
}

func (g Model) pageAddress() string {
	return web.WithQuery(web.Glossary, url.Values{FilterField: {g.Filter}})
}

// found are the terms that contain all words of the filter: first those with the words in the title.
func (g Model) found() []Term {
	words := strings.Fields(strings.ToLower(g.Filter))
	var named, told []Term
	for _, t := range g.Terms {
		title := strings.ToLower(t.Title)
		switch {
		case holds(title, words):
			named = append(named, t)
		case holds(title+" "+strings.ToLower(t.Text), words):
			told = append(told, t)
		}
	}
	return append(named, told...)
}

func holds(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// letters are the first letters of the terms. Each links to the first term with the letter.
func (g Model) letters() []components.Link {
	var links []components.Link
	for _, t := range g.Terms {
		r, _ := utf8.DecodeRuneInString(t.Title)
		letter := string(unicode.ToUpper(r))
		if len(links) == 0 || links[len(links)-1].Text != letter {
			links = append(links, components.Link{Text: letter, Href: "#" + t.ID})
		}
	}
	return links
}
