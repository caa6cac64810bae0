package lesson

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

const progressKey = progress.Key

// live is what only the living page knows.
type live struct {
	now   time.Time
	book  progress.Book
	at    int // the place in sight
	phase phase
	setup []call.Call // by which the lesson was begun
	words string      // how far that is, in the Scenario's own words
	since time.Time   // when that began
	// tidied are the requests by which the lesson was tidied up.
	tidied []call.Call

	vars     lesson.Vars
	sent     map[block]*sent.Request
	again    map[block]*sent.Request // repeats of requests whose first response stays
	order    int                     // of the newest response
	looks    map[block]*inquiry      // into what has changed, by the check that failed
	guesses  map[block]predict.Guess
	verdicts map[block]predict.Verdict // on guesses; once told, they stay
	drafts   map[block]string          // values that are being written
	checks   map[block]*checked
	open     map[string]bool // what the reader has unfolded, by its button
	part     string          // of a request, that is explained; see partID
	kubectl  kubectl
}

// block is the place of a block: its step, and its place in that.
type block struct{ step, n int }

func (b block) String() string { return strconv.Itoa(b.step) + "." + strconv.Itoa(b.n) }

// parseBlock reads what String writes.
func parseBlock(text string) (block, bool) {
	step, n, _ := strings.Cut(text, ".")
	s, err := strconv.Atoi(step)
	i, err2 := strconv.Atoi(n)
	return block{s, i}, err == nil && err2 == nil && s >= 0 && i >= 0
}

// phase is how far the learner's own namespace is.
type phase string

// The phases.
const (
	unbegun  phase = ""         // nothing is there yet
	making   phase = "making"   // the namespace, then the Scenario
	awaiting phase = "awaiting" // that the Scenario holds
	ready    phase = "ready"
	reading  phase = "reading" // no namespace of one's own: only what reads can be sent
	refused  phase = "refused" // it could not be made
	tidying  phase = "tidying"
	over     phase = "over"
)

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{now: now, at: m.at(m.Step)}
	m.live.forget()
	m.rest()
	return m, nil
}

// forget is an attempt of which nothing has happened.
func (l *live) forget() {
	l.vars, l.sent, l.guesses = lesson.Vars{}, map[block]*sent.Request{}, map[block]predict.Guess{}
	l.drafts, l.checks, l.open = map[block]string{}, map[block]*checked{}, map[string]bool{}
	l.verdicts = map[block]predict.Verdict{}
	l.setup, l.tidied, l.words = nil, nil, ""
	l.again, l.looks, l.order = map[block]*sent.Request{}, map[block]*inquiry{}, 0
	l.kubectl = kubectl{mode: map[int]bool{}}
}

// rest is the phase in which the page waits for the learner.
func (m Model) rest() {
	m.live.phase = unbegun
	if !m.writable() {
		m.live.phase = reading
		m.live.vars[lesson.Namespace] = "default"
	}
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if m.live == nil {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Kept:
		return m, m.resume(progress.Read(msg.Values[progressKey]))
	case page.Addressed:
		return m, m.addressed(msg)
	case page.Pressed:
		return m, m.pressed(msg.Key)
	case page.Acted:
		return m, m.acted(msg.Action)
	case page.Typed:
		m.typed(msg)
	case page.Tick:
		m.live.now = msg.Now
		return m, m.tick()
	case page.Opened, page.Arrived, page.Ended:
		return m, m.hear(msg)
	case page.Received:
		return m, m.recorded(msg.Message)
	case page.Response:
		return m, m.heardEntry(msg)
	}
	return m, nil
}

// addressed brings into sight what another address of the lesson asks for.
func (m Model) addressed(msg page.Addressed) []page.Cmd {
	to := m.at(msg.Query.Get(QueryStep))
	if slug := msg.Query.Get(web.ClusterField); slug != "" && slug != m.Shell.Cluster.Slug {
		return []page.Cmd{page.Navigate{Address: m.on(slug, to)}}
	}
	return m.turn(to)
}

// turn brings another place into sight.
func (m Model) turn(to int) []page.Cmd {
	l := m.live
	to = min(max(to, opening), m.end())
	if to == l.at {
		return nil
	}
	l.at = to
	l.kubectl.begins()
	cmds := []page.Cmd{
		page.Remember{Address: m.address(to), Replace: true}, page.Focus{ID: headingID(to)}, page.Reveal{ID: linkID(to)}, page.Reveal{ID: headingID(to)},
	}
	cmds = append(cmds, m.listen()...)
	if to == m.end() {
		cmds = append(cmds, m.finish()...)
	}
	cmds = append(cmds, m.proceed()...)
	return append(cmds, m.keep())
}

