package learn

import (
	"net/http"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/lessons"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/learn/task"
)

// about is what the guide says of a task. In an exam, that is no more than the goal.
func (p Pages) about(r *http.Request, of guide.Task, lesson string) task.About {
	a := task.AboutOf(of, lesson)
	if p.Tasks == nil {
		return a
	}
	if e, ok := p.Tasks.ExamOf(p.Session(r)); ok {
		if at, in := e.Place(of.ID); in {
			return a.InExam(at)
		}
	}
	return a
}

// modelOf is a task that runs in a cluster, as its page and its card show it.
func (p Pages) modelOf(r *http.Request, of guide.Task, lesson, cluster string, now standing.Standing) task.Model {
	m := task.Model{About: p.about(r, of, lesson), Standing: &now}
	m.Shell.Cluster = shell.Cluster{Slug: cluster}
	return m
}

// Card is the card of the task that the session works on, beside each of its pages; nil: it works on none.
func (p Pages) Card(r *http.Request) templ.Component {
	if p.Tasks == nil {
		return nil
	}
	at, ok := p.Tasks.Newest(p.Session(r))
	if !ok {
		return nil
	}
	all, _ := lessons.Load() // its errors are told where the guide is shown
	of, known := all.Task(at.Task)
	now, runs := p.Tasks.Show(r.Context(), p.Session(r), at, 0)
	if !known || !runs {
		return nil
	}
	l, _ := all.Lesson(at.Task)
	m := p.modelOf(r, of, l.Title, at.Cluster, now)
	if who := p.WhoIs(r); who.Person != nil {
		m.Shell.Reader = who.Person.Key
	}
	return task.Card(m)
}
