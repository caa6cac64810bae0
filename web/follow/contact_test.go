package follow

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

var begin = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return begin.Add(time.Duration(seconds) * time.Second) }

// play lets a contact live through messages, connections and moments.
func play(events ...any) (c Contact, announced []string) {
	c = NewContact(begin)
	for _, e := range events {
		switch e := e.(type) {
		case wire.Message:
			c.Hear(e)
		case page.Connection:
			c.Connect(e)
		case time.Time:
			c.Tick(e)
		}
		for _, command := range c.News() {
			announced = append(announced, command.(page.Announce).Words)
		}
	}
	return c, announced
}

var (
	synced     = wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "1"}
	events     = wire.Message{Type: wire.Events, Gen: 1, ResourceVersion: "2"}
	rows       = wire.Message{Type: wire.Rows, Gen: 1}
	waiting    = wire.Message{Type: wire.Waiting, RetryMillis: 2500, Status: &status.Status{Message: "no"}}
	failed     = wire.Message{Type: wire.Failed, Status: &status.Status{Message: "pods is forbidden"}}
	expired    = wire.Message{Type: wire.Gap, Gen: 2, Reason: watch.Expired}
	slow       = wire.Message{Type: wire.Gap, Gen: 2, Reason: watch.Slow}
	again      = wire.Message{Type: wire.Synced, Gen: 2, ResourceVersion: "9"}
	unanswered = wire.Message{Type: wire.Waiting, SilentMillis: 9000, Status: &status.Status{Code: 504, Reason: status.Unanswered, Message: "late"}}
	listed     = wire.Message{Type: wire.Gap, Reason: watch.Unanswered}
	silent     = wire.Message{Type: wire.Waiting, SilentMillis: 9000, Status: &status.Status{Code: 504, Reason: status.Silent, Message: "silent"}}
	quiet      = page.Connection{State: page.Silent, Ago: 9 * time.Second}
	open       = page.Connection{State: page.Open}
	dialing    = page.Connection{State: page.Connecting}
	broken     = page.Connection{State: page.Broken, Retry: 3 * time.Second}
	out        = page.Connection{State: page.SignedOut}
)

