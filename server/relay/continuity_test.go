package relay

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// continuityEnv asks for the long version.
const continuityEnv = "FIELDMARK_CONTINUITY"

// ordeal is what a test of continuity goes through.
type ordeal struct {
	span               time.Duration
	faults             int
	restarts, compacts int
	objects, perSecond int
}

func continuityOrdeal() ordeal {
	if os.Getenv(continuityEnv) == "long" {
		return ordeal{span: time.Minute, faults: 100, restarts: 5, compacts: 10, objects: 500, perSecond: 200}
	}
	return ordeal{span: 5 * time.Second, faults: 10, restarts: 1, compacts: 1, objects: 500, perSecond: 200}
}

// TestPracticeContinuity writes at random while the line to the API server suffers, the API server restarts and its
// store forgets. What pages were told is held against what was written: for each object, the versions that they saw are
// some of those that were written, in that order, none twice, and in the end they show what there is.
func TestPracticeContinuity(t *testing.T) {
	o := continuityOrdeal()
	direct := ownLab(t)
	direct.eventually("GET", scenarios, "", "")
	c, _ := direct.clusters.Get(cluster.Practice)
	target, err := c.Target()
	must(t, err)
	line := newBadLine(t, target.Base.Host)
	l := newLab(t, through(t, direct.kubeconfig, target.Base, line.listener.Addr().String()))

	path := "/api/v1/namespaces/" + direct.namespace() + "/configmaps"
	record := newRecord(direct, path, o)
	var witnesses []*witness
	for i, w := range []struct {
		session, query string
		credit         time.Duration
	}{{"one", "", 0}, {"one", "", 0}, {"two", "", 0}, {"one", "", 400 * time.Millisecond}, {"one", "?labelSelector=half%3D1", 0}} {
		witnesses = append(witnesses, newWitness(l, w.session, uint32(i+1), path+w.query, w.credit))
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	record.write(o, func() { afflict(direct, line, o, rand.New(rand.NewPCG(seed, 7))) })
	for _, w := range witnesses {
		w.agrees(record)
		w.obeys(record)
		t.Logf("%s: %d messages, %d gaps, %d waits", w.path, w.messages, len(w.mirror.gaps), w.mirror.waited)
	}
	t.Logf("%d writes", record.writes)
}

// through is a kubeconfig that leads through the line.
func through(t *testing.T, kubeconfig string, base *url.URL, address string) string {
	t.Helper()
	text, err := os.ReadFile(kubeconfig)
	must(t, err)
	file := t.TempDir() + "/through"
	must(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), base.Host, address)), 0o600))
	return file
}

// afflict does everything that is to happen, spread over the time.
func afflict(direct *lab, line *badLine, o ordeal, random *rand.Rand) {
	var all []func()
	for i := range o.faults {
		f := []fault{cut, truncated, stall, halfOpen, slow}[i%5]
		all = append(all, func() { line.suffer(f, random) })
	}
	for i := range o.restarts {
		all = append(all, func() {
			direct.scenario(fmt.Sprintf("restart%d", i), `{"name":"down","restart":{"downSeconds":1}}`)
		})
	}
	for i := range o.compacts {
		all = append(all, func() {
			direct.scenario(fmt.Sprintf("forget%d", i), `{"name":"forget","compact":{"watchCache":"Forget"}}`)
			line.suffer(cut, random)
		})
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, do := range all {
		time.Sleep(o.span / time.Duration(len(all)+1)) // what happens is spread over the span
		do()
	}
	for i := range o.restarts {
		direct.holds(fmt.Sprintf("restart%d", i))
	}
	for i := range o.compacts {
		direct.holds(fmt.Sprintf("forget%d", i))
	}
}

// written is what was written: for each object the versions in order, "" for a deletion.
type written struct {
	lab     *lab
	path    string
	objects int

	mu       sync.Mutex
	versions map[string][]string
	writes   int
}

func newRecord(l *lab, path string, o ordeal) *written {
	r := &written{lab: l, path: path, objects: o.objects, versions: map[string][]string{}}
	for name, version := range l.truth(path) {
		r.versions[name] = []string{version}
	}
	return r
}

// write writes with four hands, each its own objects, while something happens.
func (r *written) write(o ordeal, meanwhile func()) {
	const hands = 4
	done := make(chan struct{})
	var all sync.WaitGroup
	for hand := range hands {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(hand), 11))
			pace := time.NewTicker(time.Second * hands / time.Duration(o.perSecond))
			defer pace.Stop()
			for {
				select {
				case <-done:
					return
				case <-pace.C:
					r.change(fmt.Sprintf("o%d", hand+hands*random.IntN(r.objects/hands)), random)
				}
			}
		})
	}
	meanwhile()
	close(done)
	all.Wait()
}

