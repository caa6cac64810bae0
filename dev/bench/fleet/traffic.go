package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// arrive calls do at random moments for a time, so many times a second on average, and returns when all calls have returned. A slow call doesn't delay
// the next one. due is the moment at which the call should have begun.
func arrive(ctx context.Context, perSecond float64, length time.Duration, do func(ctx context.Context, i int, due time.Time)) {
	if perSecond <= 0 {
		_ = lab.Pause(ctx, length)
		return
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // equal runs are wanted, not secrets
	var running sync.WaitGroup
	defer running.Wait()
	end := time.Now().Add(length)
	for i, due := 0, time.Now(); ; i++ {
		due = due.Add(time.Duration(random.ExpFloat64() / perSecond * float64(time.Second)))
		if due.After(end) {
			_ = lab.Pause(ctx, time.Until(end))
			return
		}
		if lab.Pause(ctx, time.Until(due)) != nil {
			return
		}
		running.Go(func() { do(ctx, i, due) })
	}
}

// tally collects times and errors of many goroutines.
type tally struct {
	mu     sync.Mutex
	times  []time.Duration
	errors int
	first  error
}

// addCall adds a call that should have begun at a moment.
func (t *tally) addCall(due time.Time, err error) {
	took := time.Since(due)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		t.times = append(t.times, took)
		return
	}
	t.errors++
	if t.first == nil {
		t.first = err
	}
}

// quantile is that of the times.
func (t *tally) quantile(q float64) time.Duration { return figures.Quantile(t.times, q) }

// wrote is a write that the API server has confirmed.
type wrote struct {
	team    string
	object  int
	version uint64
	sent    time.Time
}

// changes are those of one run, by the version that they made.
type changes struct {
	mu   sync.Mutex
	made map[string]wrote
}

// change changes ConfigMaps of all teams in turn for a time.
func (c *company) change(ctx context.Context, l *lab.Lab, perSecond float64, length time.Duration) (*changes, *tally) {
	all, t := &changes{made: map[string]wrote{}}, &tally{}
	arrive(ctx, perSecond, length, func(ctx context.Context, i int, due time.Time) {
		t.addCall(due, all.writeConfigMap(ctx, l, c.teams[i%len(c.teams)], i/len(c.teams)))
	})
	return all, t
}

// writeConfigMap changes one of a team's ConfigMaps.
func (c *changes) writeConfigMap(ctx context.Context, l *lab.Lab, team string, number int) error {
	which := number % changing
	path, sent := fmt.Sprintf("/api/v1/namespaces/%s/configmaps/changing-%d", team, which), time.Now()
	_, body, err := l.Bare.Do(ctx, http.MethodPut, path, strings.NewReader(configMap(which, int(sent.UnixMilli()))))
	if err != nil {
		return err
	}
	var written struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(body, &written); err != nil {
		return fmt.Errorf("a written ConfigMap: %w", err)
	}
	version, err := strconv.ParseUint(written.Metadata.ResourceVersion, 10, 64) // as those of etcd are
	if err != nil {
		return fmt.Errorf("the version of a written ConfigMap: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made[written.Metadata.ResourceVersion] = wrote{team, which, version, sent}
	return nil
}

// delivered is what arrived of changes.
type delivered struct {
	delays []time.Duration // since the write was sent, sorted
	// superseded changes didn't arrive, but a later one of the same object did: Fieldmark joins changes of a row if they wait.
	superseded int
	missing    int // neither the change nor a later one arrived
}

// deliveries compares what arrived at followers with what was changed of their teams.
func (c *changes) deliveries(followers []*follower) (d delivered) {
	of := map[string]map[string]wrote{}
	for version, made := range c.made {
		if of[made.team] == nil {
			of[made.team] = map[string]wrote{}
		}
		of[made.team][version] = made
	}
	for _, f := range followers {
		d.addArrivals(of[f.person.team], f.seen.Copy())
	}
	slices.Sort(d.delays)
	return d
}

// addArrivals compares what arrived at one follower with what was changed of its team.
func (d *delivered) addArrivals(made map[string]wrote, seen map[string]time.Time) {
	newest := map[int]uint64{} // that arrived of each object
	for version := range seen {
		if one, ok := made[version]; ok {
			newest[one.object] = max(newest[one.object], one.version)
		}
	}
	for version, one := range made {
		switch at, arrived := seen[version]; {
		case arrived:
			d.delays = append(d.delays, at.Sub(one.sent))
		case newest[one.object] > one.version:
			d.superseded++
		default:
			d.missing++
		}
	}
}

// awaitDeliveries reads deliveries until nothing is missing, or for a while: events may be on their way.
func awaitDeliveries(ctx context.Context, read func() delivered) (d delivered) {
	for range 50 {
		if d = read(); d.missing == 0 || lab.Pause(ctx, 200*time.Millisecond) != nil {
			return d
		}
	}
	return d
}