func TestContactInWords(t *testing.T) {
	for what, c := range map[string]struct {
		events []any
		want   string
		tone   components.Tone
		live   bool
	}{
		"at first":                          {nil, "connecting", components.Busy, false},
		"the socket is open":                {[]any{open}, "connecting", components.Busy, false},
		"synced":                            {[]any{open, synced}, "live", components.Good, true},
		"with events":                       {[]any{open, synced, events}, "live", components.Good, true},
		"rows on their way":                 {[]any{open, rows}, "catching up, 100 of 1,000", components.Busy, false},
		"cut":                               {[]any{open, synced, at(1), broken}, "connection lost, reconnecting in 3 s|stale since 12:00:01, for 0s", components.Bad, false},
		"cut two seconds ago":               {[]any{open, synced, at(1), broken, at(3)}, "connection lost, reconnecting in 1 s|stale since 12:00:01, for 2s", components.Bad, false},
		"dialling again":                    {[]any{open, synced, at(1), broken, at(4), dialing}, "connection lost, reconnecting now|stale since 12:00:01, for 3s", components.Bad, false},
		"open again, nothing heard":         {[]any{open, synced, at(1), broken, at(4), dialing, open}, "connection lost, reconnecting now|stale since 12:00:01, for 3s", components.Bad, false},
		"healed":                            {[]any{open, synced, at(1), broken, at(4), dialing, open, synced}, "live", components.Good, true},
		"API server gone":                   {[]any{open, synced, at(5), waiting}, "API server can’t be reached, trying again in 3 s|stale since 12:00:05, for 0s", components.Bad, false},
		"API server silent":                 {[]any{open, synced, at(20), silent}, "API server doesn’t respond|stale since 12:00:11, for 9s", components.Bad, false},
		"silent, and then cut":              {[]any{open, synced, at(20), silent, at(25), waiting}, "API server can’t be reached, trying again in 3 s|stale since 12:00:11, for 14s", components.Bad, false},
		"cut, silent for long":              {[]any{open, synced, at(60), wire.Message{Type: wire.Waiting, RetryMillis: 2500, SilentMillis: 30_000}}, "API server can’t be reached, trying again in 3 s|stale since 12:00:30, for 30s", components.Bad, false},
		"silent before the page":            {[]any{open, synced, at(3), silent}, "API server doesn’t respond|stale since 12:00:00, for 3s", components.Bad, false},
		"the watch isn't answered":          {[]any{open, synced, at(20), unanswered}, "the watch hasn’t answered yet; rows as of 12:00:11", components.Warn, false},
		"and rows of a list arrive":         {[]any{open, synced, at(20), unanswered, listed, rows}, "the watch hasn’t answered yet; rows as of 12:00:11", components.Warn, false},
		"and again":                         {[]any{open, synced, at(20), unanswered, at(40), listed, rows, unanswered}, "the watch hasn’t answered yet; rows as of 12:00:31", components.Warn, false},
		"the watch was never answered":      {[]any{open, rows, at(20), unanswered}, "the watch hasn’t answered yet; rows as of 12:00:11", components.Warn, false},
		"the watch is answered":             {[]any{open, synced, at(20), unanswered, listed, rows, at(40), again}, "live again: the watch was answered late, so Fieldmark listed everything meanwhile", components.Warn, true},
		"the API server is slow":            {[]any{open, synced, at(5), wire.Message{Type: wire.Waiting, RetryMillis: 2500, Status: &status.Status{Code: 504, Message: "late"}}}, "API server doesn’t respond in time, trying again in 3 s|stale since 12:00:05, for 0s", components.Bad, false},
		"the API server fails":              {[]any{open, synced, at(5), wire.Message{Type: wire.Waiting, RetryMillis: 2500, Status: &status.Status{Code: 503, Message: "no", Told: true}}}, "API server responds with status code 503, trying again in 3 s|stale since 12:00:05, for 0s", components.Bad, false},
		"API server heard again":            {[]any{open, synced, at(20), silent, at(22), synced}, "live", components.Good, true},
		"the socket is silent":              {[]any{open, synced, at(20), quiet}, "Fieldmark doesn’t respond|stale since 12:00:11, for 9s", components.Bad, false},
		"the socket is heard again":         {[]any{open, synced, at(20), quiet, at(22), open}, "live", components.Good, true},
		"heard again, the API server isn't": {[]any{open, synced, at(20), silent, at(21), quiet, at(22), open}, "API server doesn’t respond|stale since 12:00:11, for 11s", components.Bad, false},
		"a silent socket is replaced":       {[]any{open, synced, at(20), quiet, at(40), broken, dialing, open}, "connection lost, reconnecting now|stale since 12:00:11, for 29s", components.Bad, false},
		"and catches up":                    {[]any{open, synced, at(20), quiet, at(40), broken, dialing, open, synced}, "live", components.Good, true},
		"silent while it catches up":        {[]any{open, rows, at(20), quiet, at(21), open}, "catching up, 100 of 1,000", components.Busy, false},
		"a list without an end":             {[]any{open, rows, at(5), wire.Message{Type: wire.Waiting, RetryMillis: 2500, Status: &status.Status{Reason: status.EndlessList, Message: "The list never ends."}}}, "The list never ends, trying again in 3 s|stale since 12:00:05, for 0s", components.Bad, false},
		"API server back":                   {[]any{open, synced, at(5), waiting, at(8), synced}, "live", components.Good, true},
		"expired, rows on their way":        {[]any{open, synced, expired, rows}, "catching up, 100 of 1,000", components.Busy, false},
		"expired, all there":                {[]any{open, synced, expired, rows, again}, "live again: the server had deleted the versions in between, so Fieldmark fetched everything again", components.Warn, true},
		"slow, all there":                   {[]any{open, synced, slow, again}, "live again: there were too many events, so Fieldmark fetched everything again", components.Warn, true},
		"expired a while ago":               {[]any{open, synced, expired, again, at(1), at(12)}, "live", components.Good, true},
		"slow, after an hour's sleep":       {[]any{open, synced, slow, again, at(3600)}, "live again: there were too many events, so Fieldmark fetched everything again", components.Warn, true},
		"permission withdrawn":              {[]any{open, synced, at(2), failed}, "no longer updated: Pods is forbidden.|stale since 12:00:02, for 0s", components.Bad, false},
		"no permission from the start":      {[]any{open, failed}, "not updated: Pods is forbidden.", components.Warn, false},
		"nothing follows a failure":         {[]any{open, synced, at(2), failed, broken, dialing, open}, "no longer updated: Pods is forbidden.|stale since 12:00:02, for 0s", components.Bad, false},
		"ended":                             {[]any{open, synced, wire.Message{Type: wire.Closed}}, "no longer updated", components.Warn, false},
		"signed out":                        {[]any{open, synced, at(2), out}, "signed out, reload to sign in again|stale since 12:00:02, for 0s", components.Bad, false},
		"a gap alone doesn't make it stale": {[]any{open, synced, expired}, "catching up, 100 of 1,000", components.Busy, false},
	} {
		contact, _ := play(c.events...)
		got := contact.Liveness(100, 900)
		words := strings.TrimSuffix(got.Words+"|"+got.Since, "|")
		if words != c.want || got.Tone != c.tone || contact.Live() != c.live {
			t.Errorf("%s: %q (%s, live: %v), want %q (%s, live: %v)", what, words, got.Tone, contact.Live(), c.want, c.tone, c.live)
		}
		if progress := got.All > 0; progress != strings.HasPrefix(got.Words, "catching up, ") {
			t.Errorf("%s: %d of %d", what, got.Done, got.All)
		}
	}
}

