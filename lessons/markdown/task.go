package markdown

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// taskHead is what stands between the two lines of hyphens of a task.
type taskHead struct {
	Title    string    `yaml:"title"`
	Goal     string    `yaml:"goal"`
	Minutes  int       `yaml:"minutes"`
	Nouns    []string  `yaml:"nouns"`
	Scenario any       `yaml:"scenario"`
	Alone    bool      `yaml:"alone"`
	Since    yaml.Node `yaml:"since"`
	Lessons  []string  `yaml:"lessons"`
	FoundBy  []string  `yaml:"found-by"`
}

// The sections of a task.
const (
	toStart    = "Start"
	toGoals    = "Goals"
	toMisses   = "Misses"
	toHints    = "Hints"
	toSolution = "Solution"
)

// sections are the headings of a task, with the blocks that may stand below each.
var sections = map[string][]string{
	toStart:    {"request", "check"},
	toGoals:    goalKinds,
	toMisses:   {"state", "seen", "request", "check", "kubectl"},
	toHints:    {},
	toSolution: {"request", "check", "kubectl"},
}

// goalKinds are the blocks that say how something is judged.
var goalKinds = []string{"state", "seen", "unseen", "never", "answer"}

// taskBlocks are the blocks of a task, and how each is read.
var taskBlocks = map[string]func(*taskReader, fence){
	"request": func(r *taskReader, f fence) { r.request(f) },
	"check": func(r *taskReader, f fence) {
		r.resends = r.section == toSolution // only the checker sends these, and it sends them again
		r.check(f)
	},
	"kubectl": func(r *taskReader, f fence) { r.kubectl(f) },
	"cleanup": func(r *taskReader, f fence) { r.cleanup(f) },
	"state":   (*taskReader).goal,
	"seen":    (*taskReader).goal,
	"unseen":  (*taskReader).goal,
	"never":   (*taskReader).goal,
	"answer":  (*taskReader).answer,
}

// taskReader reads one task. A section with requests is read as a step of a lesson.
type taskReader struct {
	*reader
	task    lesson.Task
	nouns   []string
	section string
	started []kept // the variables that the start keeps
}

// ParseTask reads a task. The id is that of its lesson, the file's name is for messages.
func ParseTask(known Known, id, file string, source []byte) (lesson.Task, []Mention, Problems) {
	return parseTask(known, id, file, source, false)
}

// ParseCase reads a case: a task with an id of its own, which may have no hints.
func ParseCase(known Known, id, file string, source []byte) (lesson.Task, []Mention, Problems) {
	return parseTask(known, id, file, source, true)
}

func parseTask(known Known, id, file string, source []byte, isCase bool) (lesson.Task, []Mention, Problems) {
	r := &taskReader{reader: newReader(known, file)}
	r.lesson.ID, r.task.Case = id, isCase
	r.task.ID, r.task.File = id, file
	source = []byte(strings.ReplaceAll(string(source), "\r\n", "\n"))
	head, body, ok := cutHead(source)
	if !ok {
		r.wrong(1, "the head is missing: a task begins with a line ---, its fields, and another line ---")
		return r.task, nil, r.problems
	}
	r.readTaskHead(head)
	r.readTask(body, lineAt(source, len(source)-len(body)))
	r.complete()
	r.givesNothingAway(fieldLine(head, "goal"))
	return r.task, r.mentions, r.problems.sorted()
}

func (r *taskReader) readTaskHead(text []byte) {
	var h taskHead
	d := yaml.NewDecoder(bytes.NewReader(append([]byte("\n"), text...))) // the line of hyphens counts
	d.KnownFields(true)
	if err := d.Decode(&h); err != nil && !errors.Is(err, io.EOF) {
		r.yamlProblems(err, "title, goal, minutes, nouns, scenario, alone, since, and lessons and found-by in a case")
	}
	t := &r.task
	t.Title, t.Minutes, t.Alone, r.nouns = h.Title, h.Minutes, h.Alone, h.Nouns
	if t.Title == "" {
		r.wrong(fieldLine(text, "title"), "the title is missing: give the head a line title: …")
	}
	least, what := 2, "a task"
	if t.Case {
		least, what = 10, "a case"
	}
	if t.Minutes < least || t.Minutes > 20 {
		r.wrong(fieldLine(text, "minutes"), "minutes is %d: %s takes %d to 20", t.Minutes, what, least)
	}
	t.Lessons, t.FoundBy = h.Lessons, h.FoundBy
	for _, id := range t.Lessons {
		r.mentions = append(r.mentions, Mention{Line: fieldLine(text, "lessons"), Lesson: id})
	}
	if len(t.FoundBy) > 0 && !t.Case {
		r.wrong(fieldLine(text, "found-by"), "a task is found by what finds its lesson: write found-by into the lesson's head")
	}
	if (len(t.Lessons) > 0) != t.Case {
		r.wrong(fieldLine(text, "lessons"), "a case names the lessons that it draws on, and only a case does: lessons: [ids]")
	}
	if t.Goal = r.inline([]line{{fieldLine(text, "goal"), h.Goal}}); t.Goal == "" {
		r.wrong(fieldLine(text, "goal"), "the goal is missing: say in one or two sentences what has to be so in the end")
	}
	r.scenario(h.Scenario, fieldLine(text, "scenario"))
	t.Scenario = r.lesson.Scenario
	if !h.Since.IsZero() {
		t.Range = r.begins(fieldLine(text, "since"), "since="+h.Since.Value)
		r.lessonRange = t.Range
	}
}

