package object

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
)

// recorded words what the timeline of a story has, the oldest first.
func (s *story) recorded() string {
	var b strings.Builder
	for _, c := range s.m.live.timeline.Words() {
		b.WriteString(c + "\n")
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "; ")
}

func TestEveryVersionIsRecordedInWhicheverView(t *testing.T) {
	s := synced(t, deployment)
	s.happens(watch.Modified, versioned("43", `"replicas":3`, `"replicas":9`))
	s.tell(page.Addressed{Query: query(t, "tab=json")})
	s.happens(watch.Modified, versioned("44"))
	s.tell(page.Pointed{Over: true})
	s.happens(watch.Modified, versioned("45"))
	s.tell(page.Addressed{Query: query(t, "tab=timeline")})
	s.pass(time.Second)
	if got, want := s.recorded(), "1:42; 2:43; 3:44; 4:45"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.shows(`data-version="4"`, "written again, nothing changed", "until you leave the page")
}

func TestWhereVersionsMayBeMissing(t *testing.T) {
	received := func(m wire.Message) page.Msg {
		m.ID = subscription
		return page.Received{Message: m}
	}
	for _, c := range []struct {
		name    string
		happens func(*story)
		want    string
	}{
		{"the state is the one the page was made of", func(s *story) { s.state(1, deployment) }, "1:42"},
		{"the object changed meanwhile", func(s *story) { s.state(1, versioned("45")) }, "1:42; 2:45 after " + missedFirst},
		{"expired", func(s *story) {
			s.state(1, deployment)
			s.tell(received(wire.Message{Type: wire.Gap, Reason: watch.Expired, Gen: 2}))
			s.state(2, versioned("50"))
			s.happens(watch.Modified, versioned("51"))
		}, "1:42; 2:50 after " + missed(watch.Expired) + "; 3:51"},
		{"expired, and nothing had happened", func(s *story) {
			s.state(1, deployment)
			s.tell(received(wire.Message{Type: wire.Gap, Reason: watch.Slow, Gen: 2}))
			s.state(2, deployment)
		}, "1:42"},
		{"a cut that nothing was lost in", func(s *story) {
			s.state(1, deployment)
			s.tell(page.Connection{State: page.Broken}, page.Connection{State: page.Open})
			s.tell(received(wire.Message{Type: wire.Synced, Gen: 1}))
			s.happens(watch.Modified, versioned("43"))
		}, "1:42; 2:43"},
		{"gone while the page was on its way", func(s *story) { s.state(1) }, "1:42; 2:42 after " + missedFirst + " deleted"},
		{"deleted", func(s *story) {
			s.state(1, deployment)
			s.happens(watch.Deleted, versioned("43"))
		}, "1:42; 2:43 deleted"},
		{"found to be gone", func(s *story) {
			s.state(1, deployment)
			s.tell(received(wire.Message{Type: wire.Gap, Reason: watch.Expired, Gen: 2}))
			s.state(2)
		}, "1:42; 2:42 after " + missed(watch.Expired) + " deleted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := aliveAt(t, deployment)
			c.happens(s)
			if got := s.recorded(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestThatItIsNotFollowedIsSaid(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Tab = Timeline
	s := alive(t, m)
	s.state(1, deployment)
	s.happens(watch.Modified, versioned("43"))
	s.pass(time.Second)
	s.hides("Versions may be missing here")
	s.tell(page.Connection{State: page.Broken})
	s.shows("Versions may be missing here", "Connection lost")
}

// asked is the same page, asked for anew while the story goes on.
func (s *story) asked(m Model) (resumes bool) {
	s.t.Helper()
	m.Type.Verbs = []string{"get", "list", "watch"}
	woken, _ := m.Awake(s.now)
	heir, resumes := woken.(page.Heir).Inherit(s.m)
	s.m = heir.(Model)
	s.tell(page.Connection{State: page.Open})
	return resumes
}

func TestThePageAskedForAnewGoesOn(t *testing.T) {
	begin := func(t *testing.T) *story {
		s := synced(t, deployment)
		s.happens(watch.Modified, versioned("43"))
		return s
	}
	other := func(t *testing.T, version string) Model { return pageOf(t, path, versioned(version)) }
	t.Run("with what it had followed", func(t *testing.T) {
		s := begin(t)
		if !s.asked(other(t, "42")) {
			t.Error("it begins anew")
		}
		s.tell(page.Received{Message: wire.Message{Type: wire.Synced, ID: subscription, Gen: 1}})
		s.happens(watch.Modified, versioned("44"))
		if got, want := s.recorded(), "1:42; 2:43; 3:44"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if s.m.gone() || s.m.Object.Meta("resourceVersion") != "44" {
			t.Errorf("shows %s", s.m.Object.Meta("resourceVersion"))
		}
	})
	t.Run("another object begins anew", func(t *testing.T) {
		s := begin(t)
		if s.asked(pageOf(t, strings.Replace(path, "/web", "/other", 1), deployment)) || s.recorded() != "1:42" {
			t.Error(s.recorded())
		}
	})
	t.Run("before anything was followed", func(t *testing.T) {
		s := aliveAt(t, deployment)
		if s.asked(other(t, "45")) {
			t.Error("it goes on with nothing")
		}
		s.state(1, versioned("45"))
		if got, want := s.recorded(), "1:42; 2:45 after "+missedAnew; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
	t.Run("with a value revealed of another version", func(t *testing.T) {
		s := begin(t)
		m := other(t, "44")
		m.Secrets.Reveal = &secrets.Revealed{Key: "k"}
		if s.asked(m) || s.m.Secrets.Reveal == nil {
			t.Error("what is revealed may be another value by now")
		}
	})
}

func TestTheTimelinesButtonsAreItsOwn(t *testing.T) {
	s := synced(t, deployment)
	s.tell(page.Acted{Action: "timeline/pause"}, page.Loaded{Field: "timeline-file"}, page.Typed{Field: "timeline-at", Text: "1"})
	s.does("")
	s.tell(page.Addressed{Query: query(t, "tab=timeline")}, page.Acted{Action: "timeline/pause"})
	s.shows("Paused")
	s.tell(page.Acted{Action: "timeline/export"})
	d, ok := s.did[0].(page.Download)
	if !ok || !strings.HasPrefix(d.Name, "timeline-web-") || !strings.Contains(string(d.Body), `"path": "`+path+`"`) {
		t.Errorf("%+v", s.did)
	}
	s.tell(page.Loaded{Field: "timeline-file", Name: "t.json", Size: int64(len(d.Body)), Body: d.Body})
	s.shows("Replaying t.json", path)
}

func TestSecretsStayMaskedInWhatIsExported(t *testing.T) {
	m := pageOf(t, path, credentials)
	m.Tab = Timeline
	s := alive(t, m)
	s.state(1, strings.ReplaceAll(credentials, `"resourceVersion":"42"`, `"resourceVersion":"99"`))
	s.tell(page.Acted{Action: "timeline/export"})
	text := string(s.did[0].(page.Download).Body)
	if strings.Contains(text, "aHVudGVyMg") || !strings.Contains(text, "hidden)") {
		t.Errorf("%s", text)
	}
}

func TestWithoutTheProgramTheTimelineTellsWhatOneVersionTells(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Tab = Timeline
	html := markup(t, page.Main(m))
	for _, words := range []string{"needs JavaScript and WebAssembly", "What this version shows"} {
		if !strings.Contains(html, words) {
			t.Errorf("not told: %s", words)
		}
	}
}
