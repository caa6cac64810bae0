package apply

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/changes"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// group is the rows of one cause.
type group struct {
	title, words string
	why          why.Topic
	rows         []change.Row
	more         int // that are not shown
}

// So many are shown before the reader asks for all of them: rows of a group, cards of conflicts, lines of a comparison.
const (
	mostRows  = 40
	mostCards = 20
	mostLines = 120
)

func (m Model) grouped(rows []change.Row) []group {
	groups := []group{
		{title: "Yours", words: "what your manifest says", why: why.ApplyAndUpdate},
		{title: "The server’s", words: "defaults, and what admission does", why: why.Defaulting},
		{title: "Made up by the server", words: "a real run will have other values", why: why.GeneratedName},
	}
	for _, r := range rows {
		g := &groups[0]
		switch r.Cause {
		case change.Server:
			g = &groups[1]
		case change.Generated:
			g = &groups[2]
		}
		if len(g.rows) == mostRows && !m.live.look.Long {
			g.more++
			continue
		}
		g.rows = append(g.rows, r)
	}
	kept := groups[:0]
	for _, g := range groups {
		if len(g.rows) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// cause is the cause in the contract's words.
func cause(r change.Row) string {
	if r.Cause == change.You {
		return "you"
	}
	return "server"
}

// claimTag says what becomes of the reader's claim.
func claimTag(r change.Row) string {
	switch {
	case r.Vanishes:
		return "goes away"
	case r.Claim == change.Taken:
		return "you take it"
	case r.Claim == change.Shared:
		return "shared"
	case r.Claim == change.GivenUp:
		return "given up"
	}
	return ""
}

// applyWords are those of the button.
func (m Model) applyWords() string {
	n := len(m.live.docs)
	forced := 0
	for _, d := range m.live.docs {
		if d.force {
			forced++
		}
	}
	words := "Apply"
	if n > 1 {
		words = fmt.Sprintf("Apply %d documents", n)
	}
	if forced > 0 {
		words += ", with force"
	}
	return words
}

// around is how many lines are shown around each change.
const around = 3

// drawn are the changes, written out anew only if they are to look otherwise.
func (m Model) drawn(d *document) templ.Component {
	if s := d.shown; s.drawn.html == "" || s.drawn.look != m.live.look {
		var b strings.Builder
		if err := rowsAndLines(m, d).Render(context.Background(), &b); err != nil {
			return components.Say(components.Notice{Tone: components.Bad, Title: "The changes can’t be shown", Words: err.Error()})
		}
		s.drawn = drawn{m.live.look, b.String()}
	}
	return templ.Raw(d.shown.drawn.html)
}

// looks is how the reader wants to see the object before and after.
func (m Model) looks() changes.Look {
	look := changes.Look{Label: "The object before and after", Side: m.live.look.Side, All: m.live.look.All, Around: around, Most: mostLines}
	if m.live.look.Long {
		look.Most = 0
	}
	return look
}

// shownBody is a request's body for people to read, with nothing in it that is secret.
func shownBody(d *document, e patch.Edit) string {
	if object.Holds(d.read.APIVersion, d.read.Kind) {
		return "(" + components.Bytes(int64(len(e.Request.Body))) + ", not shown: it holds the Secret’s values)"
	}
	var b bytes.Buffer
	if err := json.Indent(&b, e.Request.Body, "", "  "); err != nil {
		return string(e.Request.Body)
	}
	return b.String()
}

// bodyWords say what the body of the request is that Apply sends.
func bodyWords(d *document) string {
	if d.shown != nil && d.shown.dryRun.live != nil && d.shown.dryRun.live.No == nil {
		return "The body is your text, with the uid and resourceVersion of the object as previewed: if it changes first, the API server refuses."
	}
	return "The body is your text."
}

// counted sums up what a write would do, in words.
func counted(c change.Counts) string {
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+words)
		}
	}
	add(c.Added, "added")
	add(c.Changed, "changed")
	add(c.Removed, "removed")
	add(c.Owners, "with other owners alone")
	add(c.Taken, "taken from others")
	add(c.Shared, "shared")
	add(c.GivenUp, "given up")
	add(c.Vanish, "that go away, because nobody else holds them")
	return "Fields: " + strings.Join(parts, ", ") + "."
}
