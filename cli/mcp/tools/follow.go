package tools

import (
	"bufio"
	"context"
	"errors"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/kube/walk"
	"github.com/fieldmark/fieldmark/kube/watch"
)

// Bounds of watching during a call.
const (
	usualSeconds = 10
	mostSeconds  = 30
	longestEvent = 8 << 20 // bytes
	chunkSize    = 250
	mostChunks   = 40
)

// Recorder has what a running Fieldmark has recorded.
type Recorder interface {
	// Changes are the steps of an object that is watched, the oldest first; ok is false if it isn't.
	Changes(ctx context.Context, cluster string, path apipath.Path) (steps []timeline.Step, ok bool)
}

// fighting is the arguments of who_fights.
type fighting struct {
	Cluster   string   `json:"cluster"`
	Resources []string `json:"resources"`
	Namespace string   `json:"namespace"`
	Seconds   int      `json:"seconds"`
}

// usualTypes are watched if a call names none.
var usualTypes = []string{"deployments.apps", "statefulsets.apps", "daemonsets.apps", "configmaps", "services", "horizontalpodautoscalers.autoscaling", "ingresses.networking.k8s.io"}

func (d *desk) whoFights(ctx context.Context, in fighting) (a Answer, err error) {
	c, err := d.open(ctx, in.Cluster)
	if err != nil {
		return a, err
	}
	words, named := in.Resources, true
	if len(words) == 0 {
		words, named = usualTypes, false
	}
	var types []discovery.Type
	for _, word := range words {
		t, err := typeOf(ctx, c, word)
		switch {
		case err == nil && t.Watchable():
			types = append(types, t)
		case named && err != nil:
			return a, err
		case named:
			return a, sorry("A type that was named can't be watched.")
		}
	}
	catalog, err := c.Catalog(ctx, false)
	if err != nil {
		return a, failure{"The types of the cluster can't be read.", err.Error()}
	}
	lasts := time.Duration(bounded(in.Seconds, usualSeconds, mostSeconds)) * time.Second
	s := &scan{d: d, cluster: c, namespace: in.Namespace, lasts: lasts, of: contention.New(types, catalog.Serves, contention.Usual())}
	s.follow(ctx, types)
	return d.fought(s.of.Report(d.Now()), lasts), nil
}

// scan watches types during a call.
type scan struct {
	d         *desk
	cluster   Cluster
	namespace string
	lasts     time.Duration

	mu sync.Mutex
	of *contention.Scan
}

// follow watches all types, each for as long as the scan lasts.
func (s *scan) follow(ctx context.Context, types []discovery.Type) {
	var all rescue.Group
	for k, t := range types {
		all.Go(func() {
			if no := s.one(ctx, k, t); no != nil {
				s.with(func(of *contention.Scan) { of.State(k, report.Refused, *no) })
			}
		})
	}
	all.Wait()
}

// with calls do with the scan, alone.
func (s *scan) with(do func(of *contention.Scan)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s.of)
}

// one lists and watches a type. The status says why that isn't possible.
func (s *scan) one(ctx context.Context, k int, of discovery.Type) *status.Status {
	namespace := ""
	if of.Namespaced {
		namespace = s.namespace
	}
	path := apipath.Collection(of.Group, of.Version, namespace, of.Resource).String()
	s.with(func(of *contention.Scan) { of.Begin(k); of.State(k, report.Reading, status.Status{}) })
	version, err := listAll(ctx, s.cluster, path, func(raw []byte) {
		s.with(func(of *contention.Scan) { of.See(k, raw, true, s.d.Now()) })
	})
	if err != nil {
		return &status.Status{Message: err.Error()}
	}
	s.with(func(of *contention.Scan) { of.Whole(k); of.State(k, report.Followed, status.Status{}) })
	return watchFor(ctx, s.cluster, path, "", version, s.lasts, func(kind watch.Type, raw []byte) {
		s.with(func(of *contention.Scan) {
			if kind == watch.Deleted {
				of.Delete(k, raw, s.d.Now())
			} else {
				of.See(k, raw, false, s.d.Now())
			}
		})
	})
}

