package contention

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/follow/fake"
)

func TestTheWholeStateComesWithTheWatch(t *testing.T) {
	s := scripted(t, streams(
		event("ADDED", configmap("a", 1, "x")), event("ADDED", configmap("b", 2, "x")), bookmark(3, true),
		event("MODIFIED", configmap("a", 4, "x")), event("DELETED", configmap("b", 5, "x")),
	), nil, nil)
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps)))
	r := l.until("me", func(r report.Run) bool { return watching(r) && r.Report.Events == 2 })
	if r.Report.Objects != 1 || r.Report.Rewrites.All != 1 || r.Report.Types[0].State != report.Followed || r.Left <= 0 {
		t.Errorf("%+v", r)
	}
	if asked := s.Requests(); len(asked) != 1 {
		t.Errorf("asked %q", asked)
	}
	if n := len(l.tap.Entries("me", 0)); n != 1 {
		t.Errorf("%d requests are recorded", n)
	}
}

func TestListsTakeOver(t *testing.T) {
	chunks := map[string]string{
		"":  `{"metadata":{"resourceVersion":"7","continue":"t"},"items":[` + configmap("a", 1, "x") + `]}`,
		"t": `{"metadata":{"resourceVersion":"7"},"items":[` + configmap("b", 2, "x") + `]}`,
	}
	s := scripted(t, nil, func(w http.ResponseWriter, r *http.Request) { fake.Says(chunks[r.URL.Query().Get("continue")])(w, r) },
		streams(event("MODIFIED", configmap("b", 8, "x"))))
	l := newLab(t, s.Resolve)
	p := plan(configmaps)
	p.Namespace = "n"
	must(t, l.Start("me", "c", p))
	r := l.until("me", func(r report.Run) bool { return r.Report.Events == 1 })
	if r.Report.Objects != 2 || r.Report.Rewrites.All != 1 {
		t.Errorf("%+v", r.Report)
	}
	asked := s.Requests()
	if len(asked) != 3 || !strings.Contains(asked[2], "resourceVersion=7") || !strings.HasPrefix(asked[0], "/api/v1/namespaces/n/configmaps?") {
		t.Errorf("asked %q", asked)
	}
}

func TestASilentServerIsListed(t *testing.T) {
	s := scripted(t, streams(), fake.Says(`{"metadata":{"resourceVersion":"7"},"items":[]}`), streams())
	l := newLab(t, s.Resolve)
	l.following.Pace.Stream = 20 * time.Millisecond
	must(t, l.Start("me", "c", plan(configmaps)))
	l.until("me", watching)
}

// The list is shown while the watch isn't answered, and no write since then is lost when it is. So no other list is sent. A watch that is opened again
// begins after the last event, so no write counts twice.
func TestAWatchThatIsAnsweredLate(t *testing.T) {
	held := make(chan struct{})
	late := fake.After(held, fake.Cuts(event("MODIFIED", configmap("a", 8, "x"))+"\n", event("MODIFIED", configmap("a", 9, "x"))+"\n"))
	s := scripted(t, nil, fake.Turns(fake.Says(`{"metadata":{"resourceVersion":"7"},"items":[`+configmap("a", 1, "x")+`]}`), fake.Says(`{"metadata":{"resourceVersion":"9"},"items":[`+configmap("a", 9, "x")+`]}`)),
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("resourceVersion") == "7" {
				late(w, r)
				return
			}
			streams()(w, r)
		})
	l := newLab(t, s.Resolve)
	l.following.Pace.Answer = 5 * time.Millisecond
	must(t, l.Start("me", "c", plan(configmaps)))
	r := l.until("me", func(r report.Run) bool { return r.Report.Types[0].State == report.Troubled })
	if of := r.Report.Types[0]; r.Report.Objects != 1 || of.Reason != status.Unanswered || !strings.Contains(of.Why, "as of the last list") {
		t.Errorf("%+v", r.Report)
	}
	close(held)
	again := func() bool { v := s.Versions(); return len(v) > 1 && v[len(v)-1] == "9" }
	r = l.until("me", func(r report.Run) bool { return r.Report.Types[0].State == report.Followed && again() })
	if of := r.Report.Rewrites.Rows; len(of) != 1 || of[0].Count != 2 || r.Report.Events != 2 {
		t.Errorf("after the watches of %v, %d events: %+v", s.Versions(), r.Report.Events, of)
	}
}

