package versions

import (
	"fmt"
	"math"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/lazy"
	rules "github.com/fieldmark/fieldmark/kube/resourceversion"
	"github.com/fieldmark/fieldmark/words"
)

// meaningWords say what each meaning is.
var meaningWords = lazy.Value[map[rules.Meaning]string]{Make: func() map[rules.Meaning]string {
	return map[rules.Meaning]string{
		rules.MostRecent:   "The newest state. The API server makes sure that etcd has no newer state. The most expensive read.",
		rules.Any:          "Any state that the server has in its cache. It may be old, even older than what the client has seen before. The cheapest read.",
		rules.NotOlder:     "A state that is at least as new as the version. Usually the newest one in the server’s cache.",
		rules.Exact:        "The state at exactly this version. If the server no longer keeps it, the status code is 410.",
		rules.Continuation: "The next chunk of the list that the token belongs to, at that list’s version. If the server no longer keeps it, the status code is 410.",
		rules.Invalid:      "The parameters contradict each other, so the server refuses the request.",
		rules.StateRecent:  "First the newest state as ADDED events, then all later changes.",
		rules.StateAny:     "First any state, perhaps an old one, as ADDED events. Then all changes after that state.",
		rules.StateNotOld:  "First a state that is at least as new as the version, as ADDED events. Then all later changes.",
		rules.StartExact:   "Only the changes after exactly this version, for a client that has its state. If the server no longer keeps them, the status code is 410.",
		rules.StartRecent:  "Only the changes after the newest state. The state itself is not sent.",
		rules.StartAny:     "Only the changes after any state. The state itself is not sent.",
	}
}}

// classWords describe a response.
var classWords = lazy.Value[map[rules.Class]string]{Make: func() map[rules.Class]string {
	return map[rules.Class]string{
		rules.Unread:    "a response that can’t be read",
		rules.State:     "a state, at a version that the server chose",
		rules.Asked:     "the state at exactly the requested version",
		rules.OfToken:   "the next chunk, at the version of the token’s list",
		rules.Rejected:  "refused, because the parameters contradict each other",
		rules.Gone:      "refused, because the server no longer keeps the version",
		rules.Early:     "refused, because the server doesn’t have the version yet",
		rules.Refused:   "refused for another reason",
		rules.Unoffered: "refused, because the server doesn’t offer streaming lists",
		rules.Began:     "the whole state as ADDED events",
		rules.Marked:    "the whole state as ADDED events, then a bookmark after the last one",
		rules.Quiet:     "only later changes, without the state",
	}
}}

var columnWords = lazy.Value[map[rules.Column]string]{Make: func() map[rules.Column]string {
	return map[rules.Column]string{rules.Unset: "no version", rules.Zero: "“0”", rules.Old: "an old one", rules.Current: "the newest known", rules.Future: "one from the future"}
}}

var verbWords = lazy.Value[map[rules.Verb]string]{Make: func() map[rules.Verb]string {
	return map[rules.Verb]string{
		rules.Get:   "One object. A get has no resourceVersionMatch.",
		rules.List:  "A collection, whole or in chunks.",
		rules.Watch: "The changes to a collection. Each watch here ends after two seconds.",
	}
}}

// said is what a row's requests say beside the version.
func said(r rules.Row) string {
	words := ""
	add := func(name, value string) {
		if value != "" {
			words += "\n" + name + "=" + value
		}
	}
	add("sendInitialEvents", string(r.Initial))
	add("resourceVersionMatch", r.Match)
	if r.Paging != rules.NoLimit {
		add("limit", strconv.Itoa(limit))
	}
	if r.Paging == rules.Continue {
		add("continue", "…")
	}
	if words == "" {
		return "no other parameter"
	}
	return words[1:]
}

// label is what a cell says: what it means once that may be seen, and what came.
func (m Model) label(r rules.Row, column rules.Column) string {
	c := m.live.cells[cellID(r, column)]
	words := "?"
	switch {
	case c.answer != nil || m.live.revealed:
		words = string(r.In(column))
	case c.said != "":
		words = string(c.said) + "?"
	}
	switch {
	case c.x.Under():
		return words + " …"
	case c.answer != nil:
		return words + " · " + strconv.Itoa(c.answer.Code)
	case c.x.Done():
		return words + " · no response"
	}
	return words
}

