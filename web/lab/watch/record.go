package watch

import (
	"bytes"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// Bounds of what the page keeps of a stream.
const (
	mostEvents  = 1000     // the newest
	mostBytes   = 8 << 20  // of their text
	mostObjects = 20_000   // objects whose versions are kept
	mostShown   = 50       // rows
	longestLine = 64 << 10 // bytes of an event that is kept whole
	rateSeconds = 60
	mostPending = 50_000 // lines that are not decoded yet
)

// event is an event that has arrived.
type event struct {
	seq     int // from 1, over all streams of the page
	stream  int // its stream, from 1
	typ     watch.Type
	head    watch.Head
	at      time.Time
	after   time.Duration // since the request was sent
	bytes   int
	line    []byte // as it was sent; nil: too long to keep
	initial bool   // it is one of the initial events
}

// record is the newest events, and counts and versions from all of them.
type record struct {
	newest []event // the oldest first
	held   int     // bytes of their lines
	seq    int     // of the last event
	counts map[watch.Type]int
	bytes  int64
	rates  [rateSeconds]second

	versions map[string]string // the newest version of each object, by uid
	overfull bool              // there were more objects than are kept, so the versions are not complete
}

// second has the events of one second.
type second struct {
	unix   int64
	counts [4]int // ADDED, MODIFIED, DELETED, all others
}

func newRecord() *record { return &record{counts: map[watch.Type]int{}, versions: map[string]string{}} }

// forgetVersions forgets the versions, because a new stream sends the state again.
func (r *record) forgetVersions() { r.versions, r.overfull = map[string]string{}, false }

// addEvent takes an event in.
func (r *record) addEvent(e event) event {
	r.seq++
	e.seq = r.seq
	r.counts[e.typ]++
	r.bytes += int64(e.bytes)
	r.beat(e)
	r.follow(e)
	if len(e.line) > longestLine {
		e.line = nil
	}
	e.line = bytes.Clone(e.line) // a copy, because the line is a part of a larger buffer
	r.newest = append(r.newest, e)
	r.held += len(e.line)
	for len(r.newest) > mostEvents || r.held > mostBytes {
		r.held -= len(r.newest[0].line)
		r.newest[0].line = nil
		r.newest = r.newest[1:]
	}
	return e
}

// beat counts the event in its second.
func (r *record) beat(e event) {
	unix := e.at.Unix()
	s := &r.rates[((unix%rateSeconds)+rateSeconds)%rateSeconds]
	if s.unix != unix {
		*s = second{unix: unix}
	}
	s.counts[typeIndex(e.typ)]++
}

// typeIndex is the index in counts for a type.
func typeIndex(t watch.Type) int {
	switch t {
	case watch.Added:
		return 0
	case watch.Modified:
		return 1
	case watch.Deleted:
		return 2
	default:
		return 3
	}
}

// follow keeps the versions of all objects.
func (r *record) follow(e event) {
	switch {
	case e.head.UID == "":
	case e.typ == watch.Deleted:
		delete(r.versions, e.head.UID)
	case e.typ == watch.Added || e.typ == watch.Modified:
		r.versions[e.head.UID] = e.head.Version
		if len(r.versions) > mostObjects {
			r.overfull = true
			delete(r.versions, e.head.UID)
		}
	}
}

// rate is the second that began so many seconds ago. 0 is the current one, which has not ended.
func (r *record) rate(now time.Time, ago int) second {
	unix := now.Unix() - int64(ago)
	if s := r.rates[((unix%rateSeconds)+rateSeconds)%rateSeconds]; s.unix == unix {
		return s
	}
	return second{unix: unix}
}

func (s second) total() int { return s.counts[0] + s.counts[1] + s.counts[2] + s.counts[3] }

// findEvent is the kept event of a number.
func (r *record) findEvent(seq int) (event, bool) {
	if len(r.newest) == 0 {
		return event{}, false
	}
	i := seq - r.newest[0].seq
	if i < 0 || i >= len(r.newest) {
		return event{}, false
	}
	return r.newest[i], true
}