// change makes one write, whose outcome is known when it returns.
func (r *written) change(name string, random *rand.Rand) {
	last := r.last(name)
	var text []byte
	var err error
	switch {
	case last == "":
		half := random.IntN(2)
		text, err = r.lab.try("POST", r.path, asJSON, fmt.Sprintf(`{"metadata":{"name":%q,"labels":{"half":"%d"}}}`, name, half))
	case random.IntN(5) == 0:
		text, err = r.lab.try("DELETE", r.path+"/"+name, "", "")
	case random.IntN(8) == 0:
		text, err = r.lab.try("PATCH", r.path+"/"+name, asMerge, fmt.Sprintf(`{"metadata":{"labels":{"half":"%d"}}}`, random.IntN(2)))
	default:
		text, err = r.lab.try("PATCH", r.path+"/"+name, asMerge, fmt.Sprintf(`{"data":{"n":"%d"}}`, random.Uint64()))
	}
	if err != nil {
		text = r.find(name)
	}
	var object struct {
		Kind     string
		Metadata struct{ ResourceVersion string }
	}
	must(r.lab.t, json.Unmarshal(text, &object))
	now := object.Metadata.ResourceVersion
	if object.Kind == "Status" {
		now = ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes++
	if now != last {
		r.versions[name] = append(r.versions[name], now)
	}
}

// find looks what became of a write that had no good answer.
func (r *written) find(name string) []byte {
	for ; ; time.Sleep(20 * time.Millisecond) {
		text, err := r.lab.try("GET", r.path+"/"+name, "", "")
		switch {
		case err == nil:
			return text
		case api.Code(err) == http.StatusNotFound:
			return []byte(`{"kind":"Status"}`)
		}
	}
}

func (r *written) last(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := r.versions[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// sighting is one version of one object that a page was told of.
type sighting struct {
	version string
	gen     uint32
	row     bool // in a whole state
	gone    bool
}

// witness is a page that notes all it is told.
type witness struct {
	page *page
	path string

	mu       sync.Mutex
	mirror   *mirror
	seen     map[string][]sighting
	messages int
}

func newWitness(l *lab, session string, id uint32, path string, credit time.Duration) *witness {
	w := &witness{page: l.dial(session), path: path, seen: map[string][]sighting{}}
	w.mirror = w.page.mirrored(id, cluster.Practice, path)
	go w.watch(credit)
	return w
}

func (w *witness) watch(credit time.Duration) {
	for r := range w.page.came {
		if r.err != nil {
			return
		}
		if r.message.ID != w.mirror.id {
			continue
		}
		w.note(r.message)
		time.Sleep(credit) // a page that reads slowly
		w.page.tryCredit(w.mirror.id)
	}
}

func (w *witness) note(m wire.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages++
	w.mirror.take(m)
	for _, r := range m.Rows {
		w.seen[r.Name] = append(w.seen[r.Name], sighting{version: r.ResourceVersion, gen: m.Gen, row: true})
	}
	for _, e := range m.Events {
		w.seen[e.Row.Name] = append(w.seen[e.Row.Name], sighting{version: e.Row.ResourceVersion, gen: m.Gen, gone: e.Type == watch.Deleted})
	}
}

// agrees waits until the page shows what there is.
func (w *witness) agrees(r *written) {
	t := r.lab.t
	t.Helper()
	_, query, _ := strings.Cut(w.path, "?")
	want := r.lab.truth(r.path + "?" + query)
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		w.mu.Lock()
		same := w.mirror.synced && maps.Equal(w.mirror.objects, want)
		state := fmt.Sprintf("synced %t, gen %d, %d objects, waiting %v, failed %v", w.mirror.synced, w.mirror.gen, len(w.mirror.objects), w.mirror.waiting, w.mirror.failed)
		w.mu.Unlock()
		if same {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: what the page shows never becomes what there is (%d objects): %s", w.path, len(want), state)
		}
	}
}

// obeys holds all that was seen against what was written.
func (w *witness) obeys(r *written) {
	t := r.lab.t
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, seen := range w.seen {
		written := map[string]bool{}
		for _, v := range r.versions[name] {
			written[v] = true
		}
		var last sighting
		for _, s := range seen {
			repeats := s.row && s.gen > last.gen && s.version == last.version
			switch {
			case !s.gone && !written[s.version]:
				t.Errorf("%s: %s at %s, which was never written: %q", w.path, name, s.version, r.versions[name])
			case number(s.version) <= number(last.version) && !repeats:
				t.Errorf("%s: %s at %+v after %+v", w.path, name, s, last)
			}
			last = s
		}
	}
}
