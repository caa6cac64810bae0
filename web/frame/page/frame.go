package page

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Frame is what all pages have. The Model of a page embeds it.
type Frame struct {
	// Kind names the page's kind: its folder, by which its profile is found (web.Profile).
	Kind  string      `json:"kind"`
	Shell shell.Model `json:"shell"`
	// Problem says why the page doesn't have all that it is for; nil: it does.
	Problem *components.Notice `json:"problem,omitempty"`
	// Rest is what the page still waits for; nil: nothing. Only the server has pages that wait.
	Rest *Rest `json:"-"`
}

// Framed implements Page.
func (f Frame) Framed() Frame { return f }

// With is the frame with a problem; nil: without one.
func (f Frame) With(problem *components.Notice) Frame {
	f.Problem = problem
	return f
}

// Profile is what the product knows of the page.
func (f Frame) Profile() web.Profile { return web.OfKind(f.Kind) }

// Headed is a page whose head has more than its title.
type Headed interface {
	Page
	Head() Head
}

// Head is what a page's head has besides the title of its shell. The frame shows it, then what the server lacks, and then the page's problem.
type Head struct {
	Where   []components.Segment // above the title: the path of what the page shows
	Title   templ.Component      // in place of the title of the shell
	Small   templ.Component      // after the title, in small letters
	Live    *components.Liveness // whether the page follows what it shows
	Why     why.Topic            // of the mark that explains what the page shows
	Beside  templ.Component      // on the line of the title, after the title
	Acts    components.Actions   // at the end of that line: what the reader can do here
	Lead    templ.Component      // a paragraph about the page
	Below   templ.Component      // facts, forms and tabs
	None    bool                 // the page's content shows all of that by itself, where it belongs
	Problem bool                 // the page's content shows the problem, where it belongs
}

// Text is a text in a head.
func Text(text string) templ.Component { return plain(text) }

// Brief is what the page is for, as menus say it.
func Brief(p Page) templ.Component { return plain(p.Framed().Profile().Brief) }

// head is what a page says in its head.
func head(p Page) (h Head) {
	if headed, is := p.(Headed); is {
		h = headed.Head()
	}
	return h
}