// class is the cell's class for the stylesheet.
func (m Model) class(r rules.Row, column rules.Column) string {
	c := m.live.cells[cellID(r, column)]
	switch {
	case c.answer == nil:
		return "cell"
	case !c.verdict.Agrees:
		return "cell differs"
	case c.answer.No != nil:
		return "cell agrees refused"
	}
	return "cell agrees"
}

// compared compares the reader's prediction with the meaning of the cell.
func compared(c cell, means rules.Meaning) components.Notice {
	n := components.Notice{Tone: components.Calm, Title: "The request means: " + string(means), Words: meaningWords.Get()[means]}
	switch {
	case c.answer == nil || c.said == "":
	case c.said == means:
		n.Tone, n.Title = components.Good, "Correct. The request means: "+string(means)
	default:
		n.Tone, n.Title = components.Warn, fmt.Sprintf("Not quite. You said “%s”. The request means: %s", c.said, means)
	}
	return n
}

// outcome says what the response was, and whether it matches the documentation.
func (m Model) outcome(r rules.Row, column rules.Column, c cell) components.Notice {
	a := c.answer
	n := components.Notice{Tone: components.Good, Title: fmt.Sprintf("%d: %s", a.Code, classWords.Get()[c.verdict.Class])}
	agrees := "Matches the documentation. "
	switch {
	case !c.verdict.Agrees:
		n.Tone, agrees = components.Bad, "Differs from the documentation. "
	case c.verdict.Differs != "":
		agrees = "A known difference from the documentation. "
	}
	n.Words = agrees + c.verdict.Differs
	n.Advice = facts(r, column, m.Values, *a)
	if a.No != nil {
		n.Quoted, n.Why = a.No.String(), why.Refusal(a.No)
		for _, cause := range a.No.Causes {
			n.Details = append(n.Details, fmt.Sprintf("%s %s %s", cause.Reason, cause.Field, cause.Message))
		}
	}
	if a.Unread != "" {
		n.Quoted = a.Unread
	}
	return n
}

// facts are those of a response that is not a refusal.
func facts(r rules.Row, column rules.Column, v rules.Values, a rules.Answer) string {
	switch {
	case a.No != nil || a.Unread != "":
		return ""
	case r.Verb == rules.Get:
		return fmt.Sprintf("The object was last written at version %s.", a.Version)
	case r.Verb == rules.Watch:
		words := fmt.Sprintf("%s. The first %d are ADDED events of the state.", words.Count(int64(a.Events), "event", "events"), a.Items)
		if a.Marked {
			words += fmt.Sprintf(" The bookmark has version %s.", a.Version)
		}
		return words
	}
	words := fmt.Sprintf("%s at version %s.", words.Count(int64(a.Items), "object", "objects"), a.Version)
	if version, given := v.In(column); given && version != a.Version && version != "0" {
		words += fmt.Sprintf(" The requested version was %s.", version)
	}
	if a.More {
		words += " There are more objects, and a token for them."
	}
	return words
}

// retrying says when the page sends a request again; empty: it doesn't.
func (m Model) retrying(c cell) string {
	switch {
	case c.waits:
		return fmt.Sprintf("Retry-After: %d s.", int(wait(c).Seconds()))
	case c.retryAt.IsZero() && c.tries > 1 && c.x.Done():
		return fmt.Sprintf("Sent %d times, with the same response. A client would try until the API server has the version.", c.tries)
	case c.retryAt.IsZero():
		return ""
	}
	left := max(0, int(math.Ceil(c.retryAt.Sub(m.live.now).Seconds())))
	return fmt.Sprintf("Retry-After: %d s. Sent again in %d s (%d of %d).", int(wait(c).Seconds()), left, c.tries+1, mostTrys)
}

// isMeaningShown tells whether the meaning of a cell is shown. It is hidden as long as the reader can predict it.
func (m Model) isMeaningShown(c cell) bool {
	return !m.live.awake || c.answer != nil || m.live.revealed
}

// toldClass hides the meaning of a cell until the program in the browser has started, because the reader can predict it then.
func (m Model) toldClass() string {
	if m.live.awake {
		return "told"
	}
	return "told without-program"
}

// notes are the remarks on a cell besides its meaning.
func notes(r rules.Row, c rules.Column) string {
	words := rules.Note(r, c)
	if r.Silent {
		words += " The tables of the documentation have no row for these parameters. The rule follows from the text of the documentation."
	}
	return words
}
