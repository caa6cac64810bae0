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
	"github.com/fieldmark/fieldmark/web/learn/standby"
)

const progressKey = progress.Key

// live is the state that only the browser has.
type live struct {
	now   time.Time
	book  progress.Book
	at    int // the place in sight; see model.go
	phase phase
	setup []call.Call // the requests that begin the lesson
	words string      // on the beginning, or from the Scenario's status
	since time.Time   // when the lesson was begun
	due   bool        // the last of them is sent again
	// tidied are the requests that delete what the lesson has created.
	tidied []call.Call

	vars     lesson.Vars
	sent     map[block]*sent.Request
	again    map[block]*sent.Request // repeats of requests whose first response stays
	order    int                     // of the newest response
	looks    map[block]*inquiry      // into what has changed, by the check that failed
	home     call.Call               // reads the lesson's namespace after a check failed
	guesses  map[block]predict.Guess
	verdicts map[block]predict.Verdict // on guesses; they never change
	drafts   map[block]string          // values that the learner types
	checks   map[block]*checked
	open     map[string]bool // opened folds, by the keys of their buttons
	part     string          // the explained part of a request, after its block; empty: none
	kubectl  kubectl
	wait     standby.Wait // for a cluster that isn't ready
	replay   *replay      // sets up a step; nil: none is being set up
	// elsewhere is the progress that another tab has made with this lesson since; nil: none.
	elsewhere *progress.Lesson
}

// block is the place of a block: its step, and its place in the step, both from 0.
type block struct{ step, n int }

func (b block) String() string { return strconv.Itoa(b.step) + "." + strconv.Itoa(b.n) }

// parseBlock reads what String writes.
func parseBlock(text string) (block, bool) {
	step, n, _ := strings.Cut(text, ".")
	s, err := strconv.Atoi(step)
	i, err2 := strconv.Atoi(n)
	return block{s, i}, err == nil && err2 == nil && s >= 0 && i >= 0
}

// phase is the state of the attempt and its namespace.
type phase string

// The phases.
const (
	unbegun  phase = ""         // no attempt has begun
	making   phase = "making"   // the namespace and the Scenario are being created
	awaiting phase = "awaiting" // the Scenario is not ready yet
	ready    phase = "ready"
	reading  phase = "reading" // not the practice cluster: only requests that read can be sent
	refused  phase = "refused" // the attempt could not begin
	tidying  phase = "tidying" // what the attempt has created is being deleted
	over     phase = "over"    // it is deleted
)

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{now: now, at: m.at(m.Step)}
	m.live.forget()
	m.rest()
	return m, nil
}

// forget resets the state to that of a new attempt.
func (l *live) forget() {
	l.vars, l.sent, l.guesses = lesson.Vars{}, map[block]*sent.Request{}, map[block]predict.Guess{}
	l.drafts, l.checks, l.open = map[block]string{}, map[block]*checked{}, map[string]bool{}
	l.verdicts = map[block]predict.Verdict{}
	l.setup, l.tidied, l.words, l.due = nil, nil, "", false
	l.again, l.looks, l.order = map[block]*sent.Request{}, map[block]*inquiry{}, 0
	l.kubectl, l.home, l.replay = kubectl{mode: map[int]bool{}}, call.Call{}, nil
}

// rest sets the first phase.
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
		return m, m.remembered(progress.Read(msg.Values[progressKey]))
	case page.Addressed:
		return m, m.addressed(msg)
	case page.Pressed:
		return m, m.pressed(msg.Key)
	case page.Acted:
		return m, m.handleAction(msg.Action)
	case page.Typed:
		m.typed(msg)
	case page.Tick:
		m.live.now = msg.Now
		return m, m.tick()
	case page.Opened, page.Arrived, page.Ended:
		return m, m.handleMessage(msg)
	case page.Received:
		return m, m.recorded(msg.Message)
	case page.Response:
		if msg.ID == standby.ID {
			return m.heardCluster(msg)
		}
		return m, m.heardEntry(msg)
	}
	return m, nil
}

// addressed shows the place that another address of the lesson names.
func (m Model) addressed(msg page.Addressed) []page.Cmd {
	to := m.at(msg.Query.Get(QueryStep))
	if slug := msg.Query.Get(web.ClusterField); slug != "" && slug != m.Shell.Cluster.Slug {
		return []page.Cmd{page.Navigate{Address: m.on(slug, to)}}
	}
	return m.turn(to)
}

// turn shows another place of the lesson.
func (m Model) turn(to int) []page.Cmd {
	l := m.live
	to = min(max(to, opening), m.endPlace())
	if to == l.at {
		return nil
	}
	l.at = to
	l.kubectl.begins()
	cmds := []page.Cmd{
		page.Remember{Address: m.placeAddress(to), Replace: true}, page.Focus{ID: headingID(to)}, page.Reveal{ID: linkID(to)}, page.Reveal{ID: headingID(to)},
	}
	cmds = append(cmds, m.listen()...)
	if to == m.endPlace() {
		cmds = append(cmds, m.finish()...)
	}
	cmds = append(cmds, m.proceed()...)
	return append(cmds, m.keep())
}

