package app

import "github.com/fieldmark/fieldmark/web/frame/page"

// extension handles commands that only some pages use. New makes an app without extensions, and Edits and Calls add one each, so a
// program links only what its pages need.
type extension interface {
	// enterPage is called when a page has become the current one.
	enterPage(page.Page)
	// do runs a command, if it belongs to the extension.
	do(page.Cmd)
	// handle handles an event, if it belongs to the extension.
	handle(event any)
	// took is called after the page has handled a message.
	took()
	// busy tells whether the page waits for something of the extension.
	busy() bool
}

// Editors are the document's editors of text.
type Editors interface {
	// Listen begins to post what happens in editors.
	Listen()
	// Edit replaces the text of an editor.
	Edit(field, text string)
	// Mark replaces the marks on the text of an editor.
	Mark(field string, marks []page.Marking)
	// Point puts the cursor of an editor at a place, and gives the editor the focus.
	Point(field string, line, column int)
	// Help passes the answer to a question to the editor.
	Help(field string, id int, answer page.Answer)
}

// Asked is a question that an editor asks for the user.
type Asked struct{ Question page.Question }

// Edits lets an app run the commands of pages with editors.
func Edits(a *App, editors Editors) { a.more = append(a.more, &editing{app: a, editors: editors}) }

// editing connects a page with its editors.
type editing struct {
	app     *App
	editors Editors
	visit   int                           // the page that got the questions
	open    map[page.Matter]page.Question // questions that wait for an answer
}

func (e *editing) enterPage(page.Page) {
	e.editors.Listen()
	e.visit, e.open = e.app.visit, map[page.Matter]page.Question{}
}

func (e *editing) busy() bool { return false }

// do runs commands for an editor after the next paint, which may create the editor.
func (e *editing) do(c page.Cmd) {
	switch c := c.(type) {
	case page.Edit:
		e.app.shown.runAfterPaint(func() { e.editors.Edit(c.Field, c.Text) })
	case page.Mark:
		e.app.shown.runAfterPaint(func() { e.editors.Mark(c.Field, c.Marks) })
	case page.Point:
		e.app.shown.runAfterPaint(func() { e.editors.Point(c.Field, c.Line, c.Column) })
	case page.Helped:
		e.passAnswer(c.Field, c.ID, c.Answer)
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
	e.open[q.What] = q // only the newest question of each kind matters
	answer, commands := p.Help(q)
	e.app.carryOut(commands)
	if !answer.Pending {
		e.passAnswer(q.Field, q.ID, answer)
	}
}

// took asks the page open questions again, because it may know the answer now.
func (e *editing) took() {
	if e.visit != e.app.visit {
		return // the question was for an earlier page
	}
	for _, q := range e.open {
		if p, ok := e.app.page.(page.Helpful); ok {
			if answer, _ := p.Help(q); !answer.Pending {
				e.passAnswer(q.Field, q.ID, answer)
			}
		}
	}
}

// passAnswer passes on an answer, if its question still matters.
func (e *editing) passAnswer(field string, id int, answer page.Answer) {
	for what, q := range e.open {
		if q.Field == field && q.ID == id {
			delete(e.open, what)
			e.editors.Help(field, id, answer)
		}
	}
}
