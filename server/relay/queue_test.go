package relay

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func changed(kind watch.Type, name string, version int) change {
	v := strconv.Itoa(version)
	row := table.Row{UID: name, Name: name, ResourceVersion: v}
	return change{kind: kind, item: itemOf(&row), version: v, size: 100}
}

// worded are changes as TYPE name version.
func worded(changes []change) []string {
	var all []string
	for _, c := range changes {
		all = append(all, fmt.Sprintf("%s %s %s", c.kind, c.item.key, c.item.version))
	}
	return all
}

// words are events as TYPE name version.
func words(events []wire.Event) []string {
	var all []string
	for _, e := range events {
		all = append(all, fmt.Sprintf("%s %s %s", e.Type, e.Row.Name, e.Row.ResourceVersion))
	}
	return all
}

func TestQueueKeepsTheNewestOfEachObject(t *testing.T) {
	const added, modified, deleted = watch.Added, watch.Modified, watch.Deleted
	for name, c := range map[string]struct {
		in   []change
		want []string
	}{
		"one event":                      {[]change{changed(modified, "a", 1)}, []string{"MODIFIED a 1"}},
		"an addition stays one":          {[]change{changed(added, "a", 1), changed(modified, "a", 2)}, []string{"ADDED a 2"}},
		"changes become one":             {[]change{changed(modified, "a", 1), changed(modified, "a", 2)}, []string{"MODIFIED a 2"}},
		"a deletion wins":                {[]change{changed(modified, "a", 1), changed(deleted, "a", 2)}, []string{"DELETED a 2"}},
		"also after an addition":         {[]change{changed(added, "a", 1), changed(deleted, "a", 2)}, []string{"DELETED a 2"}},
		"what comes back has changed":    {[]change{changed(deleted, "a", 1), changed(added, "a", 2)}, []string{"MODIFIED a 2"}},
		"unless it was new before":       {[]change{changed(added, "a", 1), changed(deleted, "a", 2), changed(added, "a", 3)}, []string{"ADDED a 3"}},
		"and may go again":               {[]change{changed(deleted, "a", 1), changed(added, "a", 2), changed(deleted, "a", 3)}, []string{"DELETED a 3"}},
		"order is that of newest states": {[]change{changed(modified, "a", 1), changed(added, "b", 2), changed(modified, "a", 3)}, []string{"ADDED b 2", "MODIFIED a 3"}},
	} {
		var q queue
		for _, in := range c.in {
			q.put(in)
		}
		events, version := q.takeChanges(perMessage, messageBytes)
		if got := worded(events); !slices.Equal(got, c.want) || version != c.in[len(c.in)-1].version {
			t.Errorf("%s: %q up to %s, want %q", name, got, version, c.want)
		}
		if q.len() != 0 || q.bytes != 0 {
			t.Errorf("%s: %d events of %d bytes are left", name, q.len(), q.bytes)
		}
	}
}

func TestQueueKeepsEveryVersionWhereThatIsWanted(t *testing.T) {
	q := queue{every: true}
	q.drop()
	for _, c := range []change{changed(watch.Added, "a", 1), changed(watch.Modified, "a", 2), changed(watch.Modified, "a", 3), changed(watch.Deleted, "a", 4)} {
		q.put(c)
	}
	events, version := q.takeChanges(perMessage, messageBytes)
	if got, want := worded(events), []string{"ADDED a 1", "MODIFIED a 2", "MODIFIED a 3", "DELETED a 4"}; !slices.Equal(got, want) || version != "4" {
		t.Errorf("%q up to %s, want %q", got, version, want)
	}
	if q.len() != 0 || q.bytes != 0 {
		t.Errorf("%d events of %d bytes are left", q.len(), q.bytes)
	}
}

