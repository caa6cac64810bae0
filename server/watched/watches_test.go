package watched

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func pathOf(t testing.TB, text string) apipath.Path {
	t.Helper()
	p, err := apipath.Parse(text)
	must(t, err)
	return p
}

const settings = "/api/v1/namespaces/n/configmaps/a"

type lab struct {
	*Watches
	t   testing.TB
	tap *wiretap.Log
}

func newLab(t testing.TB, resolve func(context.Context, string) (*upstream.Target, error), changes ...func(*Options)) *lab {
	t.Helper()
	l := &lab{t: t, tap: wiretap.New(wiretap.Options{})}
	o := Options{Resolve: resolve, Tap: l.tap, Random: func() float64 { return 0 }}
	for _, change := range changes {
		change(&o)
	}
	l.Watches = New(o)
	l.following.Pace.Stream = patience
	t.Cleanup(l.Close)
	return l
}

// until waits until the session’s only watched object is as wanted.
func (l *lab) until(session string, so func(report.Watched) bool) report.Watched {
	l.t.Helper()
	var all []report.Watched
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if all = l.List(session, "c"); len(all) == 1 && so(all[0]) {
			return all[0]
		}
	}
	l.t.Fatalf("it did not come about: %+v", all)
	return report.Watched{}
}

// recorded is a recording in a few words.
func (l *lab) recorded(session, path string) string {
	l.t.Helper()
	var told []string
	if !l.Recording(session, "c", path, func(r *timeline.Recording) {
		for _, v := range r.Versions() {
			text := v.Step.ResourceVersion
			if v.Missed != "" {
				text = "┊ " + text
			}
			if v.Deleted {
				text += " deleted"
			}
			told = append(told, text)
		}
	}) {
		return "not watched"
	}
	return strings.Join(told, ", ")
}

func scripted(t testing.TB, whole, list, watch http.HandlerFunc) *fake.Server {
	t.Helper()
	s := fake.New(t, list, watch)
	s.Whole = whole
	return s
}

func streams(events ...string) http.HandlerFunc {
	return fake.Stays(strings.Join(events, "\n") + "\n")
}

func event(kind, object string) string { return fmt.Sprintf(`{"type":%q,"object":%s}`, kind, object) }

func bookmark(version int) string {
	return event("BOOKMARK", fmt.Sprintf(`{"metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}`, version))
}

// configmap is the object in a version, whose field was written by somebody.
func configmap(version int, value, by string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"%d",`+
		`"managedFields":[{"manager":%q,"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]},"data":{"a":%q}}`, version, by, value)
}

func TestAnObjectIsRecorded(t *testing.T) {
	s := scripted(t, streams(
		event("ADDED", configmap(1, "x", "ada")), bookmark(1),
		event("MODIFIED", configmap(2, "y", "ben")), event("MODIFIED", configmap(3, "x", "ada")), event("MODIFIED", configmap(4, "y", "ben")),
	), nil, nil)
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", pathOf(t, settings), "ConfigMap"))
	must(t, l.Start("me", "c", pathOf(t, settings), "ConfigMap")) // again
	w := l.until("me", func(w report.Watched) bool { return w.Changes == 3 })
	if w.State != report.Followed || w.News != 3 || w.Kept != 4 || w.NewFights != 1 || w.Object.Kind != "ConfigMap" || w.Ends.Sub(w.Began) != Lasts {
		t.Errorf("%+v", w)
	}
	if len(w.Fights) != 1 || w.Fights[0].Path != ".data.a" || w.Fights[0].Count != 2 || len(w.Fights[0].Managers) != 2 || w.Fights[0].From != report.FromWatch {
		t.Errorf("%+v", w.Fights)
	}
	if len(w.Last.Writers) != 1 || w.Last.Writers[0].Name != "ben" || strings.Join(w.Last.Paths, " ") != ".data.a" || w.Last.More != 0 {
		t.Errorf("%+v", w.Last)
	}
	l.Looked("me", "c", settings)
	if w = l.until("me", func(report.Watched) bool { return true }); w.News != 0 || w.NewFights != 0 || w.Changes != 3 {
		t.Errorf("after a look: %+v", w)
	}
	if asked := s.Requests(); len(asked) != 1 || !strings.Contains(asked[0], "fieldSelector=metadata.name%3Da&") || !strings.HasPrefix(asked[0], "/api/v1/namespaces/n/configmaps?") {
		t.Errorf("asked %q", asked)
	}
	if n := len(l.tap.Entries("me", 0)); n != 1 {
		t.Errorf("%d requests are recorded", n)
	}
	if got := l.recorded("me", settings); got != "1, 2, 3, 4" {
		t.Error(got)
	}
	if got := l.recorded("you", settings); got != "not watched" || len(l.List("you", "c")) != 0 {
		t.Errorf("another session sees %s", got)
	}
}

func TestABreakIsSaid(t *testing.T) {
	list := func(version int, items string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"%d"},"items":[%s]}`, version, items)
	}
	bare := func(version int) string {
		return fmt.Sprintf(`{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"%d"},"data":{"a":"%d"}}`, version, version)
	}
	s := scripted(t, nil, fake.Turns(fake.Says(list(7, bare(6))), fake.Says(list(12, bare(11))), fake.Says(list(20, ""))), func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("resourceVersion") {
		case "7":
			fake.Says(event("MODIFIED", configmap(8, "8", "ada"))+"\n"+event("ERROR", `{"kind":"Status","code":410,"reason":"Expired"}`)+"\n")(w, r)
		case "12":
			fake.Says(event("ERROR", `{"kind":"Status","code":410,"reason":"Expired"}`)+"\n")(w, r)
		default:
			streams(event("ADDED", configmap(21, "21", "ada")))(w, r)
		}
	})
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", pathOf(t, settings), "ConfigMap"))
	l.until("me", func(w report.Watched) bool { return w.Kept == 5 })
	if got := l.recorded("me", settings); got != "6, 8, ┊ 11, ┊ 11 deleted, 21" {
		t.Error(got)
	}
}

func TestSecretsAreMaskedBeforeTheyAreKept(t *testing.T) {
	secret := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"1"},"data":{"password":"Y2FuYXJ5"}}`
	s := scripted(t, streams(event("ADDED", secret), bookmark(1), event("MODIFIED", strings.NewReplacer(`"1"`, `"2"`, "Y2FuYXJ5", "Y2FuYXJ6").Replace(secret))), nil, nil)
	l := newLab(t, s.Resolve)
	const path = "/api/v1/namespaces/n/secrets/a"
	must(t, l.Start("me", "c", pathOf(t, path), "Secret"))
	l.until("me", func(w report.Watched) bool { return w.Kept == 2 })
	l.Recording("me", "c", path, func(r *timeline.Recording) {
		if text := string(r.Write(timeline.Origin{})); strings.Contains(text, "Y2FuYXJ") {
			t.Errorf("a value is kept: %s", text)
		}
	})
}

