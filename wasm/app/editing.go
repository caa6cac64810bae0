package app

import "github.com/fieldmark/fieldmark/web/frame/page"

// extension does what only some pages ask for. A program that has no such pages links none of it: New makes an app without,
// and Edits and Calls add one each.
type extension interface {
	// begin is called when a page lives.
	begin(page.Page)
	// do carries out a command, if it is one of its own.
	do(page.Cmd)
	// handle takes in an event, if it is one of its own.
	handle(event any)
	// took is called when the page has taken a message in.
	took()
}

// Editors are the document's editors of text, and what the browser keeps for pages.
type Editors interface {
	// Edit makes the text of an editor another one.
	Edit(field, text string)
	// Mark puts marks on the text that the page knows, in place of those before.
	Mark(field string, marks []page.Marking)
	// Help gives the answer to a question.
	Help(field string, id int, answer page.Answer)
	// Keep keeps a value; an empty one is forgotten.
	Keep(key, value string)
	// Kept is a value that was kept.
	Kept(key string) (value string, ok bool)
}

// Asked is a question of the reader's in an editor.
type Asked struct{ Question page.Question }

// Edits has an app carry out what pages with editors ask for.
func Edits(a *App, editors Editors) { a.more = append(a.more, &editing{app: a, editors: editors}) }

// editing connects a page with its editors.
type editing struct {
	app     *App
	editors Editors
	visit   int                           // of the page that was asked
	open    map[page.Matter]page.Question // those that wait for an answer
}

func (e *editing) begin(p page.Page) {
	e.visit, e.open = e.app.visit, map[page.Matter]page.Question{}
	keeper, ok := p.(page.Keeper)
	if !ok {
		return
	}
	values := map[string]string{}
	for _, key := range keeper.Keeps() {
		if value, ok := e.editors.Kept(key); ok {
			values[key] = value
		}
	}
	e.app.update(page.Kept{Values: values})
}

// do carries out what is for an editor after the next paint: that may be the one that brings it.
func (e *editing) do(c page.Cmd) {
	switch c := c.(type) {
	case page.Edit:
		e.app.shown.next(func() { e.editors.Edit(c.Field, c.Text) })
	case page.Mark:
		e.app.shown.next(func() { e.editors.Mark(c.Field, c.Marks) })
	case page.Helped:
		e.settle(c.Field, c.ID, c.Answer)
	case page.Keep:
		e.editors.Keep(c.Key, c.Value)
	}
}

func (e *editing) handle(event any) {
	asked, ok := event.(Asked)
	if !ok {
		return
	}
	q := asked.Question
	p, ok := e.app.page.(page.Helpful)
	if !ok {
		e.editors.Help(q.Field, q.ID, page.Answer{})
		return
	}
	e.open[q.What] = q // whatever else was asked of this sort is of no interest any more
	answer, commands := p.Help(q)
	e.app.carryOut(commands)
	if !answer.Pending {
		e.settle(q.Field, q.ID, answer)
	}
}

// took asks again what is still open: the page may know by now.
func (e *editing) took() {
	if e.visit != e.app.visit {
		return // the page before was asked
	}
	for _, q := range e.open {
		if p, ok := e.app.page.(page.Helpful); ok {
			if answer, _ := p.Help(q); !answer.Pending {
				e.settle(q.Field, q.ID, answer)
			}
		}
	}
}

// settle gives an answer, to what is still of interest.
func (e *editing) settle(field string, id int, answer page.Answer) {
	for what, q := range e.open {
		if q.Field == field && q.ID == id {
			delete(e.open, what)
			e.editors.Help(field, id, answer)
		}
	}
}