// keep stores the learner's progress in the browser.
func (m Model) keep() page.Cmd {
	l := m.live
	if l.elsewhere != nil {
		return page.Keep{Key: progressKey, Value: l.book.With(m.Lesson.ID, *l.elsewhere).String()}
	}
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

// remembered takes in the stored progress: the first time to go on from there, and later because another tab has changed it.
func (m Model) remembered(book progress.Book) []page.Cmd {
	l := m.live
	if l.book.Learner == "" {
		return m.resume(book)
	}
	mine := m.mine()
	theirs, has := book.Lessons[m.Lesson.ID]
	if book.Learner == "" { // it was forgotten, but names go on
		book.Learner = l.book.Learner
	}
	l.book = book.With(m.Lesson.ID, mine)
	if l.elsewhere = nil; !has || mine.Same(theirs) {
		return nil
	}
	l.elsewhere = &theirs
	return []page.Cmd{page.Announce{Words: m.takenWords()}}
}

// takenWords say that the lesson goes on elsewhere. If the server keeps the progress, that can be in another browser.
func (m Model) takenWords() string {
	if m.Shell.Progress != "" {
		return "This lesson goes on in another tab or browser."
	}
	return "This lesson goes on in another tab."
}

// goOnHere takes over what another tab has done.
func (m Model) goOnHere() []page.Cmd {
	l := m.live
	if l.elsewhere == nil {
		return nil
	}
	cmds := m.drop()
	book := l.book.With(m.Lesson.ID, *l.elsewhere)
	l.elsewhere = nil
	l.forget()
	m.rest()
	cmds = append(cmds, m.resume(book)...)
	return append(cmds, page.Focus{ID: headingID(l.at)})
}

// resume goes on from the stored progress.
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
		if l.at == m.endPlace() {
			l.at--
		}
		cmds = append(cmds, page.Remember{Address: m.placeAddress(l.at), Replace: true})
	}
	cmds = append(cmds, page.Reveal{ID: linkID(l.at)})
	if mine.Under() && mine.Cluster == m.Shell.Cluster.Slug && m.writable() {
		cmds = append(cmds, m.restore(mine)...)
		cmds = append(cmds, m.checkNamespace()...)
	}
	return append(cmds, m.proceed()...)
}

// restore resumes an attempt, and requests its responses from the wire log.
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

// block is the block at a place; the zero block if there is none.
func (m Model) block(b block) lesson.Block {
	if b.step < 0 || b.step >= len(m.Lesson.Steps) || b.n < 0 || b.n >= len(m.Lesson.Steps[b.step].Blocks) {
		return lesson.Block{}
	}
	return m.Lesson.Steps[b.step].Blocks[b.n]
}

// heardCluster takes in how far a cluster is that wasn't ready. Once it is, the lesson goes on with all that the reader has done.
func (m Model) heardCluster(r page.Response) (page.Page, []page.Cmd) {
	now, ok := standby.Read[Model](r)
	if !ok || !m.Pending || now.Lesson.ID != m.Lesson.ID {
		return m, nil
	}
	m.Problem, m.Pending, m.Shell, m.Viewer = now.Problem, now.Pending, now.Shell, now.Viewer
	m.Lesson, m.Version = now.Lesson, now.Version
	if m.Problem != nil {
		return m, nil
	}
	delete(m.live.vars, lesson.Namespace)
	m.rest()
	cmds := []page.Cmd{page.Announce{Words: "The cluster is ready. You can begin the lesson."}}
	return m, append(cmds, m.resume(m.live.book)...)
}

// tick does what is done each second.
func (m Model) tick() []page.Cmd {
	if m.Pending {
		return m.live.wait.Tick(m.placeAddress(m.currentPlace()))
	}
	cmds := m.lookAfter()
	cmds = append(cmds, m.poll()...)
	cmds = append(cmds, m.refreshStreamEntry()...)
	cmds = append(cmds, m.seek()...)
	return append(cmds, m.proceed()...)
}

// handleMessage takes a part of a response in.
func (m Model) handleMessage(msg page.Msg) []page.Cmd {
	if cmds, mine := m.heardSetup(msg); mine {
		return append(cmds, m.proceed()...)
	}
	if m.heardTidying(msg) {
		return nil
	}
	if cmds, mine := m.heardCheck(msg); mine {
		return append(cmds, m.proceed()...)
	}
	if x, mine := m.live.home.Hear(msg); mine && m.live.home.ID != "" {
		m.live.home = x
		return nil
	}
	if m.heardInquiry(msg) {
		return nil
	}
	cmds, _ := m.heardAnswer(msg)
	return append(cmds, m.proceed()...)
}
