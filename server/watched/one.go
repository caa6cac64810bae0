package watched

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/fights"
)

// Why versions may be missing in a recording. Users see these texts.
const (
	missedExpired = "The API server had deleted the versions in between. Fieldmark fetched the state again."
	missedCut     = "The connection to the watch was lost. Fieldmark fetched the state again."
	missedGone    = "The object no longer exists."
)

// one is a watched object. It is the sink of a Reflector, which runs in one goroutine.
type one struct {
	watches *Watches
	key     key
	owner   string
	path    apipath.Path
	of      report.Object
	source  follow.Source
	began   time.Time
	end     context.CancelFunc
	found   bool // the state that arrives has the object

	mu    sync.Mutex
	rec   *timeline.Recording
	state report.State
	why   string
	seen  int       // the newest version that the reader has seen
	since time.Time // when the reader looked last
	over  bool      // it is no longer followed
}

func newOne(w *Watches, k key, path apipath.Path, kind string) *one {
	now := w.opt.Now()
	return &one{
		watches: w, key: k, path: path, began: now, since: now, state: report.Reading,
		of:  report.Object{Path: k.path, Kind: kind, Namespace: path.Namespace, Name: path.Name},
		rec: timeline.NewRecording(timeline.Limits{Versions: MaxVersions, Bytes: MaxBytes}),
		source: follow.Source{
			Session: k.session, Cluster: k.cluster, Accept: accept.JSON, Limit: 1, Over: w.opt.Login(k.session, k.cluster),
			Question: follow.Question{Collection: apipath.CollectionOf(path), Selectors: url.Values{"fieldSelector": {apipath.NameSelector(path.Name)}}},
		},
	}
}

// followObject follows the object until its time is over, the API server refuses, or ctx ends.
func (o *one) followObject(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			o.watches.opt.Log.Error("watching an object panicked", "panic", p, "stack", string(debug.Stack()))
			o.become(report.Refused, "A bug in Fieldmark ended the watching of this object. Fieldmark’s log has the details.")
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		o.over = true
	}()
	ctx, cancel := context.WithTimeout(ctx, Lasts)
	defer cancel()
	o.watches.following.Reflector(o.source, o, follow.Had{}).Run(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		o.become(report.Ended, "")
	}
}

func (o *one) runs() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.over
}

func (o *one) become(s report.State, why string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state, o.why = s, why
}

func (o *one) looked() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen, o.since = o.rec.Last(), o.watches.opt.Now()
}

// mostPaths is how many paths of the last change are shown.
const mostPaths = 3

// show is what pages show of it.
func (o *one) show() report.Watched {
	o.mu.Lock()
	defer o.mu.Unlock()
	versions := o.rec.Versions()
	w := report.Watched{
		Object: o.of, Began: o.began, Ends: o.began.Add(Lasts), State: o.state, Why: o.why,
		Kept: len(versions), Bytes: o.rec.Bytes(), Changes: max(o.rec.Last()-1, 0), News: max(o.rec.Last()-max(o.seen, 1), 0),
	}
	if len(versions) > 0 {
		newest := versions[len(versions)-1]
		w.Object.Gone = newest.Deleted
		if w.Changes > 0 {
			w.Last = latest(newest)
		}
	}
	w.Fights = fights.Seen(o.rec.Flips(), w.Object, report.FromWatch)
	for _, f := range w.Fights {
		if f.Last.After(o.since) {
			w.NewFights++
		}
	}
	return w
}

func latest(v timeline.Version) report.Latest {
	l := report.Latest{At: v.Step.Seen}
	for _, who := range v.Writers() {
		l.Writers = append(l.Writers, who.Manager)
	}
	for _, c := range v.Step.Changes[:min(len(v.Step.Changes), mostPaths)] {
		l.Paths = append(l.Paths, c.Path)
	}
	l.More = len(v.Step.Changes) + v.Step.More - len(l.Paths)
	return l
}

// addVersion adds a version; it returns the version's resource version.
func (o *one) addVersion(text []byte, apiVersion, kind string) (version string, err error) {
	read, err := o.readMasked(text, apiVersion, kind)
	if err != nil {
		return "", err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.found = true
	o.rec.Add(read, o.watches.opt.Now())
	return read.Meta("resourceVersion"), nil
}

// readMasked reads an object, and masks its secrets before anything of it is kept (threat: secret values). Items of a list have the kind of the list.
func (o *one) readMasked(text []byte, apiVersion, kind string) (object.Object, error) {
	read, err := object.Parse(bytes.Clone(text))
	if err != nil {
		return object.Object{}, err
	}
	if read.Kind() == "" {
		read.Fields["apiVersion"], read.Fields["kind"] = apiVersion, kind
	}
	if o.path.OfSecrets() {
		read.Fields["apiVersion"], read.Fields["kind"] = "v1", "Secret"
	}
	return read.Masked(), nil
}

// Begin implements follow.Sink.
func (o *one) Begin(_ context.Context, s follow.Start) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.found = false
	switch s.Gap {
	case watch.Expired:
		o.rec.Break(missedExpired)
	default:
		o.rec.Break(missedCut)
	}
	return true
}

// Chunk implements follow.Sink.
func (o *one) Chunk(body []byte) (follow.Chunk, error) {
	var list struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			ResourceVersion string `json:"resourceVersion"`
			Continue        string `json:"continue"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return follow.Chunk{}, fmt.Errorf("the list can't be read: %w", err)
	}
	kind, isList := strings.CutSuffix(list.Kind, "List")
	if !isList {
		return follow.Chunk{}, errors.New("it is not a list")
	}
	c := follow.Chunk{Version: list.Metadata.ResourceVersion, Chunk: watch.Chunk{Items: len(list.Items), Next: list.Metadata.Continue}}
	if len(list.Items) > 0 {
		c.First = string(list.Items[0])
	}
	c.Keep = func() error {
		for _, item := range list.Items {
			if _, err := o.addVersion(item, list.APIVersion, kind); err != nil {
				return err
			}
		}
		return nil
	}
	return c, nil
}

// Whole implements follow.Sink. If the state doesn't have the object, the object was deleted.
func (o *one) Whole(string, []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state, o.why = report.Followed, ""
	all := o.rec.Versions()
	if n := len(all); !o.found && n > 0 && !all[n-1].Deleted {
		o.rec.Break(missedGone)
		o.rec.Delete(all[n-1].Object(), o.watches.opt.Now())
	}
	return nil
}

// Opened implements follow.Sink.
func (o *one) Opened() { o.become(report.Followed, "") }

// Event implements follow.Sink.
func (o *one) Event(kind watch.Type, text []byte) (version string, err error) {
	if kind != watch.Deleted {
		return o.addVersion(text, "", "")
	}
	last, err := o.readMasked(text, "", "")
	if err != nil {
		return "", err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rec.Delete(last, o.watches.opt.Now())
	return last.Meta("resourceVersion"), nil
}

// Passed implements follow.Sink.
func (o *one) Passed(string) {}

// Silent implements follow.Sink.
func (o *one) Silent(t follow.Trouble) { o.trouble(t) }

// Wait implements follow.Sink.
func (o *one) Wait(t follow.Trouble) {
	if t.Why.Code != 0 {
		o.trouble(t)
	}
}

func (o *one) trouble(t follow.Trouble) {
	o.become(report.Troubled, cmp.Or(t.Why.Message, t.Why.Reason, "The API server doesn’t respond."))
}

// Stop implements follow.Sink.
func (o *one) Stop(why status.Status) {
	o.become(report.Refused, cmp.Or(why.Message, why.Reason, "The API server refused the watch."))
}
