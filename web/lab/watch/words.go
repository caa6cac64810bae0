package watch

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/words"
)

// liveness is the state of the newest stream.
func (m Model) liveness() components.Liveness {
	s := m.live.stream()
	if s == nil {
		return components.Liveness{}
	}
	tone, words := s.how(m.live)
	return components.Liveness{Tone: tone, Words: words, Why: s.why()}
}

// why is the topic that explains the state of the stream; nil: a refusal has its own topic.
func (s *stream) why() *why.Topic {
	switch {
	case s.failed != nil, s.broken != "", !s.x.OK():
		return nil
	case s.x.State != call.Answering:
		return &why.Resume
	case !s.whole && s.options.Begin == Initial:
		return &why.StreamingLists
	default:
		return &why.Watch
	}
}

// how is the state of a stream in words.
func (s *stream) how(l *live) (tone components.Tone, state string) {
	switch {
	case l.seed.ID == numbered(idList, s.n) && l.seed.Under():
		return components.Busy, "listing first"
	case l.seed.ID == numbered(idList, s.n) && (l.seed.State != call.Whole || !l.seed.OK()):
		return components.Bad, "the API server refused the list"
	case s.broken != "":
		return components.Bad, "the stream can’t be read: " + s.broken
	case s.x.State == call.Waiting:
		return components.Busy, "sent, no response yet"
	case s.x.Status != 0 && !s.x.OK():
		return components.Bad, "refused with " + strconv.Itoa(s.x.Status)
	case s.failed != nil:
		return components.Bad, "ended by an ERROR event"
	case s.x.State == call.Answering && !s.whole && s.options.Begin != Initial:
		return components.Good, fmt.Sprintf("live, with %s at first", words.Count(int64(s.initial), "object", "objects"))
	case s.x.State == call.Answering && !s.whole:
		return components.Busy, fmt.Sprintf("initial events, %s so far", words.Thousands(int64(s.initial)))
	case s.x.State == call.Answering:
		return components.Good, "live"
	case s.x.State == call.Canceled:
		return components.Calm, "disconnected"
	case s.x.State == call.Whole:
		return components.Calm, fmt.Sprintf("ended by the server after %s", seconds(s.x.Took))
	default:
		return components.Bad, "cut off"
	}
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s" }

// refusal says why the API server refused the newest stream or ended it with an error; nil: it did neither.
func (m Model) refusal() *components.Notice {
	s := m.live.stream()
	switch {
	case s == nil:
		return nil
	case s.failed != nil:
		n := explain(*s.failed, true)
		return &n
	case s.x.No() != nil:
		n := explain(*s.x.No(), false)
		return &n
	case m.live.seed.ID == numbered(idList, s.n) && m.live.seed.No() != nil:
		n := explain(*m.live.seed.No(), false)
		return &n
	}
	return nil
}

// explain says what a refusal means, and what a client does about it. A refusal comes as a response or as an ERROR event.
func explain(no status.Status, event bool) components.Notice {
	title := "The status code is "
	if event {
		title = "An ERROR event: "
	}
	n := call.RefusalOf(title+strings.TrimSpace(strconv.Itoa(no.Code)+" "+no.Reason), &no)
	switch {
	case no.Code == status.CodeGone && event:
		n.Words = "The status code of the response is 200. The server had sent the headers before it found that it no longer has the changes after that version. So the refusal is an event: its object is a Status with code 410, and the stream ends after it. A client that checks only the status code sees a watch without events."
		n.Advice = "The changes in between are lost. Get the whole state again, by a list or by initial events. Compare it with the state you had, and continue from its version."
	case no.Code == status.CodeGone:
		n.Words = "The status code of the response is 410, because the server knew before it sent anything. For a watch, the same refusal is usually an ERROR event in a response with status code 200."
		n.Advice = "The server no longer keeps that state. Request a newer one. For an expired continue token, the refusal may have another token, with which you get an inconsistent rest."
	case no.Code == 504:
		n.Words = "The store has not reached that version. The API server waits for a few seconds. Then it responds with 504, and says when to try again."
		n.Advice = "A client sends the same request again, after the time in Retry-After. This happens if one of several API servers is a little behind the others."
	case no.Code == status.CodeForbidden:
		n.Words = "The verb watch needs its own permission. The permission for list is not enough."
	case no.Code == status.CodeBadRequest || no.Code == 422:
		n.Words = "The server doesn’t accept one of the parameters."
	}
	return n
}

// facts are measurements of the newest stream.
func (m Model) facts() []components.Fact {
	l, s := m.live, m.live.stream()
	facts := []components.Fact{
		{Name: "events", Text: words.Thousands(int64(s.events))},
		{Name: "bytes", Text: components.Bytes(s.x.Bytes)},
	}
	if s.x.Status != 0 {
		facts = append(facts, components.Fact{Name: "response after", Text: millis(int64(s.x.First))})
	}
	if s.toFirst > 0 {
		facts = append(facts, components.Fact{Name: "first event after", Text: millis(int64(s.toFirst))})
	}
	if s.toAll > 0 {
		facts = append(facts, components.Fact{
			Name: "state", Text: fmt.Sprintf("%s, complete after %s", words.Count(int64(s.initial), "object", "objects"), millis(int64(s.toAll))),
		})
	}
	if l.last != "" {
		facts = append(facts, components.Fact{Name: "last version", Text: l.last, Mono: true})
	}
	if l.bookmark != "" {
		facts = append(facts, components.Fact{Name: "last bookmark", Text: l.bookmark, Mono: true})
	}
	return facts
}

// kept says how many events arrived, and how many of them the page still has.
func (r *record) kept() string {
	n := len(r.newest)
	text := fmt.Sprintf("%s, %s.", words.Count(int64(r.seq), "event", "events"), components.Bytes(r.bytes))
	if shown := min(n, mostShown); shown < r.seq {
		text += fmt.Sprintf(" The page shows the newest %s, and keeps the newest %s.", words.Thousands(int64(shown)), words.Thousands(int64(n)))
		text += fmt.Sprintf(" It keeps at most %s events, or %s.", words.Thousands(mostEvents), components.Bytes(mostBytes))
	}
	return text
}

// name is the object of an event, for people.
func (e event) name() string {
	if e.head.Namespace != "" {
		return e.head.Namespace + "/" + e.head.Name
	}
	return e.head.Name
}

// means explains a special event; empty for most events.
func (e event) means() string {
	switch {
	case e.head.EndsInitialState:
		return "end of the initial events"
	case e.typ == watch.Bookmark:
		return "no other change up to this version"
	case e.typ == watch.Error:
		return "the stream ends here"
	case e.initial:
		return "initial"
	}
	return ""
}

// tone is the mark of an event's type.
func (e event) tone() components.Tone {
	switch e.typ {
	case watch.Added:
		return components.Good
	case watch.Modified:
		return components.Busy
	case watch.Deleted:
		return components.Warn
	case watch.Error:
		return components.Bad
	default:
		return components.Calm
	}
}

// formattedLine is an event as it was sent, laid out. Values of Secrets are masked.
func (e event) formattedLine(secrets bool) string {
	if e.line == nil {
		return fmt.Sprintf("This event has %s. The page keeps only the metadata of events with more than %s.", components.Bytes(int64(e.bytes)), components.Bytes(longestLine))
	}
	if !secrets && !object.MayHold(e.line) {
		return call.Laid(e.line)
	}
	o, err := object.Parse(e.line)
	if err != nil {
		return err.Error()
	}
	text, err := json.MarshalIndent(o.MaskedAsSecret(), "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// secrets tells whether the collection is one of Secrets.
func (m Model) secrets() bool {
	at, _, problem := m.target()
	return problem == nil && at.OfSecrets()
}

// chosenEvent is the event that is shown whole.
func (l *live) chosenEvent() (event, bool) {
	if l == nil || l.chosen == 0 {
		return event{}, false
	}
	return l.record.findEvent(l.chosen)
}

// byKubectl does the same from a terminal.
func (m Model) byKubectl() string {
	at, selectors, problem := m.target()
	if problem != nil {
		return ""
	}
	o := m.Options
	version := "VERSION"
	before := ""
	if o.Begin == Listed {
		before = "kubectl get --raw " + quoted(listPath(at, selectors, nil)) + " | jq -r .metadata.resourceVersion   # the VERSION below\n"
	}
	if o.Begin == AtVersion && o.Version == "" {
		o.Version = version
	}
	return before + "kubectl get --raw " + quoted(watchPath(at, selectors, o, version))
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// atop is the largest number of events of a second that is plotted, and none less than 10.
func (l *live) atop() int {
	top := 10
	for ago := range rateSeconds {
		top = max(top, l.record.rate(l.now, ago).total())
	}
	return top
}

// Measures of the plot, in its own units.
const (
	plotWidth  = 10 // of a second
	plotHeight = 60
)

// piece is a part of a bar of the plot.
type piece struct {
	X, Y, Height int
	Class        string
}

var plotted = [...]string{"added", "modified", "deleted", "other"}

// pieces are the bars of the plot, the newest second on the right.
func (l *live) pieces() []piece {
	top := l.atop()
	var all []piece
	for ago := range rateSeconds {
		y := plotHeight
		for i, n := range l.record.rate(l.now, ago).counts {
			if n == 0 {
				continue
			}
			h := max(1, n*plotHeight/top)
			y -= h
			all = append(all, piece{X: (rateSeconds - 1 - ago) * plotWidth, Y: max(0, y), Height: h, Class: plotted[i]})
		}
	}
	return all
}

// plotText is the plot in words.
func (l *live) plotText() string {
	return fmt.Sprintf("Events of each of the last %d seconds. In the last whole second: %d. The scale ends at %d.", rateSeconds, l.record.rate(l.now, 1).total(), l.atop())
}

// stateText names a step of the race.
func (s step) stateText() string {
	switch s {
	case chunks:
		return "listing"
	case watching:
		return "opening the watch"
	case streaming:
		return "streaming"
	case finished:
		return "done"
	default:
		return "not started"
	}
}

// watchable are the collections that the form offers.
func (m Model) watchable() []string {
	var all []string
	for _, t := range m.Shell.Catalog.Preferred() {
		if t.Watchable() {
			all = append(all, apipath.Collection(t.Group, t.Version, "", t.Resource).String())
		}
	}
	return all
}

// ownWatch is this page on what it can make happen.
func (m Model) ownWatch() string {
	namespace, _ := m.objectNamespace()
	return m.optionsAddress(Options{Path: apipath.Collection("", "v1", namespace, "configmaps").String(), Begin: Initial, As: m.Options.As})
}