// listAll reads a collection, chunk by chunk.
func listAll(ctx context.Context, c Cluster, path string, take func(raw []byte)) (version string, err error) {
	query := url.Values{"limit": {strconv.Itoa(chunkSize)}}
	for range mostChunks {
		body, err := get(ctx, c, path+"?"+query.Encode(), "application/json")
		if err != nil {
			return "", err
		}
		listed, ok := walk.List(body, take)
		switch {
		case !ok:
			return "", errors.New("the response is no list")
		case listed.Continue == "":
			return listed.Version, nil
		}
		query.Set("continue", listed.Continue)
	}
	return "", errors.New("there are more than 10,000 objects; name a namespace")
}

// watchFor follows a collection, or the one object that a name selects, from a version on, for a time.
func watchFor(ctx context.Context, c Cluster, path, name, version string, lasts time.Duration, take func(kind watch.Type, raw []byte)) *status.Status {
	ctx, end := context.WithTimeout(ctx, lasts)
	defer end()
	query := url.Values{"watch": {"true"}, "resourceVersion": {version}, "timeoutSeconds": {strconv.Itoa(int(lasts/time.Second) + 1)}}
	if name != "" {
		query.Set("fieldSelector", apipath.NameSelector(name))
	}
	body, no := c.Stream(ctx, path+"?"+query.Encode())
	if no != nil {
		return no
	}
	defer body.Close()
	stop := context.AfterFunc(ctx, func() { _ = body.Close() })
	defer stop()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, longestEvent)
	for lines.Scan() {
		event, err := watch.SplitEvent(lines.Bytes())
		switch {
		case err != nil:
			return &status.Status{Message: err.Error()}
		case event.Type == watch.Error:
			told := event.Status()
			return &told
		case event.Type == watch.Added, event.Type == watch.Modified, event.Type == watch.Deleted:
			take(event.Type, append([]byte(nil), event.Object...))
		}
	}
	if ctx.Err() == nil {
		return &status.Status{Message: "the watch broke off before its time"}
	}
	return nil
}

// fight is a field that managers fight over, in an answer.
type fight struct {
	Object   string   `json:"object"`
	Path     string   `json:"path"`
	Times    int      `json:"times"`
	Seconds  float64  `json:"seconds_between,omitempty"`
	Managers []string `json:"managers"`
}

// fought is the answer about what a scan has found. It has no values, because they may be credentials.
func (d *desk) fought(r report.Report, lasts time.Duration) (a Answer) {
	fights, rewrites, takings, unread := []fight{}, []map[string]any{}, []map[string]any{}, []string{}
	for _, f := range r.Fights.Rows {
		one := fight{Object: objectWords(f.Object), Path: cut(f.Path, 300), Times: f.Count, Seconds: f.Period.Round(100 * time.Millisecond).Seconds()}
		for _, m := range f.Managers[:min(len(f.Managers), 5)] {
			one.Managers = append(one.Managers, cut(m.Words(), 160))
		}
		fights = append(fights, one)
	}
	for _, w := range r.Rewrites.Rows {
		rewrites = append(rewrites, map[string]any{"object": objectWords(w.Object), "times": w.Count, "manager": cut(w.Writer.Words(), 160)})
	}
	for _, t := range r.Takings.Rows {
		takings = append(takings, map[string]any{"object": objectWords(t.Object), "by": cut(t.By.Words(), 160), "times": t.Count, "paths": t.Paths[:min(len(t.Paths), 5)]})
	}
	for _, t := range r.Types {
		if t.State == report.Refused {
			unread = append(unread, t.Name+": "+cut(d.Redact.Text(t.Why), 300))
		}
	}
	a.Says = "Watched " + count(r.Objects, "object", "objects") + " for " + count(int(lasts/time.Second), "second", "seconds") + ": " +
		count(r.Fights.All, "field goes", "fields go") + " back and forth, " + count(r.Rewrites.All, "object was", "objects were") + " written again without a change, and " +
		count(r.Takings.All, "manager took", "managers took") + " fields by force. Fights that are slower than that aren't seen."
	a.Data = map[string]any{"fights": fights, "rewrites": rewrites, "takings": takings, "unread": unread}
	return a
}