func TestWhatExpiresIsReadAnewAndWhatIsLostIsForgotten(t *testing.T) {
	s := scripted(t, nil, fake.Turns(
		fake.Says(`{"metadata":{"resourceVersion":"7"},"items":[`+configmap("a", 1, "x")+`,`+configmap("b", 1, "x")+`]}`),
		fake.Says(`{"metadata":{"resourceVersion":"9"},"items":[`+configmap("a", 8, "x")+`]}`),
	), func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("resourceVersion") == "7" {
			fake.Says(event("ERROR", `{"kind":"Status","code":410,"reason":"Expired"}`)+"\n")(w, r)
			return
		}
		streams(event("MODIFIED", configmap("a", 10, "y")))(w, r)
	})
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps)))
	r := l.until("me", func(r report.Run) bool { return r.Report.Events == 1 })
	if r.Report.Objects != 1 || r.Report.Rewrites.All != 0 {
		t.Errorf("%+v", r.Report)
	}
}

func TestNothingThatMayBeReadEndsTheScan(t *testing.T) {
	s := scripted(t, fake.Refuses(http.StatusForbidden, "Forbidden"), fake.Refuses(http.StatusForbidden, "Forbidden"), nil)
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps)))
	r := l.until("me", func(r report.Run) bool { return r.Phase == report.Failed })
	if got := r.Report.Types[0]; got.State != report.Refused || got.Code != 403 || got.Reason != "Forbidden" || got.Why != "no" {
		t.Errorf("%+v", got)
	}
}

func TestAServerOutOfReachIsAskedAgain(t *testing.T) {
	mend := make(chan struct{})
	s := scripted(t, fake.Until(mend, fake.Refuses(http.StatusServiceUnavailable, "ServiceUnavailable"), streams(bookmark(1, true))), nil, nil)
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps)))
	l.until("me", func(r report.Run) bool { return r.Report.Types[0].State == report.Troubled })
	close(mend)
	l.until("me", func(r report.Run) bool { return r.Report.Types[0].State == report.Followed })
}

func TestAPanicEndsOneType(t *testing.T) {
	s := scripted(t, streams(bookmark(1, true)), nil, nil)
	l := newLab(t, s.Resolve)
	p := plan(configmaps)
	p.Served = func(string) bool { panic("no") }
	s.Whole = streams(event("ADDED", strings.Replace(configmap("a", 1, "x"), `"uid"`, `"managedFields":[{"apiVersion":"v1"}],"uid"`, 1)), bookmark(1, true))
	must(t, l.Start("me", "c", p))
	l.until("me", func(r report.Run) bool { return r.Phase == report.Failed })
}

func TestScansEndAndAreKeptApart(t *testing.T) {
	s := scripted(t, streams(event("ADDED", configmap("a", 1, "x")), bookmark(1, true)), nil, nil)
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps)))
	if err := l.Start("me", "c", plan(configmaps)); !errors.Is(err, errand.ErrRuns) {
		t.Errorf("a second one: %v", err)
	}
	must(t, l.Start("me", "d", plan(configmaps)))
	if err := l.Start("me", "e", plan(configmaps)); !errors.Is(err, errand.ErrBusy) {
		t.Errorf("a third one: %v", err)
	}
	if _, ok := l.Show("you", "c"); ok {
		t.Error("another session sees it")
	}
	must(t, l.Start("you", "c", plan(configmaps)))
	must(t, l.Start("they", "c", plan(configmaps)))
	if err := l.Start("we", "c", plan(configmaps)); !errors.Is(err, errand.ErrFull) {
		t.Errorf("a fifth one: %v", err)
	}
	l.until("me", func(r report.Run) bool { return r.Report.Objects == 1 })
	l.Stop("me", "c")
	if r, ok := l.Show("me", "c"); !ok || r.Phase != report.Stopped || r.Report.Objects != 1 {
		t.Errorf("%v %+v", ok, r)
	}
	must(t, l.Start("we", "c", plan(configmaps)))
	l.EndSession("we")
	if _, ok := l.Show("we", "c"); ok {
		t.Error("it outlives its session")
	}
	l.Close()
	if err := l.Start("me", "c", plan(configmaps)); !errors.Is(err, errand.ErrOver) {
		t.Errorf("after the end: %v", err)
	}
}

func TestExhaustion_SessionsOfOnePersonShareTheirScans(t *testing.T) {
	s := scripted(t, streams(bookmark(1, true)), nil, nil)
	l := newLab(t, s.Resolve)
	l.opt.Owner = func(session string) string { return session[:1] }
	must(t, l.Start("a1", "c", plan(configmaps)))
	must(t, l.Start("a2", "c", plan(configmaps)))
	if err := l.Start("a3", "c", plan(configmaps)); !errors.Is(err, errand.ErrPerson) {
		t.Errorf("a third session of a person: %v", err)
	}
	must(t, l.Start("b1", "c", plan(configmaps)))
	l.Stop("a1", "c")
	must(t, l.Start("a3", "c", plan(configmaps)))
}

