package learn

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/server/cluster"
	tasks "github.com/fieldmark/fieldmark/server/task"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/exam"
	"github.com/fieldmark/fieldmark/web/learn/guide"
)

// Exam is the exam of a path: a GET shows it, a POST begins it, goes on with the next task, or ends it.
func (p Pages) Exam(w http.ResponseWriter, r *http.Request) {
	all := p.Guide()
	path := guide.ParsePath(r.URL.Query())
	of := onPath(all, path)
	c, _ := p.tried(r, "")
	var problem *components.Notice
	if r.Method == http.MethodPost {
		err := p.examAct(r, c, path, of)
		if err == nil {
			http.Redirect(w, r, p.afterAct(r), http.StatusSeeOther)
			return
		}
		problem = &components.Notice{Tone: components.Warn, Title: "The task didn’t begin", Words: components.Sentence(err.Error())}
	}
	m := exam.Model{Path: path, Tasks: min(len(of), tasks.MostInExam), Reading: p.unable(r, c), Sitting: p.sitting(r, all)}
	const title = "Exam"
	if c == nil {
		m.Frame = page.Frame{Kind: exam.Kind, Shell: p.Shell(r, title)}
	} else {
		m.Frame, _, m.Pending = p.around(r, c, exam.Kind, title, "exam", nil)
	}
	code := http.StatusOK
	if m.Shell.Title = title; problem != nil {
		m.Problem, code = problem, http.StatusConflict
	}
	p.Render(w, r, code, m)
}

// afterAct is where a reader goes on: at the task that began, or at the exam.
func (p Pages) afterAct(r *http.Request) string {
	if e, ok := p.Tasks.ExamOf(p.Session(r)); ok && !e.Over() {
		return web.Task(e.Sat[e.At].Task)
	}
	return r.URL.RequestURI()
}

// onPath are the tasks of a path, or of all paths if it is empty, without those that change the whole cluster: nobody asked for these.
func onPath(all lessons.Guide, path string) []lesson.Task {
	var of []lesson.Task
	for _, t := range all.Tasks {
		if l, _ := all.Lesson(t.ID); !l.Alone && (path == "" || slices.Contains(l.Paths, path)) {
			of = append(of, t)
		}
	}
	return of
}

func (p Pages) examAct(r *http.Request, c *cluster.Cluster, path string, of []lesson.Task) error {
	session := p.Session(r)
	switch r.PostFormValue(exam.FieldAct) {
	case exam.Begin:
		if p.unable(r, c) != "" {
			return nil
		}
		v, err := p.Begin(r, c, apipath.Path{})
		defer v.End()
		if err != nil {
			return err
		}
		return p.Tasks.BeginExam(session, c.Slug(), path, of, c.State(v.Context(), v.Client()).Release)
	case exam.GoOn:
		if at, err := strconv.Atoi(r.PostFormValue(exam.FieldAt)); err == nil {
			return p.Tasks.GoOn(session, at)
		}
	case exam.End:
		p.Tasks.EndExam(session)
	}
	return nil
}

// sitting is the exam of the session; nil: it has none.
func (p Pages) sitting(r *http.Request, all lessons.Guide) *exam.Sitting {
	if p.Tasks == nil {
		return nil
	}
	e, ok := p.Tasks.ExamOf(p.Session(r))
	if !ok {
		return nil
	}
	s := &exam.Sitting{Path: e.Path, At: e.At}
	for _, t := range e.Sat {
		of, _ := all.Task(t.Task)
		l, _ := all.Lesson(t.Task)
		s.Tasks = append(s.Tasks, exam.Task{ID: t.Task, Title: of.Title, Lesson: l.Title, Able: l.Summary, Solved: t.Solved})
	}
	return s
}
