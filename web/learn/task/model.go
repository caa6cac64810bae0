// Package task is the page of a task of the guide: what is to be done, how it stands, and what helps. The learner does it on other pages, or in kubectl. The
// server judges; this page shows what it says.
package task

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/standby"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "task"

// MediaType is that of a request for how a task stands. The response comes when the revision of QueryRevision is no longer the newest.
const (
	MediaType     = "application/vnd.fieldmark.task+json"
	QueryRevision = "revision"
	QueryCard     = "card" // what is in the card, as HTML, instead of a page
)

// Fields of the page's forms, and the values of FieldAct.
const (
	FieldAct    = "act"
	FieldGoal   = "goal" // the place of a question among the goals
	FieldAnswer = "answer"
	Begin       = "begin" // also begins anew
	Stop        = "stop"
	Give        = "give"
)

// Model is the page's state.
type Model struct {
	page.Frame

	About    About              `json:"about"`
	Standing *standing.Standing `json:"standing,omitempty"` // nil: it hasn't begun
	// Pending tells that the cluster will be ready without any action.
	Pending bool `json:"pending,omitempty"`

	live live
}

// About is what the guide says of a task. Its texts are HTML, as in a lesson.
type About struct {
	ID       string           `json:"id"`
	Lesson   string           `json:"lesson"` // title of the lesson that it practises
	Title    string           `json:"title"`
	Goal     string           `json:"goal"`
	Story    string           `json:"story,omitempty"`
	Minutes  int              `json:"minutes"`
	Goals    []Goal           `json:"goals"`
	Misses   []string         `json:"misses,omitempty"`
	Hints    []string         `json:"hints"`
	Solution []lesson.Request `json:"solution,omitempty"`
	// Collections are the paths of collections in which the start makes objects, with variables.
	Collections []string `json:"collections,omitempty"`
	Ending      string   `json:"ending,omitempty"`
	Viewer      string   `json:"viewer,omitempty"`  // the slug under which one acts with fewer rights; empty: there is none
	Reading     string   `json:"reading,omitempty"` // why it can only be read here; empty: it can be done
	Case        bool     `json:"case,omitempty"`    // it is a case, which practises no lesson
	Draws       []Named  `json:"draws,omitempty"`   // the lessons that a case draws on
	// Exam is the place of the task in an exam, from 1; 0: in none. Nothing helps in an exam.
	Exam int `json:"exam,omitempty"`
}

// Named is a lesson with its title.
type Named struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Goal is one thing that has to be so.
type Goal struct {
	Says     string `json:"says"`
	Question string `json:"question,omitempty"`
	Never    bool   `json:"never,omitempty"` // it can only be broken
}

type live struct {
	asked   bool   // a request for the standing is on its way
	trouble string // why the last one had no usable response
	wait    standby.Wait
}

// AboutOf is what a page says of a task.
func AboutOf(t lesson.Task, of string) About {
	a := About{ID: t.ID, Case: t.Case, Lesson: of, Title: t.Title, Goal: t.Goal, Story: t.Story, Minutes: t.Minutes, Hints: t.Hints, Ending: t.Ending}
	for _, g := range t.Goals {
		a.Goals = append(a.Goals, Goal{Says: g.Says, Question: g.Question, Never: g.Kind.Broken()})
	}
	for _, m := range t.Misses {
		a.Misses = append(a.Misses, m.Says)
	}
	for _, b := range t.Start {
		if b.Request == nil {
			continue
		}
		path, _, _ := strings.Cut(b.Request.Target, "?")
		p, err := apipath.Parse(strings.ReplaceAll(strings.ReplaceAll(path, "{{", ""), "}}", ""))
		if err != nil || p.Namespace != lesson.Namespace {
			continue
		}
		if p.Name != "" {
			path = path[:strings.LastIndexByte(path, '/')]
		}
		if p.Subresource == "" && !slices.Contains(a.Collections, path) {
			a.Collections = append(a.Collections, path)
		}
	}
	for _, b := range t.Solution {
		if b.Request != nil {
			a.Solution = append(a.Solution, *b.Request)
		}
	}
	return a
}