func TestEveryStateOfContactIsExplained(t *testing.T) {
	for what, c := range map[string]struct {
		events []any
		want   *why.Topic
	}{
		"at first":                   {nil, &why.Watch},
		"live":                       {[]any{open, synced}, &why.Watch},
		"rows on their way":          {[]any{open, rows}, &why.StreamingLists},
		"cut":                        {[]any{open, synced, at(1), broken}, &why.Resume},
		"dialling again":             {[]any{open, synced, at(1), broken, at(4), dialing}, &why.Resume},
		"resumed":                    {[]any{open, synced, at(1), broken, at(4), dialing, open, synced}, &why.Watch},
		"API server gone":            {[]any{open, synced, at(5), waiting}, &why.Resume},
		"expired, rows on their way": {[]any{open, synced, expired, rows}, &why.StreamingLists},
		"expired, all there":         {[]any{open, synced, expired, rows, again}, &why.Expired},
		"slow, all there":            {[]any{open, synced, slow, again}, &why.Watch},
		"permission withdrawn":       {[]any{open, synced, wire.Message{Type: wire.Failed, Status: &status.Status{Code: 403}}}, &why.Permissions},
		"ended":                      {[]any{open, synced, wire.Message{Type: wire.Closed}}, &why.Watch},
		"signed out":                 {[]any{open, synced, out}, nil}, // that is between Fieldmark and the browser
	} {
		contact, _ := play(c.events...)
		got := contact.Liveness(100, 900).Why
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v explains it, and %+v should", what, got, c.want)
		}
	}
}

func TestContactTellsOnlyWhatIsNews(t *testing.T) {
	for what, c := range map[string]struct {
		events []any
		want   string
	}{
		"becoming live":      {[]any{dialing, open, rows, synced, events, events, at(1)}, ""},
		"a cut and a repair": {[]any{open, synced, broken, dialing, broken, dialing, open, synced, events}, "Connection lost. The page shows the last known state; Live"},
		"waiting for long":   {[]any{open, synced, waiting, at(3), waiting, at(6), waiting}, "Connection lost. The page shows the last known state"},
		"a failure":          {[]any{open, synced, failed, at(1), broken}, "No longer live"},
	} {
		if _, announced := play(c.events...); strings.Join(announced, "; ") != c.want {
			t.Errorf("%s: %q, want %q", what, announced, c.want)
		}
	}
}

// TestAFreshStateIsNotLiveYet: rows of a state that has only begun to arrive say nothing about what is shown.
func TestAFreshStateIsNotLiveYet(t *testing.T) {
	if c, _ := play(open, synced, broken, open, wire.Message{Type: wire.Rows, Gen: 2}); c.Live() {
		t.Error("live")
	}
	if c, _ := play(open, synced, broken, open, wire.Message{Type: wire.Rows, Gen: 2}, again); !c.Live() {
		t.Error("not live")
	}
}