func (r *taskReader) readTask(body []byte, first int) {
	r.prose = prose{r: r.reader, source: body, first: first}
	r.holds = r.task.Range
	document := dialect.Parser().Parse(text.NewReader(body))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			r.taskHeading(n)
			continue
		case *ast.FencedCodeBlock:
			if f, ok := r.fenced(n, func(kind string) bool { return taskBlocks[kind] != nil }); ok {
				r.taskBlock(f)
				continue
			}
		case *ast.List:
			if r.section == toHints {
				r.hints(n)
				continue
			}
		}
		r.prose.check(n)
		r.use(r.prose.lineOf(n), r.sourceOf(n))
		r.pending = append(r.pending, n)
	}
	r.endSection()
}

// taskHeading begins a section, or a miss.
func (r *taskReader) taskHeading(n *ast.Heading) {
	title, at := plainText(r.prose.source, n), r.prose.lineOf(n)
	if n.Level == 3 && r.section == toMisses {
		r.endSection()
		r.task.Misses = append(r.task.Misses, lesson.Miss{Name: slug(title), Line: at})
		r.beginSteps(toMisses, at)
		return
	}
	r.endSection()
	if n.Level != 2 || sections[title] == nil {
		r.wrong(at, "%q is no part of a task: these are Start, Goals, Misses with a heading ### for each, Hints and Solution", title)
		return
	}
	if r.section == toStart {
		r.started = slices.Clone(r.vars)
	}
	r.beginSteps(title, at)
}

// beginSteps begins to read requests. Those of one section know nothing of another's, but for the start's.
func (r *taskReader) beginSteps(section string, at int) {
	if r.section = section; r.started != nil {
		r.vars = slices.Clone(r.started)
	}
	r.lesson.Steps = append(r.lesson.Steps, lesson.Step{Title: section, ID: slug(section), Line: at, Range: r.task.Range})
	r.last = nil
}

func (r *taskReader) taskBlock(f fence) {
	if f.kind == "cleanup" {
		r.cleanup(f)
		return
	}
	if !slices.Contains(sections[r.section], f.kind) {
		r.wrong(f.line, "a %s has no place here", f.kind)
		return
	}
	if !slices.Contains(goalKinds, f.kind) {
		r.tell(f.line, r.said())
	}
	r.enter(&f)
	taskBlocks[f.kind](r, f)
}

// tell takes text that is not about a goal.
func (r *taskReader) tell(at int, said string) {
	switch {
	case said == "":
	case r.section == "":
		r.task.Story = said
	case r.section == toSolution:
		r.task.Ending += said
	case r.section == toMisses && len(r.task.Misses) > 0 && r.task.Misses[len(r.task.Misses)-1].Says == "":
		r.task.Misses[len(r.task.Misses)-1].Says = said
	default:
		r.wrong(at, "text has no place here")
	}
}

// said is the text since the last block: what it means for the learner.
func (r *taskReader) said() string {
	said := strings.TrimSpace(r.prose.html(r.pending...))
	r.pending = nil
	return said
}

