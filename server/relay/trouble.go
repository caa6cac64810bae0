package relay

import (
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// waitMessage tells a page why it gets no events. The page's clock may differ, so the message has spans and no times.
func waitMessage(t follow.Trouble, now time.Time) wire.Message {
	return wire.Message{
		Type: wire.Waiting, Status: &t.Why,
		RetryMillis: max(0, t.Retry.Sub(now)).Milliseconds(), SilentMillis: max(0, now.Sub(t.Sign)).Milliseconds(),
	}
}

// ownStatus is a Status in our own words.
func ownStatus(code int, words string) status.Status { return status.Parse(code, []byte(words)) }

// tooMuch is the error if the states that a session follows are too large.
type tooMuch struct{}

func (tooMuch) Error() string {
	return "the objects that this session follows are too large to keep; close some of its pages, or use a selector on this page"
}

// HTTPStatus is the code of the message.
func (tooMuch) HTTPStatus() int { return http.StatusRequestEntityTooLarge }
