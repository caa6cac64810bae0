package object

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/object"
	history "github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/timeline"
)

// listed is the list of watched objects, with this page's.
func listed(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal([]report.Watched{{Object: report.Object{Path: path}, Began: now, Ends: now.Add(12 * time.Hour), Kept: 1, News: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// byServer is a recording that the server kept.
func byServer(t *testing.T, documents ...string) *history.Recording {
	t.Helper()
	rec := history.NewRecording(history.Limits{Versions: 100, Bytes: 1 << 20})
	for i, d := range documents {
		o, err := object.Parse([]byte(d))
		if err != nil {
			t.Fatal(err)
		}
		rec.Add(o, now.Add(time.Duration(i-10)*time.Minute))
	}
	return rec
}

func TestTheServerIsAskedToWatch(t *testing.T) {
	s := aliveAt(t, deployment)
	s.shows(`data-do="watch"`, "Watch this object")
	s.tell(page.Acted{Action: "watch"})
	if ask, ok := s.did[0].(page.Ask); !ok || ask.Address != "/c/practice/-/watched" || ask.Form != "act=watch&path="+strings.ReplaceAll(path, "/", "%2F") {
		t.Errorf("%+v", s.did)
	}
	s.tell(page.Acted{Action: "watch"})
	if len(s.did) != 0 {
		t.Errorf("asked twice: %+v", s.did)
	}
	s.tell(page.Response{ID: "watch", Status: 409, Body: []byte("this session already watches 8 objects")})
	s.shows("This session already watches 8 objects.", `data-do="watch"`)
	s.tell(page.Acted{Action: "watch"}, page.Response{ID: "watch", Status: 200, Body: listed(t)})
	s.shows("Watched by the server for 0s, and for another 12h", `data-do="unwatch"`)
	s.hides("already watches")
	if s.m.Shell.Watching.Objects != 1 || s.m.Shell.Watching.News != 2 {
		t.Errorf("%+v", s.m.Shell.Watching)
	}
	s.tell(page.Acted{Action: "unwatch"}, page.Response{ID: "watch", Status: 200, Body: []byte("[]")})
	s.shows(`data-do="watch"`)
}

func TestTheTimelineBeginsWithTheServersRecording(t *testing.T) {
	m := pageOf(t, path, versioned("43"))
	m.Tab, m.Watched = Timeline, &report.Watched{Object: report.Object{Path: path}, Began: now, Ends: now.Add(time.Hour), Kept: 3}
	s := alive(t, m)
	s.shows("The server’s recording is loading: 3 versions.")
	asked := false
	for _, c := range s.did {
		ask, is := c.(page.Ask)
		asked = asked || is && strings.HasPrefix(ask.Address, "/c/practice/-/watched?path=") && ask.Accept == "application/vnd.fieldmark.timeline+json"
	}
	if !asked {
		t.Errorf("it asked for %+v", s.did)
	}
	s.state(1, versioned("43"))
	s.tell(page.Response{ID: "recalling", Status: 200, Body: byServer(t, versioned("41"), versioned("42"), versioned("43"), versioned("44")).Write(history.Origin{})})
	s.hides("is loading")
	s.happens(watch.Modified, versioned("44"))
	s.happens(watch.Modified, versioned("45"))
	if got := s.recorded(); got != "1:41; 2:42; 3:43; 4:44; 5:45" {
		t.Error(got)
	}
}

func TestAPageThatBeganEarlierKeepsItsRecording(t *testing.T) {
	s := aliveAt(t, versioned("41"))
	s.state(1, versioned("41"))
	s.happens(watch.Modified, versioned("42"))
	s.tell(page.Acted{Action: "watch"}, page.Response{ID: "watch", Status: 200, Body: listed(t)}, page.Addressed{Query: query(t, "tab=timeline")})
	s.tell(page.Response{ID: "recalling", Status: 200, Body: byServer(t, versioned("42")).Write(history.Origin{})})
	if got := s.recorded(); got != "1:41; 2:42" {
		t.Error(got)
	}
	s.tell(page.Response{ID: "recalling", Status: 500})
	s.shows("couldn’t be loaded")
}

func TestWithoutScriptsTheTimelineIsTheServers(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Type.Verbs = []string{"get", "list", "watch"}
	m.Tab, m.Watched = Timeline, &report.Watched{Object: report.Object{Path: path}, Began: now, Ends: now.Add(time.Hour)}
	m.Kept = timeline.KeptOf(byServer(t, owned("1", "gitops", 3), owned("2", "autoscaler", 5), owned("3", "gitops", 3), owned("4", "autoscaler", 5)))
	html := (&story{t: t, m: m}).html()
	for _, want := range []string{
		"Recorded by the server", "4 versions", `data-contended=".spec.replicas"`, `class="step-head" data-version="4"`, `data-path=".spec.replicas"`,
		"Stop this fight", `method="post"`, `value="stop"`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if regexp.MustCompile(`<button[^>]* data-do=`).MatchString(html) {
		t.Error("it has buttons that need scripts")
	}
}