func TestNoCanaryEscapes(t *testing.T) {
	l := newLab(t, nil)
	for _, d := range canary.Documents() {
		text, _, _ := strings.Cut(d.Path, "?")
		if strings.Contains(text, "token") {
			continue // tokens can only be created
		}
		path := pathOf(t, text)
		path.Name = "s"
		o := newOne(l.Watches, key{"me", "c", text}, path, "Secret")
		if c, err := o.Chunk([]byte(d.JSON)); err == nil {
			must(t, c.Keep())
		} else if _, err := o.Event(watch.Added, []byte(d.JSON)); err != nil {
			continue // nothing of it is kept
		}
		if kept := string(o.rec.Write(timeline.Origin{})); o.rec.Last() == 0 || canary.Escapes(kept) {
			t.Errorf("%s: %s", d.Name, kept)
		}
	}
}

func TestARefusalIsShown(t *testing.T) {
	s := scripted(t, fake.Refuses(http.StatusForbidden, "Forbidden"), fake.Refuses(http.StatusForbidden, "Forbidden"), nil)
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", pathOf(t, settings), "ConfigMap"))
	if w := l.until("me", func(w report.Watched) bool { return w.State == report.Refused }); w.Why != "no" || w.Kept != 0 {
		t.Errorf("%+v", w)
	}
}

func TestExhaustion_SessionsOfOnePersonShareTheirWatches(t *testing.T) {
	s := scripted(t, streams(bookmark(1)), nil, nil)
	l := newLab(t, s.Resolve)
	l.opt.Owner = func(session string) string { return session[:1] }
	object := func(i int) apipath.Path { return pathOf(t, fmt.Sprintf("%s%d", settings, i)) }
	for i := range MaxSession {
		must(t, l.Start(fmt.Sprintf("a%d", i%2), "c", object(i), "ConfigMap"))
	}
	if err := l.Start("a2", "c", object(0), "ConfigMap"); !errors.Is(err, ErrPerson) {
		t.Errorf("one more, in another session of a person: %v", err)
	}
	must(t, l.Start("b1", "c", object(0), "ConfigMap"))
	l.EndSession("a1")
	must(t, l.Start("a2", "c", object(0), "ConfigMap"))
}

func TestWatchesAreBounded(t *testing.T) {
	s := scripted(t, streams(bookmark(1)), nil, nil)
	l := newLab(t, s.Resolve)
	object := func(i int) apipath.Path { return pathOf(t, fmt.Sprintf("%s%d", settings, i)) }
	for i := range MaxSession {
		must(t, l.Start("me", "c", object(i), "ConfigMap"))
	}
	if err := l.Start("me", "d", object(0), "ConfigMap"); !errors.Is(err, ErrSession) {
		t.Errorf("one more of a session: %v", err)
	}
	for i := range MaxServer - MaxSession {
		must(t, l.Start(fmt.Sprintf("s%d", i/MaxSession), "c", object(i), "ConfigMap"))
	}
	if err := l.Start("new", "c", object(0), "ConfigMap"); !errors.Is(err, ErrServer) {
		t.Errorf("one more of the server: %v", err)
	}
	l.Stop("me", "c", object(3).String())
	must(t, l.Start("new", "c", object(0), "ConfigMap"))
	l.EndSession("me")
	if n := len(l.List("me", "c")); n != 0 {
		t.Errorf("%d outlive their session", n)
	}
	for _, path := range []string{"/api/v1/namespaces/n/configmaps", settings + "/status", "/version"} {
		if err := l.Start("me", "c", pathOf(t, path), ""); !errors.Is(err, ErrNoPath) {
			t.Errorf("%s: %v", path, err)
		}
	}
	l.Close()
	if err := l.Start("me", "c", object(0), "ConfigMap"); !errors.Is(err, ErrOver) {
		t.Errorf("after the end: %v", err)
	}
}

func TestARecordingEndsWithItsLogin(t *testing.T) {
	s := scripted(t, streams(event("ADDED", configmap(1, "x", "ada")), bookmark(1)), nil, nil)
	over := make(chan struct{})
	l := newLab(t, s.Resolve, func(o *Options) { o.Login = func(string, string) <-chan struct{} { return over } })
	must(t, l.Start("me", "c", pathOf(t, settings), "ConfigMap"))
	l.until("me", func(w report.Watched) bool { return w.Kept == 1 })
	close(over)
	if got := l.recorded("me", settings); got != "not watched" || len(l.List("me", "c")) != 0 {
		t.Errorf("another login is told %s", got)
	}
}