func objectWords(o report.Object) string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// looking is the arguments of history.
type looking struct {
	target
	Seconds int    `json:"seconds"`
	Cursor  string `json:"cursor"`
}

func (d *desk) history(ctx context.Context, in looking) (a Answer, err error) {
	p, err := d.find(ctx, in.target)
	if err != nil {
		return a, err
	}
	if d.Recorded != nil {
		if steps, ok := d.Recorded.Changes(ctx, in.Cluster, p.path); ok {
			return d.changed(p, steps, "Fieldmark has recorded ", in.Cursor)
		}
	}
	lasts := time.Duration(bounded(in.Seconds, usualSeconds, mostSeconds)) * time.Second
	history := timeline.New(100)
	see := func(raw []byte) {
		if o, err := object.Parse(raw); err == nil {
			history.Add(o, d.Now())
		}
	}
	collection := apipath.CollectionOf(p.path).String()
	selector := url.Values{"fieldSelector": {apipath.NameSelector(p.path.Name)}}.Encode()
	body, err := get(ctx, p.cluster, collection+"?"+selector, "application/json")
	if err != nil {
		return a, err
	}
	found := 0
	listed, ok := walk.List(body, func(raw []byte) { found++; see(raw) })
	if !ok || found == 0 {
		return a, sorry("There is no such object. Check the name and the namespace with the tool list.")
	}
	says := "Nobody has recorded the object, so this is what happened during " + count(int(lasts/time.Second), "second", "seconds") + ". A running Fieldmark records objects for hours. "
	no := watchFor(ctx, p.cluster, collection, p.path.Name, listed.Version, lasts, func(_ watch.Type, raw []byte) { see(raw) })
	switch {
	case no != nil && no.Code >= status.CodeBadRequest:
		return a, refusedBy(no)
	case no != nil:
		says += "The watch broke off before its time. "
	}
	return d.changed(p, history.Steps(), says+"There were ", in.Cursor)
}

// change is a change of a field, in an answer.
type change struct {
	Path   string   `json:"path"`
	What   string   `json:"what"`
	By     []string `json:"by,omitempty"`
	Before []string `json:"owners_before,omitempty"`
	After  []string `json:"owners_after,omitempty"`
}

// version is a version of an object, in an answer.
type version struct {
	Seen    time.Time `json:"seen"`
	Wrote   []string  `json:"wrote,omitempty"`
	Changes []change  `json:"changes"`
	More    int       `json:"more_changes,omitempty"`
}

// mostChanges is how many changes of a version an answer has.
const mostChanges = 20

// changed is the answer about the versions of an object. It has no values, because they may be credentials.
func (d *desk) changed(p place, steps []timeline.Step, says, cursor string) (a Answer, err error) {
	all := []version{}
	for _, s := range steps {
		if s.First {
			continue
		}
		one := version{Seen: s.Seen, Wrote: ownerWords(s.Wrote), Changes: []change{}, More: s.More + max(len(s.Changes)-mostChanges, 0)}
		for _, c := range s.Changes[:min(len(s.Changes), mostChanges)] {
			one.Changes = append(one.Changes, change{cut(c.Path, 300), string(c.What), ownerWords(c.By), ownerWords(c.Before), ownerWords(c.After)})
		}
		all = append(all, one)
	}
	a.Says = says + count(len(all), "change", "changes") + " of the object."
	some, err := page(all, cursor, 20, &a)
	a.Data = map[string]any{"object": p.reference(), "changes": some}
	return a, err
}
