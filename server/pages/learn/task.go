package learn

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/lessons"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	tasks "github.com/fieldmark/fieldmark/server/task"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/task"
)

// hold is how long a request for a task's next standing waits for it.
const hold = 15 * time.Second

// mostAnswer is how long a learner's answer may be.
const mostAnswer = 1000

// Task is the task of a lesson, or a case: a GET shows it, a POST begins it, ends it, or gives an answer.
func (p Pages) Task(w http.ResponseWriter, r *http.Request, id string, isCase bool) {
	all, err := lessons.Load()
	if err != nil {
		p.Log.Error("could not read the field guide", "err", err)
	}
	of, found := all.Task(id)
	l, _ := all.Lesson(id)
	if !found || of.Case != isCase {
		p.noTask(w, r, id)
		return
	}
	c, isThere := p.tried(r, "")
	at := tasks.Place{Task: id}
	if isThere {
		at.Cluster = c.Slug()
	}
	switch {
	case r.URL.Query().Has(task.QueryCard) && r.Method == http.MethodGet:
		p.card(w, r, of, l, at)
	case r.Header.Get("Accept") == task.MediaType && r.Method == http.MethodGet:
		p.standing(w, r, at)
	case r.Method == http.MethodPost:
		p.taskAct(w, r, c, of, at)
	default:
		p.taskPage(w, r, c, of, l, nil)
	}
}

// standing sends how a task stands, once it isn't as the browser knows it.
func (p Pages) standing(w http.ResponseWriter, r *http.Request, at tasks.Place) {
	ctx, cancel := context.WithTimeout(r.Context(), hold)
	defer cancel()
	known, _ := strconv.ParseUint(r.URL.Query().Get(task.QueryRevision), 10, 64)
	var now *standing.Standing
	if s, ok := p.Tasks.Show(ctx, p.Session(r), at, known); ok {
		now = &s
	}
	p.SendJSON(w, r, task.MediaType, now)
}

// card sends what is in a task's card, once it isn't as the browser knows it.
func (p Pages) card(w http.ResponseWriter, r *http.Request, of guide.Task, l guide.Lesson, at tasks.Place) {
	ctx, cancel := context.WithTimeout(r.Context(), hold)
	defer cancel()
	known, _ := strconv.ParseUint(r.URL.Query().Get(task.QueryRevision), 10, 64)
	now, ok := p.Tasks.Show(ctx, p.Session(r), at, known)
	if !ok || now.Phase == standing.Over {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := task.Inside(p.modelOf(r, of, l.Title, at.Cluster, now)).Render(r.Context(), w); err != nil && r.Context().Err() == nil {
		p.Log.Error("could not send the card of a task", "err", err)
	}
}

// taskAct begins a task, ends it, or takes an answer. All of that is state of this server, but for the namespace that the task is in.
func (p Pages) taskAct(w http.ResponseWriter, r *http.Request, c *cluster.Cluster, of guide.Task, at tasks.Place) {
	session := p.Session(r)
	var problem *components.Notice
	switch r.PostFormValue(task.FieldAct) {
	case task.Begin:
		if why := p.unable(r, c); why != "" {
			break
		}
		if err := p.beginTask(r, c, of); err != nil {
			problem = &components.Notice{Tone: components.Warn, Title: "The task didn’t begin", Words: components.Sentence(err.Error())}
		}
	case task.Stop:
		p.Tasks.Stop(session, at)
	case task.Give:
		goal, err := strconv.Atoi(r.PostFormValue(task.FieldGoal))
		text := r.PostFormValue(task.FieldAnswer)
		if err == nil && len(text) <= mostAnswer {
			before, _ := p.Tasks.Show(r.Context(), session, at, 0)
			p.Tasks.Answer(session, at, goal, text)
			ctx, cancel := context.WithTimeout(r.Context(), time.Second)
			defer cancel()
			p.Tasks.Show(ctx, session, at, before.Revision) // so that the page has the verdict without scripts, too
		}
	}
	if problem == nil {
		http.Redirect(w, r, task.Address(of), http.StatusSeeOther)
		return
	}
	all, _ := lessons.Load()
	l, _ := all.Lesson(of.ID)
	p.taskPage(w, r, c, of, l, problem)
}

func (p Pages) beginTask(r *http.Request, c *cluster.Cluster, of guide.Task) error {
	v, err := p.Begin(r, c, apipath.Path{})
	defer v.End()
	if err != nil {
		return err
	}
	err = p.Tasks.Start(p.Session(r), c.Slug(), of, c.State(v.Context(), v.Client()).Release)
	if errors.Is(err, errand.ErrRuns) {
		return nil
	}
	return err
}

// unable says why a task can only be read; empty: it can be done. A task writes on behalf of the session, so a session that only reads begins none.
func (p Pages) unable(r *http.Request, c *cluster.Cluster) string {
	const reading = " You can read the goal, the hints and the solution."
	who := p.WhoIs(r)
	switch {
	case c == nil || !visit.ShellCluster(c).Practice:
		return "Tasks are done on the practice cluster." + reading
	case p.ReadOnly:
		return "This Fieldmark is read-only, so nothing can be changed." + reading
	case who.ReadOnly != "":
		return who.ReadOnly + reading
	case !who.View.None():
		return "You view a cluster as somebody else. Stop that, and then begin the task." + reading
	}
	return ""
}

func (p Pages) taskPage(w http.ResponseWriter, r *http.Request, c *cluster.Cluster, of guide.Task, l guide.Lesson, problem *components.Notice) {
	m := task.Model{About: p.about(r, of, l.Title)}
	m.About.Draws = draws(of)
	m.About.Reading = p.unable(r, c)
	code := http.StatusOK
	if c == nil {
		m.Frame = page.Frame{Kind: task.Kind, Shell: p.Shell(r, of.Title)}
	} else {
		m.Frame, _, m.Pending = p.around(r, c, task.Kind, of.Title, "task", nil)
		if viewer := cluster.ViewerOf(c.Slug()); m.About.Reading == "" {
			if _, ok := p.ClustersOf(r).Get(viewer); ok {
				m.About.Viewer = viewer
			}
		}
		if s, ok := p.Tasks.Show(r.Context(), p.Session(r), tasks.Place{Cluster: c.Slug(), Task: of.ID}, 0); ok {
			m.Standing = &s
		}
	}
	if m.Shell.Title = of.Title; problem != nil {
		m.Problem, code = problem, http.StatusConflict
	}
	p.Render(w, r, code, m)
}

// draws are the lessons that a case draws on.
func draws(of guide.Task) []task.Named {
	var named []task.Named
	all, _ := lessons.Load()
	for _, id := range of.Lessons {
		if l, ok := all.Lesson(id); ok {
			named = append(named, task.Named{ID: id, Title: l.Title})
		}
	}
	return named
}

func (p Pages) noTask(w http.ResponseWriter, r *http.Request, id string) {
	p.Refuse(w, r, http.StatusNotFound, p.Shell(r, "No such task"), components.Notice{
		Tone: components.Warn, Title: "There is no task " + id, Words: "No lesson with this name has a task, and no case has this name.",
		Links: []components.Link{{Text: "Open the field guide", Href: web.Learn, Primary: true}},
	})
}