// keep keeps how far the learner is.
func (m Model) keep() page.Cmd {
	l := m.live
	mine := l.book.Lessons[m.Lesson.ID]
	mine.Step = m.idOf(l.at)
	if mine.Under() {
		mine.Vars, mine.Guesses, mine.Sent, mine.Passed = maps.Clone(l.vars), map[string]string{}, nil, nil
		mine.Entries, mine.Failed = map[string]string{}, nil
		for b, g := range l.guesses {
			mine.Guesses[b.String()] = g.String()
		}
		mine.Verdicts = m.keptVerdicts()
		for b, a := range l.sent {
			if a.Answered() {
				mine.Sent = append(mine.Sent, b.String())
				if a.Call.Entry != "" {
					mine.Entries[b.String()] = a.Call.Entry
				}
			}
		}
		for b, c := range l.checks {
			switch {
			case c.holds():
				mine.Passed = append(mine.Passed, b.String())
			case c.settled() && !c.gone:
				mine.Failed = append(mine.Failed, b.String())
			}
		}
		slices.Sort(mine.Sent)
		slices.Sort(mine.Failed)
		slices.Sort(mine.Passed)
	}
	l.book = l.book.With(m.Lesson.ID, mine)
	return page.Keep{Key: progressKey, Value: l.book.String()}
}

// resume goes on from what the browser has kept.
func (m Model) resume(book progress.Book) []page.Cmd {
	l := m.live
	l.book = book
	var cmds []page.Cmd
	if l.book.Learner == "" {
		l.book.Learner = progress.Learner(l.now)
		cmds = append(cmds, m.keep())
	}
	mine := l.book.Lessons[m.Lesson.ID]
	if m.Step == "" && mine.Under() && mine.Cluster == m.Shell.Cluster.Slug {
		l.at = max(m.at(mine.Step), opening)
		if l.at == m.end() {
			l.at--
		}
		cmds = append(cmds, page.Remember{Address: m.address(l.at), Replace: true})
	}
	cmds = append(cmds, page.Reveal{ID: linkID(l.at)})
	if mine.Under() && mine.Cluster == m.Shell.Cluster.Slug && m.writable() {
		cmds = append(cmds, m.restore(mine)...)
		cmds = append(cmds, m.find()...)
	}
	return append(cmds, m.proceed()...)
}

// restore takes up an attempt, and asks the wire log for its responses.
func (m Model) restore(mine progress.Lesson) []page.Cmd {
	l := m.live
	l.vars = lesson.Vars(maps.Clone(mine.Vars))
	if l.vars == nil {
		l.vars = lesson.Vars{}
	}
	m.name(mine.Attempt)
	for text, kept := range mine.Guesses {
		if b, ok := parseBlock(text); ok && m.block(b).Predict != nil {
			l.guesses[b] = predict.Parse(kept)
		}
	}
	m.takeVerdicts(mine.Verdicts)
	for _, text := range mine.Passed {
		if b, ok := parseBlock(text); ok && m.block(b).Check != nil {
			l.checks[b] = &checked{before: true}
		}
	}
	for _, text := range mine.Failed {
		if b, ok := parseBlock(text); ok && m.block(b).Check != nil {
			l.checks[b] = &checked{done: true, left: true}
		}
	}
	return m.recall(mine)
}

// block is the block at a place; the zero block where there is none.
func (m Model) block(b block) lesson.Block {
	if b.step < 0 || b.step >= len(m.Lesson.Steps) || b.n < 0 || b.n >= len(m.Lesson.Steps[b.step].Blocks) {
		return lesson.Block{}
	}
	return m.Lesson.Steps[b.step].Blocks[b.n]
}

// tick does what is due.
func (m Model) tick() []page.Cmd {
	cmds := m.lookAfter()
	cmds = append(cmds, m.poll()...)
	cmds = append(cmds, m.look()...)
	cmds = append(cmds, m.seek()...)
	return append(cmds, m.proceed()...)
}

// hear takes in what came of a request.
func (m Model) hear(msg page.Msg) []page.Cmd {
	if cmds, mine := m.heardSetup(msg); mine {
		return append(cmds, m.proceed()...)
	}
	if m.heardTidying(msg) {
		return nil
	}
	if cmds, mine := m.heardCheck(msg); mine {
		return append(cmds, m.proceed()...)
	}
	if m.heardInquiry(msg) {
		return nil
	}
	cmds, _ := m.heardAnswer(msg)
	return append(cmds, m.proceed()...)
}
