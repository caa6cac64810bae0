package lesson

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/learn/lesson/response"
	"github.com/fieldmark/fieldmark/words"
)

// placeID is the element of a place, and headingID its heading, where the focus goes.
func placeID(at int) string { return "place-" + strconv.Itoa(at+1) }

func headingID(at int) string { return "heading-" + strconv.Itoa(at+1) }

// Elements that get the focus when the focused button disappears: a request's button, a prediction's outcome, a check, a response's first line
// and its body.
func sendID(b block) string    { return "send-" + b.String() }
func outcomeID(b block) string { return "outcome-" + b.String() }
func checkID(b block) string   { return "check-" + b.String() }
func lineID(b block) string    { return "line-" + b.String() }
func bodyID(b block) string    { return "body-" + b.String() }

// remaining is the id of an element of a block, if its step is in sight, or else the id of the heading that is.
func (m Model) remaining(b block, id string) string {
	if m.away(b.step) {
		return headingID(m.live.at)
	}
	return id
}

// linkID is the id of the link to a place in the list of steps, which scrolls in a narrow window.
func linkID(at int) string { return "to-" + placeID(at) }

// link is the address of a place. It also works without the program in the browser.
func (m Model) link(at int) string { return m.placeAddress(at) + "#" + placeID(at) }

// away tells whether a place is hidden. Without the program in the browser, none is.
func (m Model) away(at int) bool { return m.live != nil && m.live.at != at }

// far tells whether a block is hidden until the blocks before it are done.
func (m Model) far(b block) bool { return m.live != nil && b.n > m.reach(b.step) }

// prose is HTML of the lesson, with values for its variables and addresses for its tools.
func (m Model) prose(text string) string {
	slug := m.Shell.Cluster.Slug
	return lesson.Tooled(m.vars().Fill(text), func(tool string) string {
		if slug == "" {
			return web.Home
		}
		if tool == "compaction" {
			tool = web.Chunks
		}
		return web.Tool(slug, tool)
	})
}

// progressWords say which place is in sight.
func (m Model) progressWords() string {
	switch at := m.currentPlace(); {
	case at < 0:
		return words.Count(int64(m.endPlace()), "step", "steps")
	case at == m.endPlace():
		return "the end"
	default:
		return fmt.Sprintf("step %d of %d", at+1, m.endPlace())
	}
}

// stepState is the state of a step in the list, as a word for the stylesheet: passed, failed or empty.
func (m Model) stepState(at int) string {
	switch {
	case m.live == nil || at < 0 || at >= m.endPlace():
		return ""
	case m.passed(at) && m.live.phase != reading && (m.asks(at) || m.live.phase == tidying || m.live.phase == over):
		return "passed"
	case m.failed(at):
		return "failed"
	}
	return ""
}

// asks tells whether the learner or the page has something to do in a step.
func (m Model) asks(step int) bool {
	for _, b := range m.Lesson.Steps[step].Blocks {
		if b.Request != nil || b.Check != nil || b.Predict != nil {
			return true
		}
	}
	return false
}

// failed tells whether a check of a step has failed.
func (m Model) failed(step int) bool {
	for at, c := range m.live.checks {
		if at.step == step && c.settled() && !c.holds() {
			return true
		}
	}
	return false
}

// spoken is a step's state for screen readers.
func spoken(state string) string {
	switch state {
	case "passed":
		return "done: "
	case "failed":
		return "a check failed: "
	}
	return ""
}

// readingWords say why the lesson can only be read on this cluster; empty: it can be done.
func (m Model) readingWords() string {
	switch {
	case m.Problem != nil || m.writable() || m.Shell.Apart:
		return ""
	case !m.Shell.In():
		return "There is no cluster to send the requests to. Start Fieldmark with --practice on."
	case m.Shell.ReadOnly:
		return m.Shell.Limit() + " You can read the lesson and send its requests that read. Its requests that write are off."
	}
	return "This is not the practice cluster. You can read the lesson and send its requests that read, in the namespace default. Lessons write nothing to other clusters."
}

