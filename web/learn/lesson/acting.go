package lesson

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
)

// The actions of the page's buttons. Most are followed by the button's block.
const (
	doBegin   = "begin"
	doReset   = "reset"
	doTidy    = "tidy"
	doTurn    = "turn"
	doSend    = "send-request"
	doStop    = "stop"
	doGuess   = "guess"
	doWrite   = "guess-value"
	doAgain   = "check-again"
	doUnfold  = "unfold"
	doMore    = "more"
	doPart    = "part"
	doKubectl = "kubectl"

	doPropose = "set-up"
	doAgree   = "set-up-now"
	doDecline = "set-up-not"
	doHere    = "go-on-here"

	fieldValue = "value-" // followed by the block

	ofRepeat = "again" // after the block: the action is on the response to a repeat
)

// handleAction does the action of a button.
func (m Model) handleAction(action string) []page.Cmd {
	what, rest, _ := strings.Cut(action, " ")
	switch what {
	case doBegin:
		return m.startAttempt()
	case doReset:
		return m.reset()
	case doTidy:
		return m.tidy()
	case doTurn:
		if to, err := strconv.Atoi(rest); err == nil {
			return m.turn(to)
		}
	case doKubectl:
		return m.switched()
	case doHere:
		return m.goOnHere()
	case doPropose:
		return m.propose()
	case doAgree:
		return m.agree()
	case doDecline:
		return m.decline()
	case doUnfold:
		m.live.open[rest] = !m.live.open[rest]
	default:
		text, more, _ := strings.Cut(rest, " ")
		if b, ok := parseBlock(text); ok {
			return m.actedOn(b, what, more)
		}
	}
	return nil
}

// actedOn does the action of a block's button. rest is what follows the block in the action.
func (m Model) actedOn(b block, what, rest string) []page.Cmd {
	switch what {
	case doSend:
		return m.sendRequest(b)
	case doStop:
		return m.stop(b, rest)
	case doGuess:
		return m.guess(b, predict.Parse(rest))
	case doWrite:
		return m.guess(b, predict.Guess{Choice: predict.Written, Value: strings.TrimSpace(m.live.drafts[b])})
	case doAgain:
		m.forgetCheck(b)
		return append(m.proceed(), page.Focus{ID: checkID(b)})
	case doPart:
		if id := b.String() + " " + rest; m.live.part == id {
			m.live.part = ""
		} else {
			m.live.part = id
		}
	case doMore:
		return m.layMore(b, rest)
	case doGap:
		return m.openGap(b, rest)
	}
	return nil
}

// typed takes the text of a prediction in.
func (m Model) typed(t page.Typed) {
	if text, is := strings.CutPrefix(t.Field, fieldValue); is {
		if b, ok := parseBlock(text); ok {
			m.live.drafts[b] = t.Text
		}
	}
}

// pressed does the action of a key.
func (m Model) pressed(key string) []page.Cmd {
	l := m.live
	switch key {
	case "j", "l":
		return m.turn(min(l.at+1, max(l.at, m.endPlace()-1))) // the key doesn't finish the lesson, only the button does
	case "k", "h":
		return m.turn(l.at - 1)
	case "g":
		return m.turn(opening)
	case "G":
		return m.turn(m.endPlace() - 1)
	case "s":
		return m.sendNext()
	}
	if n, err := strconv.Atoi(key); err == nil {
		return m.guessNumber(n)
	}
	return nil
}

// sendNext sends the next request of the step in sight, or begins the lesson.
func (m Model) sendNext() []page.Cmd {
	if m.live.phase == unbegun || m.live.phase == refused {
		return m.startAttempt()
	}
	if m.live.at < 0 || m.live.at >= m.endPlace() {
		return nil
	}
	if b := (block{m.live.at, m.reach(m.live.at)}); m.block(b).Request != nil {
		return m.sendRequest(b)
	}
	return nil
}

// guessNumber makes the open prediction with the nth shown choice, from 1.
func (m Model) guessNumber(n int) []page.Cmd {
	if b, ok := m.question(); ok {
		if p := m.block(b).Predict; p.Value == nil && n >= 1 && n <= len(p.Choices) {
			return m.guess(b, predict.Guess{Choice: m.order(b)[n-1]})
		}
	}
	return nil
}