func TestQueueGivesBoundedMessages(t *testing.T) {
	var q queue
	for i := range 10 {
		q.put(changed(watch.Added, strconv.Itoa(i), i))
	}
	for _, c := range []struct {
		n, bytes, want int
		version        string
	}{{3, 1000, 3, "2"}, {9, 250, 2, "4"}, {9, 1, 1, "5"}, {9, 1000, 4, "9"}, {9, 1000, 0, ""}} {
		if events, version := q.takeChanges(c.n, c.bytes); len(events) != c.want || version != c.version {
			t.Errorf("%d events up to %q, want %d up to %q", len(events), version, c.want, c.version)
		}
	}
}

func TestQueueIsBounded(t *testing.T) {
	var q queue
	for i := range maxWaiting {
		q.put(changed(watch.Added, strconv.Itoa(i), i))
		q.put(changed(watch.Modified, "hot", i))
	}
	if q.len() != maxWaiting+1 || !q.over() {
		t.Errorf("%d objects wait", q.len())
	}
	q.drop()
	big := changed(watch.Added, "big", 1)
	big.size = 2 * maxWaitingBytes
	if q.put(big); q.over() {
		t.Error("a single object is too much")
	}
	if q.put(changed(watch.Added, "small", 2)); !q.over() {
		t.Errorf("%d bytes are not", q.bytes)
	}
}

// world makes up a history as an API server tells it: an object is added, changed and deleted in that order,
// and may come back.
type world struct {
	random  *rand.Rand
	version int
	objects map[string]string // name → version
	last    map[string]int    // name → version of its last event
}

func newWorld(random *rand.Rand) *world {
	return &world{random: random, objects: map[string]string{}, last: map[string]int{}}
}

func (w *world) next() change {
	w.version++
	name := strconv.Itoa(w.random.IntN(12))
	_, there := w.objects[name]
	kind := watch.Added
	switch {
	case there && w.random.IntN(3) == 0:
		kind = watch.Deleted
	case there:
		kind = watch.Modified
	}
	c := changed(kind, name, w.version)
	w.last[name] = w.version
	if kind == watch.Deleted {
		delete(w.objects, name)
	} else {
		w.objects[name] = c.version
	}
	return c
}

// reader applies what it is told, and notes what makes no sense.
type reader struct {
	objects map[string]string
	version string
	trouble string
}

func (r *reader) take(events []change, version string) {
	for _, e := range events {
		have, known := r.objects[e.item.key]
		older := known && number(e.item.version) <= number(have)
		switch {
		case older, e.kind == watch.Added && known, e.kind == watch.Modified && !known:
			r.trouble = fmt.Sprintf("%s of %s at %s, where %q was known", e.kind, e.item.key, e.item.version, have)
		case e.kind == watch.Deleted:
			delete(r.objects, e.item.key)
		default:
			r.objects[e.item.key] = e.item.version
		}
	}
	if len(events) > 0 {
		if number(version) <= number(r.version) {
			r.trouble = fmt.Sprintf("version %s after %s", version, r.version)
		}
		r.version = version
	}
}

func number(version string) int { n, _ := strconv.Atoi(version); return n }

// Whatever happens, and however slowly it is taken: in the end the reader has what there is. On the way it has
// everything up to the version it was told, so that it could resume from there.
func TestQueueLosesNothing(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		w, r := newWorld(random), &reader{objects: map[string]string{}, version: "0"}
		var q queue
		for range 200 {
			for range random.IntN(8) {
				q.put(w.next())
			}
			r.take(q.takeChanges(1+random.IntN(6), 1+random.IntN(600)))
			for name, last := range w.last {
				if last <= number(r.version) && r.objects[name] != w.objects[name] {
					t.Fatalf("seed %d: told up to %s, the reader has %s at %q; it is at %q since %d", seed, r.version, name, r.objects[name], w.objects[name], last)
				}
			}
		}
		r.take(q.takeChanges(1000, messageBytes))
		if !maps.Equal(r.objects, w.objects) || r.trouble != "" {
			t.Fatalf("seed %d: the reader has %v, there is %v; %s", seed, r.objects, w.objects, r.trouble)
		}
	}
}
