package learn

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/recording"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/learn/cases"
	"github.com/fieldmark/fieldmark/web/learn/glossary"
	tree "github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/learn/handout"
	"github.com/fieldmark/fieldmark/web/learn/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/web/learn/task"
)

// Apart is a page of the guide as a file.
type Apart struct {
	Address string // in Fieldmark
	About   string // what the page says, in a sentence or two
	Page    page.Page
}

// linesApart is how many lines of a response are laid out at least, where nobody can ask for more.
const linesApart = 120

// Lessons are the lessons of the guide with these ids, in the order of the guide; all of them without ids.
func Lessons(ids []string) ([]guide.Lesson, error) {
	all, err := lessons.Load()
	if err != nil {
		return nil, fmt.Errorf("reading the field guide: %w", err)
	}
	for _, id := range ids {
		if _, ok := all.Lesson(id); !ok {
			return nil, fmt.Errorf("the field guide has no lesson %q. Its address in the guide ends with its name: /learn/conflicts", id)
		}
	}
	if len(ids) == 0 {
		return all.Lessons, nil
	}
	return slices.DeleteFunc(slices.Clone(all.Lessons), func(l guide.Lesson) bool { return !slices.Contains(ids, l.ID) }), nil
}

// PagesApart are the pages of the guide as files, with recorded responses. Lessons that weren't recorded have no page.
func PagesApart(from recording.Recording) ([]Apart, error) {
	all, err := lessons.Load()
	if err != nil {
		return nil, fmt.Errorf("reading the field guide: %w", err)
	}
	a := apart{all: all, from: from}
	a.maps()
	for _, l := range all.Lessons {
		if of, ok := from.Lessons[l.ID]; ok {
			a.lesson(l, of)
		}
		if t, has := all.Task(l.ID); has {
			a.task(t, l.Title)
		}
	}
	a.add(web.Cases, aboutCases, cases.Model{Frame: a.frame(cases.Kind, "Cases"), Cases: casesOf(all)})
	for _, c := range all.Cases {
		a.task(c, "")
	}
	a.add(web.Glossary, aboutGlossary, glossary.Model{Frame: a.frame(glossary.Kind, web.OfKind(glossary.Kind).Title), Terms: termsOf(all)})
	return a.pages, nil
}

// What pages say, for search engines.
const (
	aboutGuide    = "Learn the concepts of the Kubernetes API one by one, with the responses of a real API server."
	aboutCases    = "Something is wrong in a real Kubernetes cluster: a story, its evidence, and the shortest way to correct it."
	aboutGlossary = "The words of the Kubernetes API, and the lessons that explain them."
	aboutHandout  = "What to keep of each lesson about the Kubernetes API, to be printed."
)

// apart makes the pages.
type apart struct {
	all   lessons.Guide
	from  recording.Recording
	pages []Apart
}

func (a *apart) add(address, about string, p page.Page) {
	a.pages = append(a.pages, Apart{Address: address, About: about, Page: p})
}

func (a *apart) frame(kind, title string) page.Frame {
	return page.Frame{Kind: kind, Shell: shell.Model{Title: title, Apart: true}}
}

// maps are the maps and the handouts of all paths through the guide.
func (a *apart) maps() {
	for _, path := range tree.PathNames() {
		m := mapOf(a.all)
		of := ""
		if path != "" {
			of = ": " + tree.PathTitle(path)
		}
		m.Frame, m.Path = a.frame(tree.Kind, "The field guide to the Kubernetes API"+of), path
		query := url.Values{tree.PathField: {path}}
		a.add(web.WithQuery(web.Learn, query), aboutGuide, m)
		a.add(web.WithQuery(web.Print, query), aboutHandout, handout.Model{
			Frame: a.frame(handout.Kind, web.OfKind(handout.Kind).Title+of), Path: path, Chapters: kept(a.all, path),
		})
	}
}

// lesson is the page of a lesson as it is on the server whose responses were recorded.
func (a *apart) lesson(l guide.Lesson, of recording.Lesson) {
	version := a.from.Version()
	m := lesson.Model{Frame: a.frame(lesson.Kind, l.Title), Lesson: l.On(version), Version: version}
	m.Before, m.Next = neighbours(a.all.Lessons, l)
	if t, has := a.all.Task(l.ID); has {
		m.Task = t.Title
	}
	past := &lesson.Past{Vars: of.Vars, Sent: map[string]*sent.Request{}, At: a.from.At}
	for _, s := range m.Lesson.Steps {
		for _, b := range s.Blocks {
			if b.Request == nil {
				continue
			}
			if r, ok := of.Responses[b.Request.Name]; ok {
				past.Sent[b.Request.Name] = responded(*b.Request, of.Vars, r)
			}
		}
	}
	m.Past = past
	a.add(web.Lesson(l.ID), l.Summary, m)
}

// responded is a request with its recorded response.
func responded(q guide.Request, vars guide.Vars, r recording.Response) *sent.Request {
	filled, err := q.Expanded(vars)
	if err != nil {
		filled = q // it was sent, so its variables have values
	}
	x := call.Call{
		Method: q.Method, Path: filled.Target, State: call.Whole, Status: r.Status, Kept: r.Body, Bytes: r.Size, Wire: r.Wire, Took: r.Took,
	}
	for _, h := range r.Header {
		x.Answer = append(x.Answer, request.Header{Name: strings.ToLower(h.Name), Value: h.Value})
	}
	return &sent.Request{Call: x, Watch: q.Watch, Lines: linesApart}
}

// notHere says why a task can't be done on its page.
const notHere = "In Fieldmark, you do this in a practice cluster on your machine, and Fieldmark judges it while you work. Here you can read what is to be done, and what helps."

func (a *apart) task(t guide.Task, of string) {
	m := task.Model{Frame: a.frame(task.Kind, t.Title), About: task.AboutOf(t, of)}
	m.About.Draws, m.About.Reading = draws(t), notHere
	a.add(task.Address(t), unmarked(t.Goal), m)
}