// goal reads a goal or a condition of a miss: a request, and statements.
func (r *taskReader) goal(f fence) {
	_, _, values := r.options(f, nil, []string{"as", "hold"})
	g := lesson.Goal{Kind: lesson.GoalKind(f.kind), Says: r.said(), Line: f.line}
	sent, statements := apart(trimmed(f.lines))
	g.Request = r.pattern(f, sent)
	if g.Request.As = values["as"]; g.Request.As != "" && g.Request.As != "viewer" {
		r.wrong(f.line, "as=%s is nobody: requests are sent as you, or as=viewer", g.Request.As)
	}
	if hold, given := values["hold"]; given {
		n, err := strconv.Atoi(hold)
		if err != nil || n < 1 || n > 60 || g.Kind != lesson.GoalState || r.section != toGoals {
			r.wrong(f.line, "hold=%s: a state below ## Goals can have to be so for 1 to 60 seconds", hold)
		}
		g.Hold = n
	}
	for _, l := range written(statements) {
		text, asked := strings.CutPrefix(strings.TrimSpace(l.text), "sent ")
		s, ok := r.statement(line{l.n, text})
		switch {
		case !ok:
		case asked && g.Kind != lesson.GoalSeen && g.Kind != lesson.GoalUnseen:
			r.wrong(l.n, "sent is for what a request of the learner has to be like: in seen and unseen")
		case asked:
			g.Sent = append(g.Sent, s)
		default:
			g.Statements = append(g.Statements, s)
		}
	}
	r.judgeable(f, g)
	if r.section == toMisses {
		r.tell(f.line, g.Says)
		g.Says = ""
		r.miss(f.line, func(m *lesson.Miss) { m.When = append(m.When, g) })
		return
	}
	if g.Says == "" {
		r.wrong(f.line, "say in the text before the block what is so if this is reached, or what has happened if it is broken")
	}
	r.task.Goals = append(r.task.Goals, g)
}

// judgeable says what is missing in a goal.
func (r *taskReader) judgeable(f fence, g lesson.Goal) {
	switch {
	case g.Kind == lesson.GoalState && len(g.Statements) == 0, g.Kind == lesson.GoalNever && len(g.Statements) == 0:
		r.wrong(f.line, "there is no statement in it, so it can't be judged")
	case g.Kind == lesson.GoalNever && !g.Request.Reads():
		r.wrong(f.line, "never watches: it begins with GET and a path")
	case g.Kind == lesson.GoalState && !g.Request.Reads() && !strings.Contains(g.Request.Target, "dryRun=All") && !review.MatchString(g.Request.Target):
		r.wrong(f.line, "a state is asked for by a request that changes nothing: a GET, a review, or a dry run")
	}
	for _, s := range g.Statements {
		if s.Keep != "" {
			r.wrong(s.Line, "a goal keeps nothing: write a check into the start")
		}
	}
}

// review is the path of requests that ask whether something is allowed.
var review = regexp.MustCompile(`/authorization\.k8s\.io/v1/.*accessreviews$`)

// apart parts the lines of a goal into its request and its statements. A request with headers or a body ends with a line of hyphens.
func apart(lines []line) (sent, statements []line) {
	for i, l := range lines {
		if strings.TrimSpace(l.text) == "---" {
			return lines[:i], lines[i+1:]
		}
	}
	return lines[:min(1, len(lines))], lines[min(1, len(lines)):]
}

// pattern reads the request of a goal. In seen and unseen, its method and parts of its path may be *.
func (r *taskReader) pattern(f fence, lines []line) lesson.Request {
	if len(lines) > 0 && (f.kind == "seen" || f.kind == "unseen") {
		words := strings.Fields(lines[0].text)
		if len(words) != 2 || words[0] != "*" && !slices.Contains(methods, words[0]) || !strings.HasPrefix(words[1], "/") || len(lines) > 1 {
			r.wrong(lines[0].n, "a request to look for is one line, METHOD /path?query; what else it has to have is said by sent header … or sent body …")
			return lesson.Request{}
		}
		r.use(lines[0].n, lines[0].text)
		return lesson.Request{Method: words[0], Target: words[1]}
	}
	return *r.readRequest(lines, f.line)
}

// miss changes the miss that is being read.
func (r *taskReader) miss(at int, change func(*lesson.Miss)) {
	if len(r.task.Misses) == 0 {
		r.wrong(at, "this belongs to a miss: begin one before it, ### …")
		return
	}
	change(&r.task.Misses[len(r.task.Misses)-1])
}

