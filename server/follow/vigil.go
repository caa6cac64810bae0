package follow

import (
	"context"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// vigil notices when the API server of one watch is silent. A frozen server keeps its connections open, so the watch doesn't end, and
// no event arrives. A sign of life is any byte on the watch's connection, such as a response to a ping of HTTP/2. HTTP/1.1 has no
// pings; there, the response to a small request is a sign of life (probes).
//
// A silent watch stays open: a server that was only paused continues it, and nothing is lost.
type vigil struct {
	stream *stream
	ctx    context.Context // of the watch
	outer  context.Context // of the Reflector
	pulse  *upstream.Pulse

	mu     sync.Mutex
	timer  *time.Timer
	due    time.Time // when the timer is to fire
	sign   time.Time // the last sign of life
	open   bool      // the API server has begun its response
	silent bool      // the follower was told so
	over   bool
}

// keep begins a vigil.
func (s *stream) keep(ctx context.Context) *vigil {
	v := &vigil{stream: s, sign: s.sign, outer: ctx}
	v.ctx, v.pulse = upstream.WithPulse(ctx)
	v.mu.Lock()
	defer v.mu.Unlock()
	first := v.bound() / 2
	v.timer = time.AfterFunc(first, v.checkSilence)
	v.due = s.group.Now().Add(first)
	return v
}

func (v *vigil) bound() time.Duration { return v.stream.group.Pace.Silent }

// opened notes that the API server has begun its response.
func (v *vigil) opened() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.open, v.silent = true, false
	v.stream.sink.Opened()
}

// came notes that a part of the watch arrived.
func (v *vigil) came() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.silent {
		v.judge()
	}
}

// endVigil ends the vigil, and gives the last sign of life.
func (v *vigil) endVigil() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.over = true
	v.timer.Stop()
	return v.heard()
}

// checkSilence checks for silence, and sets the timer for its next call.
func (v *vigil) checkSilence() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		return
	}
	now := v.stream.group.Now()
	asleep := now.Sub(v.due) > v.bound()/4
	next := v.bound() / 4
	if !asleep { // this machine was asleep, so signs of life may not be read yet
		next = v.judge()
	}
	v.due = now.Add(next)
	v.timer.Reset(next)
}

// judge tells the follower when silence begins or ends, and returns the time until the next look.
func (v *vigil) judge() (next time.Duration) {
	sign := v.heard()
	now, bound := v.stream.group.Now(), v.bound()
	quiet := now.Sub(sign)
	switch {
	case quiet < bound/2:
		v.endSilence()
		return bound/2 - quiet + bound/100
	case !v.proves():
		v.stream.group.sendProbe(identity.WithSession(v.outer, v.stream.now().Session), v.stream.source.Cluster)
	}
	if quiet < bound {
		v.endSilence()
		return max(bound/16, min(bound-quiet, bound/8))
	}
	if !v.silent {
		v.silent = true
		v.stream.sink.Silent(Trouble{Why: v.silence(), At: now, Sign: sign})
	}
	return bound / 16
}

// endSilence tells the follower that the silence is over, once the watch is open.
func (v *vigil) endSilence() {
	if v.silent && v.open {
		v.silent = false
		v.stream.sink.Opened()
	}
}

// proves tells whether silence alone proves that the server is lost: pings are not answered, or no connection can be made.
func (v *vigil) proves() bool { return v.pulse.Pinged() || v.pulse.Heard().IsZero() }

// heard is the last sign of life.
func (v *vigil) heard() time.Time {
	signs := []time.Time{v.pulse.Heard()}
	if !v.proves() {
		signs = append(signs, v.stream.group.probes.answered(v.stream.source.Cluster))
	}
	for _, sign := range signs {
		if sign.After(v.sign) {
			v.sign = sign
		}
	}
	return v.sign
}

// silence is the Status for an API server that is silent.
func (v *vigil) silence() status.Status {
	if v.pulse.Heard().IsZero() {
		return status.Parse(http.StatusGatewayTimeout, []byte("There is no connection to the API server yet."))
	}
	return status.Status{
		Code: http.StatusGatewayTimeout, Reason: status.Silent,
		Message: "The API server doesn't respond. The connection is open, but the server sends nothing, not even responses to pings.",
	}
}

// probes are small requests that ask whether an API server is alive, where its connections have no pings. No page needs the
// response. So the wire log doesn't have them, and it doesn't have pings either. All watches of a cluster share them.
type probes struct {
	mu        sync.Mutex
	byCluster map[string]*probe
}

type probe struct {
	asked    time.Time
	answered time.Time
	asking   bool
}

// maxProbes bounds how many servers are remembered.
const maxProbes = 1000

func (p *probes) of(cluster string) *probe {
	if p.byCluster == nil || len(p.byCluster) >= maxProbes {
		p.byCluster = map[string]*probe{}
	}
	one := p.byCluster[cluster]
	if one == nil {
		one = &probe{}
		p.byCluster[cluster] = one
	}
	return one
}

func (p *probes) answered(cluster string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of(cluster).answered
}

// sendProbe sends a probe, unless one is in progress or was sent a moment ago. It doesn't wait. The probe ends with ctx.
func (g *Group) sendProbe(ctx context.Context, cluster string) {
	p := &g.probes
	p.mu.Lock()
	defer p.mu.Unlock()
	one, now := p.of(cluster), g.Now()
	if one.asking || now.Sub(one.asked) < g.Pace.Silent/2 {
		return
	}
	one.asking, one.asked = true, now
	g.Go(func() {
		answered := false
		defer func() {
			if r := recover(); r != nil {
				g.Log.Error("a probe panicked", "panic", r, "stack", string(debug.Stack()))
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			if one.asking = false; answered {
				one.answered = g.Now()
			}
		}()
		answered = g.probe(ctx, cluster)
	})
}

// probe sends the smallest request, and tells whether any response arrived, even a refusal.
func (g *Group) probe(ctx context.Context, cluster string) bool {
	ctx, cancel := context.WithTimeout(ctx, g.Pace.Head)
	defer cancel()
	target, err := g.Resolve(ctx, cluster)
	if err != nil {
		return false
	}
	answer, _ := api.New(*target).Do(ctx, api.Request{Path: "/version"})
	return answer.Status != 0
}