// InExam is what a page says of a task in an exam, from 0.
func (a About) InExam(at int) About {
	a.Exam, a.Hints, a.Solution, a.Ending = at+1, nil, nil, ""
	return a
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Small: page.Text(words.Count(int64(m.About.Minutes), "minute", "minutes")), Lead: practises(m), Live: m.liveness()}
}

// liveness says how current the page is; nil: it isn't followed.
func (m Model) liveness() *components.Liveness {
	switch {
	case m.Standing == nil || !m.follows():
		return nil
	case m.live.trouble != "":
		return &components.Liveness{Tone: components.Warn, Words: m.live.trouble}
	}
	return &components.Liveness{Tone: components.Good, Words: "live"}
}

// follows tells whether the task can still change.
func (m Model) follows() bool {
	if m.Standing == nil {
		return false
	}
	return m.Standing.Phase == standing.Preparing || m.Standing.Phase == standing.Working
}

// begun tells whether the task has a namespace.
func (m Model) begun() bool { return m.Standing != nil && m.Standing.Phase != standing.Over }

func (m Model) here() string { return address(m.About.ID, m.About.Case) }

// Address is the address of a task or a case.
func Address(t lesson.Task) string { return address(t.ID, t.Case) }

func address(id string, isCase bool) string {
	if isCase {
		return web.Case(id)
	}
	return web.Task(id)
}

// vars are the values of variables that are known.
func (m Model) vars() lesson.Vars {
	switch {
	case m.Standing != nil:
		return m.Standing.Vars
	case m.Shell.Apart: // an example, because nobody can begin the task there
		return lesson.Vars{lesson.Namespace: "your-namespace", lesson.Unique: "abc123"}
	}
	return lesson.Vars{}
}

// fill puts values and addresses into a text of the guide.
func (m Model) fill(text string) templ.Component {
	slug := m.Shell.Cluster.Slug
	return templ.Raw(lesson.Tooled(m.vars().Fill(text), func(tool string) string { return web.Tool(slug, tool) }))
}

// state is how a goal stands.
func (m Model) state(i int) standing.Goal {
	if m.Standing == nil || i >= len(m.Standing.Goals) {
		return standing.Goal{}
	}
	return m.Standing.Goals[i]
}

// mark is a state in words, with its tone.
type mark struct {
	words string
	tone  components.Tone
}

// marks are how states of goals are said.
var marks = map[standing.GoalState]mark{
	standing.Open:    {"not yet", components.Calm},
	standing.Reached: {"reached", components.Good},
	standing.Kept:    {"kept", components.Good},
	standing.Broken:  {"broken", components.Bad},
	standing.Unknown: {"not known", components.Warn},
}

// brief says in a few words how the task stands.
func (m Model) brief() mark {
	switch now := m.Standing; {
	case now.Phase == standing.Preparing:
		return mark{"preparing", components.Busy}
	case now.Phase == standing.Solved:
		return mark{"solved", components.Good}
	case now.Phase == standing.Lost, now.Phase == standing.Failed:
		return mark{"start over", components.Bad}
	case len(now.Misses) > 0:
		return mark{"that isn’t it", components.Warn}
	default:
		return mark{strconv.Itoa(reached(now)) + " of " + strconv.Itoa(len(now.Goals)), components.Calm}
	}
}

// missed are the sentences about mistakes that were made.
func (m Model) missed() []string {
	var all []string
	if m.Standing != nil {
		for _, i := range m.Standing.Misses {
			if i < len(m.About.Misses) {
				all = append(all, m.About.Misses[i])
			}
		}
	}
	return all
}

// place is a page where the learner can act.
type place struct{ title, href string }

// places are where the learner can act, as oneself and as the viewer.
func (m Model) places() []place {
	namespace := m.Standing.Namespace
	paths := []string{apipath.Collection("", "v1", namespace, "configmaps").String()}
	if len(m.About.Collections) > 0 {
		paths = nil
		for _, c := range m.About.Collections {
			paths = append(paths, m.vars().Plain(c))
		}
	}
	of := func(slug, as string) (all []place) {
		for _, path := range paths {
			all = append(all, place{path[strings.LastIndexByte(path, '/')+1:] + as, web.Page(slug, path)})
		}
		return append(all,
			place{"Request console" + as, web.WithQuery(web.Tool(slug, web.Request), url.Values{web.ConsolePath: {paths[0]}})},
			place{"Apply" + as, web.WithQuery(web.Tool(slug, web.Apply), url.Values{"namespace": {namespace}})},
		)
	}
	all := of(m.Shell.Cluster.Slug, "")
	if m.About.Viewer != "" {
		all = append(all, of(m.About.Viewer, " as viewer")...)
	}
	return all
}

