package events

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

const (
	// mostTallied is the most events that are counted before the tab is open. The API server reads events from etcd, so the list is short.
	mostTallied = 20
	// idle is how long the page has run before it counts the events.
	idle = 2 * time.Second

	tallyID = "events-tally"
)

// Tally counts the events of an object before the tab is open, by one short list of their metadata. It is a value; the zero value hasn't asked.
type Tally struct {
	since time.Time // when the page became idle
	uid   string    // of the object whose events were asked for
	known bool
	n     int
	more  bool // there are more than n
}

// Tick asks for the events once, some time after the page has begun to run.
func (t Tally) Tick(now time.Time, cluster string, of object.Object) (Tally, []page.Cmd) {
	uid := of.Meta("uid")
	if t.since.IsZero() {
		t.since = now
	}
	if uid == "" || t.uid == uid || now.Sub(t.since) < idle {
		return t, nil
	}
	path, query := Of(of)
	query.Set("limit", strconv.Itoa(mostTallied))
	return Tally{since: t.since, uid: uid}, []page.Cmd{page.Get(tallyID, cluster, web.WithQuery(path.String(), query), accept.MetadataList+accept.OrJSON)}
}

// Heard takes in the response. Without permission, or after a failure, the number stays unknown.
func (t Tally) Heard(r page.Response) Tally {
	if r.ID != tallyID || !r.OK() {
		return t
	}
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []struct{} `json:"items"`
	}
	if json.Unmarshal(r.Body, &list) != nil {
		return t
	}
	t.known, t.n, t.more = true, len(list.Items), list.Metadata.Continue != ""
	return t
}

// Seen takes over the number of events from the tab, which has just been closed.
func (t Tally) Seen(m Model, of object.Object) Tally {
	if n, known := m.Count(); known {
		t.uid, t.known, t.n, t.more = of.Meta("uid"), true, n, false
	}
	return t
}

// Words are the number of the object's events; empty if it is unknown.
func (t Tally) Words(of object.Object) string {
	switch {
	case !t.known || t.uid != of.Meta("uid"):
		return ""
	case t.more:
		return words.Thousands(int64(t.n)) + "+"
	default:
		return words.Thousands(int64(t.n))
	}
}