func TestTheTimeOfAScanIsBounded(t *testing.T) {
	s := scripted(t, streams(bookmark(1, true)), nil, nil)
	l := newLab(t, s.Resolve)
	now := make(chan time.Time, 1)
	now <- time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	l.opt.Now = func() time.Time { n := <-now; now <- n; return n }
	p := plan(configmaps)
	p.Lasts = 24 * time.Hour
	must(t, l.Start("me", "c", p))
	if r := l.until("me", watching); r.Lasts != Longest {
		t.Errorf("it lasts %s", r.Lasts)
	}
	now <- (<-now).Add(Longest)
	r := l.until("me", func(r report.Run) bool { return r.Phase == report.Done })
	if r.Left != 0 || r.Watched != Longest {
		t.Errorf("%+v", r)
	}
	if err := l.Start("me", "c", plan()); !errors.Is(err, ErrNothing) {
		t.Errorf("of nothing: %v", err)
	}
}

// TestAListThatGetsNowhereIsWaitedFor is about an API server that is asked for chunk after chunk and gives nothing new: the scan says so,
// waits, and goes on where it was, so that what had come is not forgotten.
func TestAListThatGetsNowhereIsWaitedFor(t *testing.T) {
	chunkOf := func(next string, objects ...string) string {
		return fmt.Sprintf(`{"metadata":{"resourceVersion":"7","continue":%q},"items":[%s]}`, next, strings.Join(objects, ","))
	}
	a, b := configmap("a", 1, "x"), configmap("b", 2, "x")
	empty := []string{chunkOf("one", a)}
	for i := range watch.MaxEmpty + 1 {
		empty = append(empty, chunkOf(fmt.Sprintf("e%d", i)))
	}
	for name, c := range map[string]struct {
		before []string // chunks, up to the wait
		then   string   // the token that is asked for after it
	}{
		"a token again":            {[]string{chunkOf("one", a), chunkOf("two"), chunkOf("one")}, "two"},
		"the first chunk again":    {[]string{chunkOf("one", a), chunkOf("two", a)}, "one"},
		"chunks without an object": {empty, fmt.Sprintf("e%d", watch.MaxEmpty)},
	} {
		t.Run(name, func(t *testing.T) {
			mend := make(chan struct{})
			var lists []http.HandlerFunc
			for _, text := range c.before {
				lists = append(lists, fake.Says(text))
			}
			last := len(lists) - 1
			lists[last] = fake.Until(mend, lists[last], fake.Says(chunkOf("", b)))
			s := scripted(t, nil, fake.Turns(lists...), streams())
			l := newLab(t, s.Resolve)
			must(t, l.Start("me", "c", plan(configmaps)))
			r := l.until("me", func(r report.Run) bool { return r.Report.Types[0].Reason == status.EndlessList })
			if r.Report.Types[0].State != report.Troubled || r.Report.Types[0].Why == "" {
				t.Errorf("%+v", r.Report.Types[0])
			}
			close(mend)
			l.until("me", func(r report.Run) bool { return watching(r) && r.Report.Objects == 2 })
			asked := s.Requests()
			listed := slices.DeleteFunc(asked, func(uri string) bool { return strings.Contains(uri, "watch=") })
			if len(listed) <= len(c.before) || !strings.Contains(listed[len(c.before)], "continue="+c.then) {
				t.Errorf("listed %d times: %q", len(listed), listed)
			}
		})
	}
}

func TestAScanEndsWithItsLogin(t *testing.T) {
	s := scripted(t, streams(event("ADDED", configmap("a", 1, "x")), bookmark(1, true)), nil, nil)
	l := newLab(t, s.Resolve)
	over, stays := make(chan struct{}), make(chan struct{})
	l.opt.Login = func(_, slug string) <-chan struct{} { return map[string]chan struct{}{"c": over, "d": stays}[slug] }
	must(t, l.Start("me", "c", plan(configmaps)))
	must(t, l.Start("me", "d", plan(configmaps)))
	l.until("me", func(r report.Run) bool { return r.Report.Objects == 1 })
	ends, _ := l.set.Find("me", "c")
	close(over)
	if r, ok := l.Show("me", "c"); ok {
		t.Errorf("another login is told what was found with the first: %+v", r)
	}
	for deadline := time.Now().Add(patience); ends.show().Phase != report.Stopped; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it goes on")
		}
	}
	if r, ok := l.Show("me", "d"); !ok || r.Phase == report.Stopped {
		t.Errorf("the scan of another cluster: %v %+v", ok, r)
	}
}