// practice is the slug of the practice cluster, if the lesson can only be read on this one.
func (m Model) practice() (string, bool) {
	if m.writable() {
		return "", false
	}
	for _, c := range m.Shell.Clusters {
		if c.Practice && c.Slug != m.Shell.Cluster.Slug {
			return c.Slug, true
		}
	}
	return "", false
}

// clusterMenu is the menu of the clusters that the requests can go to.
func (m Model) clusterMenu() components.Menu {
	menu := components.Menu{Label: "cluster", Current: m.Shell.Cluster.Name, Note: m.Shell.Unlisting()}
	if !m.Shell.In() {
		menu.Current = "no cluster"
	}
	for _, c := range m.Shell.Clusters {
		menu.Links = append(menu.Links, components.Link{Text: c.Name, Href: m.on(c.Slug, m.currentPlace()), Current: c.Slug == m.Shell.Cluster.Slug})
	}
	return menu
}

// refusal says why the lesson can't begin.
func (m Model) refusal() components.Notice {
	l := m.live
	n := components.Notice{Tone: components.Bad, Title: "The lesson can’t begin", Words: l.words}
	if len(l.setup) == 0 {
		return n
	}
	x := l.setup[len(l.setup)-1]
	if t := response.Trouble(x); t != nil {
		return *t
	}
	if no := x.No(); no != nil {
		n.Words, n.Quoted = "The lesson needs its own namespace, with some objects in it. The API server refused to create them.", no.Message
		if x.Status == 403 {
			n.Advice = m.otherWay()
		}
	}
	return n
}

func (m Model) otherWay() string {
	if _, has := m.practice(); has || !m.Shell.Cluster.Practice {
		return "You need the right to create namespaces. You have this right on the practice cluster."
	}
	return "You need the right to create namespaces."
}

// beginWords say what the button Begin does.
func (m Model) beginWords() string {
	text := "The lesson only reads, and creates nothing."
	switch {
	case m.needsNamespace() && m.Lesson.Scenario != "":
		text = "The lesson creates its own namespace, and a Scenario that fills it. It deletes both at the end."
	case m.needsNamespace():
		text = "The lesson creates its own namespace, and deletes it at the end."
	}
	if m.Lesson.Alone {
		text += " The lesson affects the whole cluster. Other users of the cluster will notice."
	}
	return text
}

// phaseWords say what the page waits for while the lesson begins.
func (m Model) phaseWords() string {
	switch m.live.phase {
	case making:
		if m.live.words != "" {
			return m.live.words
		}
		return "Creating your namespace…"
	case awaiting:
		return strings.TrimSpace("Waiting for the Scenario… " + m.live.words)
	}
	return m.live.words
}

// waits tells whether the lesson must be begun before the learner can do a step.
func (m Model) waits() bool {
	return m.live != nil && m.writable() && m.needsNamespace() && m.live.phase != ready && m.live.phase != tidying
}

// kubeconfigWords say how kubectl connects to the same API server.
func (m Model) kubeconfigWords() string {
	if m.Shell.Reader != "" {
		return "Make a kubeconfig with your own token and the server " + m.Shell.Server() + ". Name its context as the cluster here."
	}
	return "Start Fieldmark with --kubeconfig-out FILE to get a kubeconfig. Its contexts have the same names as the clusters in Fieldmark."
}

// context is the command that connects kubectl in a shell.
func (m Model) context(r lesson.Request) string {
	return "export KUBECONFIG=FILE; kubectl config use-context " + m.slugFor(r)
}

// tally counts judged predictions and checks, and how many of them were correct or passed.
func (m Model) tally() (right, guessed, held, checks int) {
	for _, v := range m.live.verdicts {
		guessed++
		if v.Counts() {
			right++
		}
	}
	for _, c := range m.live.checks {
		checks++
		if c.holds() {
			held++
		}
	}
	return right, guessed, held, checks
}

// subjectWords name the value that a check is about.
func (m Model) subjectWords(s lesson.Subject) string { return m.vars().Plain(s.String()) }
