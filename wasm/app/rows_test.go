package app

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func tableOf(words string, rows ...string) string {
	return "<h1>" + words + "</h1><table>" + components.RowsBegin + strings.Join(rows, "") + components.RowsEnd + "</table>"
}

// TestRowsBecomeOthers: whatever rows come, go, move or change, the screen ends up with the page as it is.
func TestRowsBecomeOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	screen := &fakeScreen{places: map[Place]string{}}
	v := views{painter: screen}
	for step := range 300 {
		var rows []string
		for _, n := range r.Perm(12)[:r.IntN(12)] {
			row := fmt.Sprintf(`<tr id="row-%d" aria-rowindex="%d">`, n, r.IntN(2))
			for range 1 + n%3 + r.IntN(2) {
				row += fmt.Sprintf(`<td class="%d">%d</td>`, r.IntN(2), r.IntN(2))
			}
			rows = append(rows, row+components.RowEnds)
		}
		html := tableOf(fmt.Sprint(r.IntN(2)), rows...)
		next := part(html)
		v.parts.show(next, html, screen)
		v.parts = next
		if screen.places[Main] != html {
			t.Fatalf("step %d: %s, want %s", step, screen.places[Main], html)
		}
	}
}

// TestTablesAreTakenApart: what the component for tables renders can be cut into its rows. Otherwise each change would write the whole table.
func TestTablesAreTakenApart(t *testing.T) {
	tables := specimen.Sections()[0]
	if tables.Name != "tables" {
		t.Fatalf("the first section is %s", tables.Name)
	}
	for _, s := range tables.Specimens {
		html := golden.Render(t, s.Shown)
		p := part(html)
		if strings.Contains(html, "<noscript>") {
			continue // only the server renders rows for readers without scripts
		}
		if !p.ok {
			t.Errorf("%s was not taken apart: %s", s.Name, html)
			continue
		}
		if got := p.before + components.RowsBegin + strings.Join(p.rows, "") + components.RowsEnd + p.after; got != html {
			t.Errorf("%s: the parts make up %s, want %s", s.Name, got, html)
		}
		body, _, _ := strings.Cut(html[len(p.before):], components.RowsEnd)
		if want := strings.Count(body, "<tr"); len(p.rows) != want {
			t.Errorf("%s: %d rows, want %d", s.Name, len(p.rows), want)
		}
	}
}

func TestOnlyWhatDiffersIsShown(t *testing.T) {
	a, b, c := `<tr id="a"><td>1</td></tr>`, `<tr id="b"><th>1</th><td>2</td><td>3</td></tr>`, `<tr id="c"><td>1</td></tr>`
	was := part(tableOf("", a, b))
	for row, want := range map[string]RowSteps{
		`<tr id="b"><th>1</th><td>2</td><td>4</td></tr>`:                         {Steps: "+ 1:2 0", HTML: `<tr id="b"><td>4</td></tr>`},
		`<tr id="b"><th>2</th><td>2</td><td>4</td></tr>`:                         {Steps: "+ 1:0,2 0", HTML: `<tr id="b"><th>2</th><td>4</td></tr>`},
		`<tr id="b" class="x"><th>1</th><td>2</td><td>3</td></tr>`:               {Steps: "+ 1: 0", HTML: `<tr id="b" class="x"></tr>`},
		`<tr id="b"><th>1</th><td>2</td></tr>`:                                   {Steps: "+ 1+ 0", HTML: `<tr id="b"><th>1</th><td>2</td></tr>`},
		`<tr id="b"><th>1</th><td>2</td><td><table><td>3</td></table></td></tr>`: {Steps: "+ 1+ 0", HTML: `<tr id="b"><th>1</th><td>2</td><td><table><td>3</td></table></td></tr>`},
	} {
		want.Before, want.HTML = 2, c+want.HTML
		if got := was.stepsTo(part(tableOf("", c, row, a))); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestWhatHasNoRowsToTellApartIsShownWhole: no table, two of them, rows without ids, or with one id twice.
func TestWhatHasNoRowsToTellApartIsShownWhole(t *testing.T) {
	row := `<tr id="a"><td>1</td></tr>`
	for what, html := range map[string]string{
		"no table": "<p>", "two": tableOf("", row) + tableOf("", row), "no id": tableOf("", "<tr><td>1</td></tr>"),
		"twice": tableOf("", row, row), "no end": components.RowsBegin + `<tr id="a">`,
	} {
		if part(html).ok {
			t.Errorf("%s was taken apart", what)
		}
	}
}

// TestRowsThatAreNotThoseShownLastAreShownAnew: something else may have touched the document.
func TestRowsThatAreNotThoseShownLastAreShownAnew(t *testing.T) {
	b := start(t, pods("a", "b"), here)
	c, _ := b.conn()
	b.settle()
	whole := b.screen.places[Main]
	b.screen.places[Main] = strings.Replace(whole, components.RowsBegin, components.RowsBegin+`<tr id="x"><td>not ours</td></tr>`, 1)
	r := row("c", "Running")
	c.send(t, wire.Message{Type: wire.Events, ID: 1, Gen: 1, ResourceVersion: "11", Events: []wire.Event{{Type: watch.Added, Row: &r}}})
	b.until("rows that can't be changed", func() bool { return b.screen.torn > 0 })
	b.act(Torn{})
	if html := b.screen.places[Main]; strings.Contains(html, "not ours") || !strings.Contains(html, `data-name="c"`) {
		t.Errorf("%s", html)
	}
}
