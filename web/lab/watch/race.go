package watch

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// race gets the same state twice: with a list in chunks and a watch from its version, and then with a streaming list. It does one after the other,
// so that neither slows the other down.
type race struct {
	run  int
	as   Form
	x    call.Call
	list lane
	flow lane
	line call.Lines
	step step
	// progress is the progress of the list.
	progress *watch.Progress
}

type step int

const (
	resting step = iota
	chunks
	watching
	streaming
	finished
)

// lane has the measurements of one of the two.
type lane struct {
	Requests   int
	Bytes      int64
	Objects    int
	First, All time.Duration // until the first object could be used, and until all could
	Ready      time.Duration // until the watch for changes was open
	Most       int64         // bytes that had to be in memory at most to read the next object
	Done       bool
	Trouble    *status.Status
	Cut        bool
	spent      time.Duration // the time of the requests before this one
	version    string
}

// chunk is the limit of client-go's lists.
const chunk = 500

const idRace = "race/"

func (m Model) beginRace() []page.Cmd {
	l := m.live
	if _, _, problem := m.target(); problem != nil || l.race.x.Under() {
		return nil
	}
	l.race = race{run: l.race.run, as: m.Options.As, step: chunks, progress: watch.ProgressFrom("")}
	return m.sendRaceRequest(listPathOf(m, url.Values{"limit": {strconv.Itoa(chunk)}}), l.race.as.accept(true))
}

func listPathOf(m Model, more url.Values) string {
	at, selectors, _ := m.target()
	return listPath(at, selectors, more)
}

// sendRaceRequest sends the next request.
func (m Model) sendRaceRequest(path, accept string) []page.Cmd {
	r := &m.live.race
	r.run++
	r.lane().Requests++
	r.line = call.Lines{}
	r.x = call.Call{
		ID: numbered(idRace, r.run), Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: path,
		Header: []request.Header{{Name: "Accept", Value: accept}},
	}
	var call page.Cmd
	r.x, call = r.x.Begin()
	return []page.Cmd{call}
}

// lane is the lane of the current request.
func (r *race) lane() *lane {
	if r.step == streaming || r.step == finished {
		return &r.flow
	}
	return &r.list
}

// raced takes a part of the current response in.
func (m Model) raced(msg page.Msg) ([]page.Cmd, bool) {
	r := &m.live.race
	x, heard := r.x.Hear(msg)
	if !heard {
		return nil, false
	}
	r.x = x
	if r.step == resting || r.step == finished {
		return nil, true
	}
	if _, ended := msg.(page.Ended); ended && (x.State != call.Whole || !x.OK()) {
		r.lane().Trouble, r.lane().Cut = x.No(), x.No() == nil
		return m.nextLane(), true
	}
	switch r.step {
	case chunks:
		return m.chunked(), true
	case watching:
		if x.Status != 0 {
			r.list.Ready, r.list.Done = r.list.spent+x.First, true
			return append([]page.Cmd{x.Cancel()}, m.nextLane()...), true
		}
	case streaming:
		return m.streamed(msg), true
	}
	return nil, true
}

// chunked takes a chunk in, and requests the next one, or the watch after the last one.
func (m Model) chunked() []page.Cmd {
	r := &m.live.race
	if !r.x.Done() {
		return nil
	}
	lane := &r.list
	var list rawList
	if err := json.Unmarshal(r.x.Kept, &list); err != nil {
		lane.Cut = true
		return m.nextLane()
	}
	lane.Bytes += r.x.Bytes
	lane.Most = max(lane.Most, r.x.Bytes)
	lane.spent += r.x.Took
	lane.Objects += len(list.Items) + len(list.Rows)
	lane.version = list.Metadata.ResourceVersion
	if lane.First == 0 {
		lane.First = lane.spent
	}
	next := list.Metadata.Continue
	if _, why := r.progress.Take(watch.Chunk{Items: len(list.Items) + len(list.Rows), Next: next}); why.Code != 0 {
		lane.Trouble = &why
		return m.nextLane()
	}
	if next != "" {
		return m.sendRaceRequest(listPathOf(m, url.Values{"limit": {strconv.Itoa(chunk)}, "continue": {next}}), r.as.accept(true))
	}
	lane.All = lane.spent
	r.step = watching
	at, selectors, _ := m.target()
	o := Options{Begin: AtVersion, Version: lane.version, Timeout: "5"}
	return m.sendRaceRequest(watchPath(at, selectors, o, ""), r.as.accept(false))
}

