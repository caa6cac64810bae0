package app

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// In the shared mode, several people can use one browser, one after the other, and each tab may still show what the former one has seen.
// So each document knows its reader, by a key that the server gave it:
//
//   - What a page keeps in the browser is kept for this reader only.
//   - The tabs of a browser tell each other who signed in last, in the browser's storage. A tab of somebody else loads its document again.
//   - The server says with each connection whose it is, because another tab's message can be lost.
//   - When the reader signs out in another tab, or the session can't be renewed, the page says so and keeps what was typed. It connects
//     again by itself as soon as the reader has signed in.
//
// In local mode there is one reader, whose key is empty.

// readerKey is the key of the browser's storage for the reader who signed in last; nothing is kept after signing out.
const readerKey = "reader"

// own is the key of the browser's storage for something that belongs to the reader (threat: former reader).
func (a *App) own(key string) string { return shell.OwnKey(a.reader, key) }

func (a *App) keep(key, value string) { a.screen.Keep(a.own(key), value) }

func (a *App) kept(key string) (value string, ok bool) { return a.screen.Kept(a.own(key)) }

// arrived tells the other tabs who reads this one.
func (a *App) arrived() {
	if a.reader == "" {
		return
	}
	if was, _ := a.screen.Kept(readerKey); was != a.reader {
		a.screen.Keep(readerKey, a.reader)
	}
}

// handleReaderChange handles what another tab says about its reader.
func (a *App) handleReaderChange() {
	switch now, _ := a.screen.Kept(readerKey); {
	case a.reader == "":
	case now == a.reader:
		a.link.wake()
	case now == "":
		go a.link.doubt()
	default:
		a.reloadDocument()
	}
}

// reloadDocument loads the document again, because it shows what somebody else has seen.
func (a *App) reloadDocument() { a.screen.Leave(a.screen.Address()) }

// signingOut tells the other tabs that the reader signs out, unless somebody else has signed in since.
func (a *App) signingOut() {
	if was, _ := a.screen.Kept(readerKey); a.reader != "" && was == a.reader {
		a.screen.Keep(readerKey, "")
	}
}

// elsewhere handles what happened in another tab, or to the session.
func (a *App) elsewhere(event any) {
	switch e := event.(type) {
	case Stored:
		a.stored(e.Key)
	case SigningOut:
		a.signingOut()
	case over:
		a.link.closeConnection()
	case Parked:
		a.park()
	case Copied:
		a.copied(e.What)
	}
}

// copied says what became of what was copied.
func (a *App) copied(what string) {
	if what == "" {
		a.screen.Announce(words.CopiedNow)
		return
	}
	a.screen.Announce(words.Copies[what])
	a.screen.Tell(words.Copies[what])
}

// changed handles a change of the connection's state.
func (a *App) changed(e connection) {
	e.Ago = a.link.ago(a.now())
	a.link.become(e.Connection, a.now())
	a.update(e.Connection)
	a.invite(e.Connection, e.why)
}

// invite asks the reader to sign in again, above the page, or takes that away.
func (a *App) invite(to page.Connection, why string) {
	switch {
	case a.reader == "":
	case to.State == page.SignedOut && !a.invited:
		a.invited = true
		a.signingOut()
		a.screen.Show(Gone, render(shell.AskAgain(a.screen.Address(), why)))
	case to.State == page.Open && a.invited:
		a.invited = false
		a.arrived()
		a.screen.Show(Gone, "")
	}
}

// Where the reader may come back, a page looks for a session again, at growing intervals. No session is prolonged by that.
const (
	soonest = 5 * time.Second
	latest  = time.Minute
)

// doubts are the times after which a page looks whether its session has ended. The other tab tells of signing out before its
// request is sent.
var doubts = []time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second, 10 * time.Second}

// doubt finds out whether the session has ended, and closes the connection if so. Otherwise a link that waits for a reader connects at once:
// two tabs can write at the same moment, so this one may not have read who signed in.
func (l *link) doubt() {
	for _, wait := range doubts {
		time.Sleep(wait)
		if out, _ := l.signedOut(); out {
			l.post(over{})
			return
		}
		l.wake()
	}
}

// over is the event that the session has ended, while the connection may still be open.
type over struct{}

// signedOut requests a page to find out whether the session has ended, and why: browsers don't say why a connection failed.
func (l *link) signedOut() (out bool, why string) {
	answer := requestAddress(l.server, web.Socket, "")
	if answer.Status != status.CodeUnauthorized {
		return false, ""
	}
	return true, status.Parse(answer.Status, answer.Body).Message
}
