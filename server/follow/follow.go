// Package follow keeps a copy of a collection up to date without missing a change. A Reflector makes the requests, and its Sink
// receives the results.
//
//	                 Machine (kube/watch)
//	              Step │     ▲ Synced, Seen, Broke …
//	                   ▼     │
//	API server ◀── list, watch ── Reflector ──▶ Sink
//	           ─── chunk, event ─▶             Begin, Chunk, Whole       the whole state
//	               bookmark, 410               Opened, Event, Passed     what happens after it
//	               nothing at all              Silent, Wait, Stop        why nothing comes
//
// The rules are those of package kube/watch: get the whole state by a watch that begins with it, else chunk by chunk; watch from
// its version; resume after the last version seen; begin again after 410 Gone. This package carries them out: it opens the
// requests, limits how long each may take, reads the lines, notices a silent server, and waits before each new attempt.
//
// A Sink never sees a request. It decides how objects are read, what is kept of them, and when it has had enough. There are two: the
// relay tells pages what happens (server/relay), and a scan looks for managers that fight (server/contention). client-go divides its
// Reflector and its store in the same way.
//
// All Reflectors of a Group share what they learn about API servers: which ones can't begin a watch with the whole state, and which
// ones still respond. They don't share data that was read from one.
package follow

import (
	"context"
	"log/slog"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Sink receives what a Reflector reads. All its methods except Silent and Opened are called one after the other. Those two may be
// called while another one runs. Only Begin may wait for long: during the other methods, the API server would wait, too.
type Sink interface {
	// Begin says that the whole state will be fetched. It may wait for its turn; false means that ctx has ended.
	Begin(ctx context.Context, s Start) bool
	// Chunk reads a part of a list. The error says why the text can't be read.
	Chunk(body []byte) (Chunk, error)
	// Whole says that the whole state has arrived, and its version. The object of the bookmark that ends it is end; after a list
	// it is nil.
	Whole(version string, end []byte) error
	// Opened says that the watch is open, or that a silent server is heard again.
	Opened()
	// Event takes in an object that was added, modified or deleted, as text that is good until Event returns. It returns the
	// object's version, if it has one. An ErrMoved, or any error of another kind, ends the watch.
	Event(kind watch.Type, object []byte) (version string, err error)
	// Passed says that nothing else happened up to this version.
	Passed(version string)
	// Silent says that nothing is heard of the API server although the watch is open, or that it doesn't answer the watch although it answers
	// other requests. The watch goes on.
	Silent(t Trouble)
	// Wait says that there will be another attempt, and when. If the status code is 0, there is no trouble, only too much haste.
	Wait(t Trouble)
	// Stop says that there will be no other attempt, and why.
	Stop(why status.Status)
}

// Start is the way to fetch the whole state.
type Start struct {
	Gap       watch.Gap // why all that the sink has is void; None: it is not
	Streams   bool      // it comes with the watch
	Continues bool      // a list goes on with the chunk after those that the sink has
}

// Chunk is a part of a list, as a sink has read it.
type Chunk struct {
	watch.Chunk
	Version string
	Keep    func() error // takes it in
}

// Trouble is the reason why nothing arrives.
type Trouble struct {
	Why   status.Status
	At    time.Time // when it was noticed
	Sign  time.Time // the API server's last sign of life
	Retry time.Time // of the next attempt; zero: one is under way
}

// Options are what the Reflectors of a Group have in common.
type Options struct {
	// Resolve finds the way to a cluster by its slug, for the context's session. An error with an HTTPStatus of 400 to 499 is final; after any other one
	// there is another attempt.
	Resolve func(ctx context.Context, slug string) (*upstream.Target, error)
	Tap     *wiretap.Log   // records the requests
	Origin  wiretap.Origin // on whose behalf they are made
	Pace    Pace
	// MaxChunk bounds a chunk, in bytes; 0: as package api does. If one is larger, smaller ones are requested.
	MaxChunk int64
	Now      func() time.Time
	Random   func() float64 // in [0, 1); spreads waits
	Log      *slog.Logger
	// Go runs what belongs to no single Reflector.
	Go func(func())
}

// Pace has the time limits of a Reflector.
type Pace struct {
	// Silent is how long nothing must have been heard of an API server until sinks are told. Half of it must be longer than the
	// pause between two pings of a connection.
	Silent time.Duration
	// Chunk is how long the API server has for a chunk, and Head to begin its response to a watch.
	Chunk, Head time.Duration
	// Answer is how long the API server has to begin its response to a watch until the sink is told, and until the state is listed meanwhile.
	Answer time.Duration
	// A watch lasts between MinWatch and MaxWatch, and is then opened again: only then is it noticed that a permission was taken
	// away (threat: withdrawn permission). A server that doesn't end the watch in time has some Grace.
	MinWatch, MaxWatch, Grace time.Duration
	// Stream is how long the API server has for anything in a watch that begins with the whole state. After that, the state is
	// listed.
	Stream time.Duration
}

// UsualPace is the pace for real API servers.
func UsualPace() Pace {
	return Pace{
		Silent: 2*upstream.DefaultPingAfter + time.Second/2,
		Chunk:  2 * time.Minute, Head: 30 * time.Second, Answer: 5 * time.Second,
		MinWatch: 20 * time.Second, MaxWatch: 26 * time.Second, Grace: 3 * time.Second,
		Stream: 3 * time.Second,
	}
}

// Group is the Reflectors of one part of the program. It is safe for concurrent use.
type Group struct {
	Options
	refusals refusals
	probes   probes
}

// NewGroup makes one without Reflectors.
func NewGroup(o Options) *Group { return &Group{Options: o} }