// command lets kubectl work in the task's namespace.
func (m Model) command() string {
	return "kubectl config use-context " + m.Shell.Cluster.Slug + " && kubectl config set-context --current --namespace=" + m.Standing.Namespace
}

// compared says how many writes the learner needed, beside the shortest way that we know; empty: nothing was to be written.
func (m Model) compared() string {
	here := 0
	for _, r := range m.About.Solution {
		if r.Writes() {
			here++
		}
	}
	if m.Standing == nil || m.Standing.Phase != standing.Solved || here == 0 {
		return ""
	}
	return "You: " + words.Count(int64(m.Standing.Writes), "write", "writes") + ". Here: " + strconv.Itoa(here) + "."
}

const asking = "standing"

// away says that how a task stands may be old.
const away = "Fieldmark doesn’t respond"

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m.ask() }

// ask asks how the task stands, unless it can't change or somebody has asked.
func (m Model) ask() (page.Page, []page.Cmd) {
	if m.live.asked || !m.follows() {
		return m, nil
	}
	m.live.asked = true
	query := url.Values{QueryRevision: {strconv.FormatUint(m.Standing.Revision, 10)}}
	return m, []page.Cmd{page.Ask{ID: asking, Address: web.WithQuery(m.here(), query), Accept: MediaType}}
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		return m, []page.Cmd{page.Reload{}}
	case page.Tick:
		if m.Pending {
			return m, m.live.wait.Tick(m.here())
		}
		return m.ask()
	case page.Response:
		switch msg.ID {
		case asking:
			return m.told(msg)
		case standby.ID:
			return m.ready(msg)
		}
	}
	return m, nil
}

// ready takes in that the cluster is ready, or how far it is.
func (m Model) ready(r page.Response) (page.Page, []page.Cmd) {
	now, ok := standby.Read[Model](r)
	if !ok || !m.Pending {
		return m, nil
	}
	m.Frame, m.About, m.Standing, m.Pending = now.Frame, now.About, now.Standing, now.Pending
	if m.Pending {
		return m, nil
	}
	return m, []page.Cmd{page.Announce{Words: "The cluster is ready. You can begin the task."}}
}

// told takes how the task stands now.
func (m Model) told(r page.Response) (page.Page, []page.Cmd) {
	m.live.asked = false
	var now *standing.Standing
	switch {
	case r.Status == status.CodeUnauthorized:
		m.live.trouble = "signed out: reload to sign in again"
		m.live.asked = true // nothing more comes
		return m, nil
	case !r.OK() || json.Unmarshal(r.Body, &now) != nil:
		m.live.trouble = away
		return m, nil // the next tick asks again
	}
	before := m.Standing
	m.live.trouble, m.Standing = "", now
	next, commands := m.ask()
	if said := announced(before, now); said != "" {
		commands = append(commands, page.Announce{Words: said})
	}
	return next, commands
}

// announced is what screen readers are told of a change.
func announced(before, now *standing.Standing) string {
	switch {
	case before == nil || now == nil || before.Phase == now.Phase && reached(before) == reached(now) && len(before.Misses) == len(now.Misses):
		return ""
	case now.Phase == standing.Solved:
		return "The task is solved."
	case now.Phase == standing.Lost:
		return "This can’t be reached any more. Start over."
	case len(now.Misses) > len(before.Misses):
		return "That was a mistake. The page says which."
	}
	return strconv.Itoa(reached(now)) + " of " + strconv.Itoa(len(now.Goals)) + " goals are reached."
}

func reached(s *standing.Standing) (n int) {
	for _, g := range s.Goals {
		if g.State == standing.Reached || g.State == standing.Kept {
			n++
		}
	}
	return n
}