// answer reads a question with the values that are right, and those that are explained.
func (r *taskReader) answer(f fence) {
	p := &lesson.Predict{Value: &lesson.Subject{}, Line: f.line}
	lines := f.lines
	var question []line
	for len(lines) > 0 && !choice.MatchString(lines[0].text) {
		question = append(question, lines[0])
		lines = lines[1:]
	}
	for len(lines) > 0 {
		end := 1
		for end < len(lines) && !choice.MatchString(lines[end].text) {
			end++
		}
		r.choice(p, lines[:end])
		lines = lines[end:]
	}
	r.choices(p)
	g := lesson.Goal{Kind: lesson.GoalAnswer, Says: r.said(), Question: r.inline(question), Choices: p.Choices, Line: f.line}
	right := slices.ContainsFunc(g.Choices, func(c lesson.Choice) bool { return c.Right })
	if g.Question == "" || !right || len(g.Choices) < 2 {
		r.wrong(f.line, "an answer has a question, a value that is right, and a wrong one that is explained")
	}
	r.task.Goals = append(r.task.Goals, g)
}

// hints reads the ladder of hints.
func (r *taskReader) hints(list *ast.List) {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		var nodes []ast.Node
		for n := item.FirstChild(); n != nil; n = n.NextSibling() {
			r.prose.check(n)
			nodes = append(nodes, n)
		}
		r.use(r.prose.lineOf(item), plainText(r.prose.source, item))
		r.task.Hints = append(r.task.Hints, strings.TrimSpace(r.prose.html(nodes...)))
	}
}

// endSection takes what was read of a section into the task.
func (r *taskReader) endSection() {
	at := 1
	if len(r.pending) > 0 {
		at = r.prose.lineOf(r.pending[0])
	}
	r.tell(at, r.said())
	step := r.step()
	if step == nil {
		return
	}
	switch r.section {
	case toStart:
		r.task.Start = append(r.task.Start, step.Blocks...)
	case toSolution:
		r.task.Solution = append(r.task.Solution, step.Blocks...)
	case toMisses:
		if len(r.task.Misses) > 0 {
			r.task.Misses[len(r.task.Misses)-1].Way = step.Blocks
		}
	}
	r.lesson.Steps, r.requests = nil, map[string]*lesson.Request{}
}

// complete says what the task lacks as a whole.
func (r *taskReader) complete() {
	t := &r.task
	t.Cleanup = r.lesson.Cleanup
	reachable := slices.ContainsFunc(t.Goals, func(g lesson.Goal) bool { return !g.Kind.Broken() })
	switch {
	case !reachable:
		r.wrong(1, "the task has no goal that can be reached: a state, seen or answer below ## Goals")
	case len(t.Solution) == 0 && slices.ContainsFunc(t.Goals, func(g lesson.Goal) bool { return g.Kind != lesson.GoalAnswer }):
		r.wrong(1, "the task has no solution: its requests stand below ## Solution")
	case t.Case && len(t.Hints) > 0:
		r.wrong(1, "a case has no hints")
	case !t.Case && (len(t.Hints) == 0 || len(t.Hints) > 3):
		r.wrong(1, "the task has %d hints: one to three, the idea, the place, the request without its value", len(t.Hints))
	}
	for _, m := range t.Misses {
		switch {
		case m.Says == "":
			r.wrong(m.Line, "the miss says nothing: write a sentence that names the mistake")
		case len(m.Way) == 0:
			r.wrong(m.Line, "the miss has no request: write what somebody sends who goes this way, so that it is proved that the sentence comes")
		}
	}
}

// word is what is compared in what a task gives away.
var word = regexp.MustCompile(`[A-Za-z][A-Za-z-]{3,}`)

// givesNothingAway says which word of the solution the goal or the first hint has, unless it is among the nouns.
func (r *taskReader) givesNothingAway(at int) {
	secret := map[string]bool{}
	for _, b := range r.task.Solution {
		if b.Request == nil {
			continue
		}
		texts := []string{b.Request.Target}
		for _, h := range b.Request.Header {
			texts = append(texts, h.Value)
		}
		for _, text := range texts {
			for _, w := range word.FindAllString(variable.ReplaceAllString(text, ""), -1) {
				secret[strings.ToLower(w)] = true
			}
		}
	}
	for _, noun := range r.nouns {
		delete(secret, strings.ToLower(noun))
	}
	tell := func(part, html string) {
		for _, w := range word.FindAllString(tag.ReplaceAllString(html, " "), -1) {
			if secret[strings.ToLower(w)] {
				r.wrong(at, "%s has the word %q of the solution: say it in other words, or write it into nouns if nobody learns anything from it", part, w)
			}
		}
	}
	tell("the goal", r.task.Goal)
	if len(r.task.Hints) > 0 {
		tell("the first hint", r.task.Hints[0])
	}
}

// tag is a tag of HTML.
var tag = regexp.MustCompile(`<[^>]*>`)