type rawList struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
		Continue        string `json:"continue"`
	} `json:"metadata"`
	Items []struct{} `json:"items"`
	Rows  []struct{} `json:"rows"` // of a Table
}

// nextLane begins the streaming list, or ends the race.
func (m Model) nextLane() []page.Cmd {
	r := &m.live.race
	if r.step == streaming {
		r.step = finished
		return []page.Cmd{page.Announce{Words: "Both have ended"}}
	}
	r.step = streaming
	at, selectors, _ := m.target()
	return m.sendRaceRequest(watchPath(at, selectors, Options{Begin: Initial, Timeout: "60"}, ""), r.as.accept(false))
}

// endMark is in the line of the bookmark that ends the initial events. Other lines may have it too.
var endMark = []byte("k8s.io/initial-events-end")

// streamed takes a part of the streaming list in. It decodes only lines that may end it.
func (m Model) streamed(msg page.Msg) []page.Cmd {
	r := &m.live.race
	part, ok := msg.(page.Arrived)
	if !ok || !r.x.OK() {
		if _, ended := msg.(page.Ended); ended {
			r.flow.Cut = true
			return m.nextLane()
		}
		return nil
	}
	var lines [][]byte
	lines, r.line = r.line.Take(r.x.Kept)
	r.x.Kept = nil
	lane := &r.flow
	for _, line := range lines {
		lane.Bytes += int64(len(line)) + 1
		lane.Most = max(lane.Most, int64(len(line)))
		if lane.First == 0 {
			lane.First = part.After
		}
		if !bytes.Contains(line, endMark) {
			lane.Objects++
			continue
		}
		if e, err := watch.ParseEvent(line); err == nil && e.EndsInitialState() {
			lane.All, lane.Ready, lane.Done = part.After, part.After, true
			return append([]page.Cmd{r.x.Cancel()}, m.nextLane()...)
		}
		lane.Objects++
	}
	return nil
}

// bar is one measure of both, with an explanation.
type bar struct {
	call.Bars
	Means string
}

var measures = []struct {
	name, means string
	of          func(lane) int64
	words       func(int64) string
}{
	{"requests", "Requests for the state and the watch", func(l lane) int64 { return int64(l.Requests) }, words.Thousands},
	{"bytes", "Bytes of the bodies after decompression. Each event has its own frame, and repeats apiVersion and kind", func(l lane) int64 { return l.Bytes }, components.Bytes},
	{"time until the first object", "A chunk is one JSON document, which can’t be used before its end. Each line of a stream can be used at once", func(l lane) int64 { return int64(l.First) }, millis},
	{"time until all objects", "Until the state was complete", func(l lane) int64 { return int64(l.All) }, millis},
	{"time until the watch", "Until the watch from this state was open", func(l lane) int64 { return int64(l.Ready) }, millis},
	{"largest part in memory", "The largest part that had to be in memory before it could be read", func(l lane) int64 { return l.Most }, components.Bytes},
}

// millis is a time in milliseconds; “–” for 0.
func millis(n int64) string {
	if n == 0 {
		return "–"
	}
	return words.Thousands(time.Duration(n).Milliseconds()) + " ms"
}

func (r *race) bars() []bar {
	var all []bar
	for _, m := range measures {
		all = append(all, bar{Bars: call.Compared(m.name, m.of(r.list), m.of(r.flow), m.words), Means: m.means})
	}
	return all
}
