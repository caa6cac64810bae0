package object

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
)

// story tells a page what happens to it.
type story struct {
	t   *testing.T
	m   Model
	now time.Time
	did []page.Cmd // by the last message
}

// alive begins a story in which the page of a document has woken up.
func alive(t *testing.T, m Model) *story {
	t.Helper()
	m.Type.Verbs = []string{"get", "list", "watch"}
	s := &story{t: t, now: now}
	woken, did := m.Awake(now)
	s.m, s.did = woken.(Model), did
	s.tell(page.Connection{State: page.Open})
	s.did = did
	return s
}

func aliveAt(t *testing.T, document string) *story {
	t.Helper()
	return alive(t, pageOf(t, path, document))
}

func (s *story) tell(messages ...page.Msg) {
	s.t.Helper()
	s.did = nil
	for _, message := range messages {
		next, did := s.m.Update(message)
		s.m = next.(Model)
		s.did = append(s.did, did...)
	}
}

func (s *story) pass(d time.Duration) {
	s.t.Helper()
	s.now = s.now.Add(d)
	s.tell(page.Tick{Now: s.now})
}

// state arrives: the object, or that there is none.
func (s *story) state(gen uint32, documents ...string) {
	s.t.Helper()
	rows := wire.Message{Type: wire.Rows, ID: subscription, Gen: gen}
	for _, d := range documents {
		rows.Objects = append(rows.Objects, json.RawMessage(d))
	}
	s.tell(page.Received{Message: rows}, page.Received{Message: wire.Message{Type: wire.Synced, ID: subscription, Gen: gen, ResourceVersion: "50"}})
}

func (s *story) happens(what watch.Type, document string) {
	s.t.Helper()
	s.tell(page.Received{Message: wire.Message{
		Type: wire.Events, ID: subscription, Gen: 1, Events: []wire.Event{{Type: what, Object: json.RawMessage(document)}},
	}})
}

// synced begins a story in which the page knows that it is current.
func synced(t *testing.T, document string) *story {
	t.Helper()
	s := aliveAt(t, document)
	s.state(1, document)
	return s
}

// said are the commands of the last message, in words.
func (s *story) said() string {
	var words []string
	for _, c := range s.did {
		words = append(words, fmt.Sprintf("%T%+v", c, c))
	}
	return strings.ReplaceAll(strings.Join(words, " "), "page.", "")
}

func (s *story) does(want string) {
	s.t.Helper()
	if got := s.said(); got != want {
		s.t.Errorf("does\n%s\nwant\n%s", got, want)
	}
}

func (s *story) html() string {
	s.t.Helper()
	return markup(s.t, page.Main(s.m))
}

func markup(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (s *story) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if shown := s.html(); !strings.Contains(shown, w) {
			s.t.Errorf("does not show %q:\n%s", w, shown)
		}
	}
}

func (s *story) hides(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if shown := s.html(); strings.Contains(shown, w) {
			s.t.Errorf("shows %q:\n%s", w, shown)
		}
	}
}

func (s *story) live(want string) {
	s.t.Helper()
	if got := s.m.liveness().Words; got != want {
		s.t.Errorf("is %q, want %q", got, want)
	}
}

// fresh are the texts of the lines that are marked.
func (s *story) fresh() []string {
	s.t.Helper()
	var texts []string
	for _, piece := range strings.Split(markup(s.t, s.m.document()), "<li ")[1:] {
		if strings.Contains(piece, ` class="fresh"`) {
			texts = append(texts, strings.TrimSpace(plain(piece[strings.Index(piece, ">")+1:])))
		}
	}
	return texts
}

// plain is markup without its tags.
func plain(markup string) string {
	var b strings.Builder
	for piece := range strings.SplitSeq("<"+"x>"+markup, "<") {
		if _, text, found := strings.Cut(piece, ">"); found {
			b.WriteString(text)
		}
	}
	return html.UnescapeString(b.String())
}

func (s *story) marks(want ...string) {
	s.t.Helper()
	if got := s.fresh(); !slices.Equal(got, want) {
		s.t.Errorf("marks %q, want %q", got, want)
	}
}

// versioned is the deployment in another version.
func versioned(version string, changes ...string) string {
	return strings.NewReplacer(append([]string{`"resourceVersion":"42"`, `"resourceVersion":"` + version + `"`}, changes...)...).Replace(deployment)
}

const subscribed = "Subscribe{ID:1 Cluster:practice Path:" + path + " As:object ResourceVersion: Continue:}"

func TestAnObjectIsFollowedFromItsState(t *testing.T) {
	s := aliveAt(t, deployment)
	s.does(subscribed)
	s.live("connecting")
	s.state(1, deployment)
	s.does("")
	s.live("live")
	s.shows("replicas", `class="liveness tone tone-good"`)
	s.marks()
}

func TestWhatCannotBeFollowedSaysNothing(t *testing.T) {
	unwatchable := pageOf(t, path, deployment)
	unwatchable.Type.Verbs = []string{"get"}
	for what, m := range map[string]Model{"a subresource": pageOf(t, path+"/scale", deployment), "a type without watch": unwatchable} {
		verbs := m.Type.Verbs
		if verbs == nil {
			m.Type.Verbs = []string{"get", "list", "watch"}
		}
		p, did := m.Awake(now)
		next, more := p.Update(page.Connection{State: page.Broken})
		if len(did)+len(more) != 0 || next.(Model).liveness().Words != "" {
			t.Errorf("%s: %v %v, %+v", what, did, more, next.(Model).liveness())
		}
	}
}

func TestTheSameVersionAgainChangesNothing(t *testing.T) {
	s := synced(t, deployment)
	before := s.html()
	s.happens(watch.Modified, versioned("42", `"replicas":3`, `"replicas":4`))
	s.does("")
	if s.html() != before {
		t.Error("the page changed")
	}
}

func TestAChangeIsShownAndMarkedForAMoment(t *testing.T) {
	for what, change := range map[string]func(*story, string){
		"it happens":                    func(s *story, d string) { s.happens(watch.Modified, d) },
		"it was missed, and is fetched": func(s *story, d string) { s.state(2, d) },
	} {
		t.Run(what, func(t *testing.T) {
			s := synced(t, deployment)
			s.pass(time.Minute)
			change(s, versioned("43", `"replicas":3`, `"replicas":5`, `"reason":"Enough"`, `"reason":"TooMany"`))
			s.does("Announce{Words:Changed}")
			s.marks(`resourceVersion: "43"`, "replicas: 5", "reason: TooMany")
			s.shows(`class="fresh"`, "TooMany", `<span class="mono">43</span>`)
			s.pass(time.Second)
			s.marks(`resourceVersion: "43"`, "replicas: 5", "reason: TooMany")
			s.pass(time.Second)
			s.marks()
			s.hides(`class="fresh"`)
		})
	}
}

func TestEachMarkHasItsTime(t *testing.T) {
	s := synced(t, deployment)
	s.happens(watch.Modified, versioned("43", `"replicas":3`, `"replicas":4`))
	s.pass(time.Second)
	s.happens(watch.Modified, versioned("43.1", `"replicas":3`, `"replicas":4`, `"Enough"`, `"Plenty"`))
	s.marks(`resourceVersion: "43.1"`, "replicas: 4", "reason: Plenty")
	s.pass(time.Second)
	s.marks(`resourceVersion: "43.1"`, "reason: Plenty")
	s.pass(time.Second)
	s.marks()
}

func TestLinesKeepTheirIdentity(t *testing.T) {
	s := synced(t, deployment)
	before := s.m.document()
	s.happens(watch.Modified, versioned("43", `"replicas":3`, `"paused":true,"replicas":3`))
	s.marks(`resourceVersion: "43"`, "paused: true")
	after := s.m.document()
	known := map[string]string{}
	for i, key := range keys(before) {
		known[key] = before.Lines[i].String()
	}
	if len(after.Lines) != len(before.Lines)+1 || !slices.Equal(keys(before), count(len(before.Lines))) {
		t.Fatalf("%v became %v", keys(before), keys(after))
	}
	for i, key := range keys(after) {
		text := after.Lines[i].String()
		switch was, there := known[key]; {
		case strings.Contains(text, "paused") == there, there && was != text && !strings.Contains(text, "resourceVersion"):
			t.Errorf("line %d, %q, has the key %s of %q", i+1, text, key, was)
		}
	}
	s.shows(`<i id="L1">`, fmt.Sprintf(`<i id="L%d">`, len(after.Lines)), fmt.Sprintf(`<li id="line-%d" class="fresh">`, len(before.Lines)+1))
	s.pass(time.Second)
	s.happens(watch.Modified, versioned("44", `"replicas":3`, `"paused":true,"replicas":9`))
	s.marks(`resourceVersion: "44"`, "paused: true", "replicas: 9")
}

// keys are the ids of a document's lines.
func keys(d document.Document) []string {
	all := make([]string, len(d.Lines))
	for i := range all {
		all[i] = d.ID(i)
	}
	return all
}

func count(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("line-%d", i+1)
	}
	return all
}

func TestNothingMovesUnderThePointer(t *testing.T) {
	s := synced(t, deployment)
	before := s.html()
	s.tell(page.Pointed{Over: true})
	s.happens(watch.Modified, versioned("43", `"replicas":3`, `"paused":true,"replicas":3`))
	s.live("live; changed, held back while you point")
	s.hides("paused")
	s.happens(watch.Modified, versioned("44", `"replicas":3`, `"replicas":4`))
	held := s.html()
	if i, j := strings.Index(before, `id="document"`), strings.Index(held, `id="document"`); before[i:] != held[j:] {
		t.Error("the document changed under the pointer")
	}
	s.pass(5 * time.Second)
	s.tell(page.Pointed{Over: false})
	s.live("live")
	s.marks(`resourceVersion: "44"`, "replicas: 4")
	s.happens(watch.Deleted, versioned("45"))
	s.tell(page.Pointed{Over: true})
	s.live("deleted")
}

func TestADeletionIsHeldToo(t *testing.T) {
	s := synced(t, deployment)
	s.tell(page.Pointed{Over: true})
	s.happens(watch.Deleted, versioned("45"))
	s.does("Announce{Words:Deleted}")
	s.live("deleted, held back while you point")
	s.hides(`id="gone"`)
	s.tell(page.Pointed{Over: false})
	s.shows(`id="gone"`)
}

func TestDeleted(t *testing.T) {
	for _, c := range []struct {
		name  string
		goes  func(*story)
		words string
	}{
		{"it happens", func(s *story) { s.happens(watch.Deleted, versioned("45", `"replicas":3`, `"replicas":0`)) }, "Deleted 5s ago. This is the object’s last state."},
		{"it happens, and no state comes along", func(s *story) { s.happens(watch.Deleted, "") }, "Deleted 5s ago. This is the object’s last state."},
		{"it is not in the fresh state", func(s *story) { s.state(2) }, "Deleted. The page noticed the deletion 5s ago. This is the last state that the page received."},
		{"no fresh state comes at all", func(s *story) {
			s.tell(page.Received{Message: wire.Message{Type: wire.Synced, ID: subscription, Gen: 2}})
		}, "Deleted. The page noticed the deletion 5s ago. This is the last state that the page received."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := synced(t, deployment)
			c.goes(s)
			s.does("Announce{Words:Deleted}")
			s.live("deleted")
			s.pass(5 * time.Second)
			s.shows(c.words, "kind", `href="/c/practice/apis/apps/v1/namespaces/shop/deployments">To all`)
			s.hides("tab=related")
			c.goes(s)
			s.does("")
		})
	}
}

func TestDeletedBeforeThePageCouldFollow(t *testing.T) {
	s := aliveAt(t, deployment)
	s.state(1)
	s.does("Announce{Words:Deleted}")
	s.shows("Deleted. The page noticed the deletion 0s ago")
}

// A connection that is taken up again brings no state: what the page has is still what is.
func TestContinuityIsNoDeletion(t *testing.T) {
	s := synced(t, deployment)
	s.tell(page.Connection{State: page.Broken, Retry: time.Second})
	s.does("Announce{Words:Connection lost. The page shows the last known state}")
	s.live("connection lost, reconnecting in 1 s")
	s.tell(page.Connection{State: page.Open}, page.Received{Message: wire.Message{Type: wire.Synced, ID: subscription, Gen: 1, ResourceVersion: "60"}})
	s.does("Announce{Words:Live}")
	s.hides(`id="gone"`)
}

func TestAStateThatBreaksOffIsNone(t *testing.T) {
	s := aliveAt(t, deployment)
	rows := wire.Message{Type: wire.Rows, ID: subscription, Gen: 1, Objects: []json.RawMessage{json.RawMessage(deployment)}}
	s.tell(page.Received{Message: rows}, page.Connection{State: page.Broken}, page.Connection{State: page.Open})
	s.hides(`id="gone"`)
	s.state(1)
	s.does("Announce{Words:Deleted} Announce{Words:Live}")
	s.shows(`id="gone"`)
	s = synced(t, deployment)
	s.tell(page.Received{Message: rows}, page.Received{Message: wire.Message{Type: wire.Gap, ID: subscription, Gen: 2, Reason: watch.Slow}})
	s.state(2)
	s.shows(`id="gone"`)
}

func TestAnObjectWithoutAVersion(t *testing.T) {
	odd := strings.Replace(deployment, `"resourceVersion":"42",`, "", 1)
	s := synced(t, odd)
	s.tell(page.Pointed{Over: true})
	s.live("live")
	s.happens(watch.Modified, strings.Replace(odd, `"replicas":3`, `"replicas":4`, 1))
	s.live("live; changed, held back while you point")
	s.tell(page.Pointed{Over: false})
	s.marks("replicas: 4")
}

func TestANewObjectOfTheSameName(t *testing.T) {
	first := versioned("42", `"name":"web"`, `"name":"web","uid":"first"`)
	second := versioned("77", `"name":"web"`, `"name":"web","uid":"second"`, `"replicas":3`, `"replicas":8`)
	s := synced(t, first)
	s.happens(watch.Deleted, first)
	s.shows(`id="gone"`)
	s.happens(watch.Added, second)
	s.does("Announce{Words:There is a new object with this name}")
	s.live("live")
	s.shows(`id="renewed"`, "8", "second")
	s.hides(`id="gone"`)
	s.happens(watch.Deleted, first) // told late
	s.does("")
	s.hides(`id="gone"`)
	s.happens(watch.Deleted, second)
	s.shows(`id="gone"`)
	s.hides(`id="renewed"`)
}

func TestChangesAreSaidNowAndThen(t *testing.T) {
	s := synced(t, deployment)
	for i, want := range []string{"Announce{Words:Changed}", "", "", "", "", "", "", "", "", "", "Announce{Words:Changed}"} {
		if i > 0 {
			s.pass(time.Second)
		}
		if i == 10 {
			s.does(want) // by the time that passes
			continue
		}
		s.happens(watch.Modified, versioned(fmt.Sprint(100+i)))
		s.does(want)
	}
	s.pass(20 * time.Second)
	s.does("")
}

func TestAgesGoOnByTheReadersClock(t *testing.T) {
	s := synced(t, deployment)
	s.shows("120m old", "for 5m")
	s.pass(time.Hour)
	s.shows("3h old", "for 65m")
	s.tell(page.Tick{Now: now.Add(-48 * time.Hour)}) // a clock that is behind
	s.shows("0s old", "for 0s")
	s.hides("invalid")
}

func TestGoingAway(t *testing.T) {
	pod := versioned("42", `"name":"web"`, `"name":"web","deletionTimestamp":"2026-11-21T12:00:20Z","deletionGracePeriodSeconds":30`)
	s := synced(t, pod)
	s.shows("This object is being deleted. The deletion began 10s ago. Its grace period ends in 20s.")
	s.pass(time.Minute)
	s.shows("This object is being deleted. The deletion began 70s ago.")
	stuck := versioned("42", `"name":"web"`, `"name":"web","finalizers":["a/b"],"deletionTimestamp":"2026-11-21T11:00:00Z","deletionGracePeriodSeconds":0`)
	synced(t, stuck).shows("This object is being deleted. The deletion began 60m ago.", "a/b")
	synced(t, versioned("42", `"name":"web"`, `"name":"web","deletionTimestamp":"2026-11-21T11:59:30Z"`)).shows("being deleted. The deletion began 30s ago.")
}

const credentials = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"web","resourceVersion":"42"},"data":{"password":"aHVudGVyMg==","user":"Ym9i"}}`

func TestARevealedValueIsHiddenOnceTheSecretChanged(t *testing.T) {
	revealed := func() *story {
		m := pageOf(t, "/api/v1/namespaces/shop/secrets/web", credentials)
		m.Secrets.Values, m.Object = m.Object.SecretValues(), m.Object.Masked()
		m.Secrets.Reveal = &secrets.Revealed{Key: "password", Text: "hunter2"}
		s := alive(t, m)
		s.state(1, credentials)
		s.shows("hunter2")
		return s
	}
	changed := strings.NewReplacer(`"42"`, `"43"`, "aHVudGVyMg==", "aHVudGVyMjAwMA==", `"user"`, `"login"`).Replace(credentials)
	const page1 = "/c/practice/api/v1/namespaces/shop/secrets/web"

	s := revealed()
	s.happens(watch.Modified, changed)
	s.does("Announce{Words:Changed} Remember{Address:" + page1 + "?tab=yaml Replace:true}")
	s.hides("hunter2", "aHVudGVy")
	s.shows("hidden: the Secret has changed. Select Show again", "10 bytes", "login", page1+"?reveal=password&amp;tab=yaml")

	s = revealed()
	s.tell(page.Pointed{Over: true})
	s.happens(watch.Modified, changed)
	s.hides("hunter2")

	s = revealed()
	s.happens(watch.Deleted, credentials)
	s.hides("hunter2", "?reveal=")
	s.shows("hidden: the Secret was deleted")
}

func TestAddressed(t *testing.T) {
	const here = "/c/practice" + path
	for _, c := range []struct {
		name, from, to, want string
	}{
		{"the same again", "tab=yaml", "tab=yaml", "Reload{}"},
		{"fields again", "", "", "Reload{}"},
		{"YAML from the fields", "", "tab=yaml", "Remember{Address:" + here + "?tab=yaml Replace:false} Announce{Words:YAML}"},
		{"the fields, whose schema is not here", "tab=yaml", "", "Navigate{Address:" + here + "}"},
		{"a line of the fields, from YAML", "tab=yaml", "field=.spec", "Navigate{Address:" + here + "?field=.spec}"},
		{"JSON", "tab=yaml", "tab=json", "Remember{Address:" + here + "?tab=json Replace:false} Announce{Words:JSON}"},
		{"back to YAML", "tab=json", "tab=yaml", "Remember{Address:" + here + "?tab=yaml Replace:false} Announce{Words:YAML}"},
		{"managed fields", "tab=yaml", "managed=1", "Remember{Address:" + here + "?managed=1&tab=yaml Replace:false}"},
		{"managed fields in JSON", "tab=json", "managed=1&tab=json", "Remember{Address:" + here + "?managed=1&tab=json Replace:false}"},
		{"events", "tab=yaml", "tab=events", "Navigate{Address:" + here + "?tab=events}"},
		{"owners", "tab=json", "tab=related", "Navigate{Address:" + here + "?tab=related}"},
		{"the document from its owners", "tab=related", "tab=json", "Remember{Address:" + here + "?tab=json Replace:false} Announce{Words:JSON}"},
		{"look again", "tab=related", "tab=related", "Reload{}"},
		{"a value of a Secret", "tab=json", "tab=json&reveal=key", "Navigate{Address:" + here + "?reveal=key&tab=json}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := pageOf(t, path, deployment)
			from, to := query(t, c.from), query(t, c.to)
			m.Tab, m.Managed = views.Parse(from), from.Get("managed") == "1"
			s := alive(t, m)
			s.tell(page.Addressed{Query: to})
			s.does(c.want)
			if strings.HasPrefix(c.want, "Remember") != (s.m.Shell.Here != "") {
				t.Errorf("the page takes itself to be at %q", s.m.Shell.Here)
			}
			if s.html(); s.m.live.document.Err != nil || asText(s.m.Tab) && len(s.m.live.document.Lines) == 0 {
				t.Errorf("%d lines: %v", len(s.m.live.document.Lines), s.m.live.document.Err)
			}
		})
	}
}

func TestHidingAValueNeedsNoServer(t *testing.T) {
	m := pageOf(t, path, credentials)
	m.Secrets.Values, m.Secrets.Reveal = m.Object.SecretValues(), &secrets.Revealed{Key: "user", Text: "bob-in-the-clear"}
	s := alive(t, m)
	s.tell(page.Addressed{Query: query(t, "tab=yaml")})
	s.does("Remember{Address:/c/practice" + path + "?tab=yaml Replace:false}")
	s.hides("bob-in-the-clear")
}

func TestFoldingMarksNothingAndKeepsTheLines(t *testing.T) {
	s := synced(t, deployment)
	before := s.m.document()
	s.tell(page.Addressed{Query: query(t, "managed=1")})
	s.marks()
	s.shows("managedFields")
	after := s.m.document()
	kept := 0
	for _, key := range keys(after) {
		if slices.Contains(keys(before), key) {
			kept++
		}
	}
	if kept != len(keys(before)) {
		t.Errorf("%d of %d lines kept", kept, len(keys(before)))
	}
}

func TestTheReadersOwnDoingIsNotHeldBack(t *testing.T) {
	s := synced(t, deployment)
	s.tell(page.Pointed{Over: true})
	s.happens(watch.Modified, versioned("43", `"replicas":3`, `"replicas":9`))
	s.tell(page.Addressed{Query: query(t, "tab=json")})
	s.shows("9")
	s.marks()
	s.live("live")
	s.happens(watch.Modified, versioned("44"))
	s.live("live; changed, held back while you point")
}

func TestKeys(t *testing.T) {
	const here = "/c/practice" + path
	for _, c := range []struct{ tab, key, want string }{
		{"", "h", ""},
		{"", "l", "Remember{Address:" + here + "?tab=yaml Replace:true} Announce{Words:YAML}"},
		{"yaml", "l", "Remember{Address:" + here + "?tab=json Replace:true} Announce{Words:JSON}"},
		{"json", "h", "Remember{Address:" + here + "?tab=yaml Replace:true} Announce{Words:YAML}"},
		{"json", "l", "Remember{Address:" + here + "?tab=timeline Replace:true} Announce{Words:Timeline}"},
		{"timeline", "l", "Navigate{Address:" + here + "?tab=schema}"},
		{"timeline", "m", "Remember{Address:" + here + "?managed=1&tab=timeline Replace:true} Announce{Words:Managed fields shown}"},
		{"timeline", "j", "Focus{ID:step-1} Reveal{ID:version-1} Reveal{ID:first-mark}"},
		{"schema", "l", "Navigate{Address:" + here + "?tab=events}"},
		{"schema", "j", ""},
		{"owners", "l", "Navigate{Address:" + here + "?tab=logs}"},
		{"owners", "h", "Navigate{Address:" + here + "?tab=events}"},
		{"", "m", "Announce{Words:The views YAML, JSON and timeline can show managed fields}"},
		{"yaml", "m", "Remember{Address:" + here + "?managed=1&tab=yaml Replace:true} Announce{Words:Managed fields shown}"},
		{"owners", "m", "Announce{Words:The views YAML, JSON and timeline can show managed fields}"},
		{"owners", "Escape", "Navigate{Address:/c/practice/apis/apps/v1/namespaces/shop/deployments}"},
		{"yaml", "j", ""},
	} {
		t.Run(c.tab+" "+c.key, func(t *testing.T) {
			m := pageOf(t, path, deployment)
			m.Tab = views.Parse(query(t, "tab="+c.tab))
			s := alive(t, m)
			s.tell(page.Pressed{Key: c.key})
			s.does(c.want)
		})
	}
	s := alive(t, pageOf(t, path, credentials))
	s.tell(page.Pressed{Key: "m"})
	s.does("Announce{Words:The object has no managed fields}")
	var listed []string
	for _, k := range (Model{}).Keys() {
		listed = append(listed, k.Keys...)
	}
	if want := []string{"h", "l", "m", "j", "k", "Enter", "/", "←", "→", "Home", "End", "Esc"}; !slices.Equal(listed, want) {
		t.Errorf("the help lists %v", listed)
	}
}

func TestOwnersAreLookedForAgainWhenTheyChange(t *testing.T) {
	owned := func(version, owner string) string {
		return versioned(version, `"name":"web"`, `"name":"web","uid":"u","ownerReferences":[{"kind":"App","name":"`+owner+`","uid":"o"}]`)
	}
	for _, c := range []struct {
		name, tab, next, want string
	}{
		{"another owner", "owners", owned("43", "b"), "Announce{Words:Changed} Reload{}"},
		{"the same owner", "owners", owned("43", "a"), "Announce{Words:Changed}"},
		{"another owner, not shown", "", owned("43", "b"), "Announce{Words:Changed}"},
		{"another object", "owners", strings.Replace(owned("43", "a"), `"uid":"u"`, `"uid":"v"`, 1), "Announce{Words:There is a new object with this name} Reload{}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := pageOf(t, path, owned("42", "a"))
			m.Tab = views.Parse(query(t, "tab="+c.tab))
			s := alive(t, m)
			s.state(1, owned("42", "a"))
			s.happens(watch.Modified, c.next)
			s.does(c.want)
		})
	}
}

func TestOwnedObjectsAreAsOfATime(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Tab, m.Owners.Search = Related, dependents.Search{At: now.Add(-3 * time.Second), Finished: true}
	s := alive(t, m)
	s.state(1, deployment)
	s.pass(time.Hour)
	s.shows("as of 11:59:57.", `href="/c/practice`+path+`?tab=related">Refresh`)
	s.happens(watch.Deleted, deployment)
	s.hides("Look again")
	s.shows("tab=related")
}

func query(t *testing.T, text string) url.Values {
	t.Helper()
	q, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func eventsPage(t *testing.T) Model {
	t.Helper()
	m := pageOf(t, path, versioned("42", `"name":"web"`, `"name":"web","uid":"u"`))
	m.Tab = Events
	m.Events.Table = table.Table{
		ResourceVersion: "40",
		Columns:         []table.Column{{Name: "Last Seen"}, {Name: "Type"}, {Name: "Reason"}},
		Rows:            []table.Row{event("b", "5m", "Scaled"), event("d", "9s", "Started")},
	}
	return m
}

func event(name, seen, reason string) table.Row {
	return table.Row{UID: "e-" + name, Namespace: "shop", Name: name, ResourceVersion: "1", Cells: []table.Cell{table.Cell(seen), "Normal", table.Cell(reason)}}
}

func (s *story) eventHappens(id uint32, what watch.Type, r table.Row) {
	s.t.Helper()
	s.tell(page.Received{Message: wire.Message{Type: wire.Events, ID: id, Gen: 1, Events: []wire.Event{{Type: what, Row: &r}}}})
}

func (s *story) eventsSynced(id, gen uint32) {
	s.t.Helper()
	s.tell(page.Received{Message: wire.Message{Type: wire.Synced, ID: id, Gen: gen}})
}

// rows are the events as the page shows them.
func (s *story) rows() string {
	var rows []string
	for _, r := range s.m.Events.Grid().Rows {
		words := []string{strings.TrimPrefix(r.UID, "e-")}
		for _, c := range r.Cells {
			words = append(words, c.Text)
		}
		if r.Fresh {
			words = append(words, "fresh")
		}
		rows = append(rows, strings.Join(words, " "))
	}
	return strings.Join(rows, ", ")
}

func (s *story) lists(want string) {
	s.t.Helper()
	if got := s.rows(); got != want {
		s.t.Errorf("lists %s\nwant %s", got, want)
	}
}

const eventsOf = "/api/v1/namespaces/shop/events?fieldSelector=involvedObject.uid%3D"

func TestEventsAreFollowedFromTheTableThatCame(t *testing.T) {
	s := alive(t, eventsPage(t))
	s.does(subscribed + " Subscribe{ID:2 Cluster:practice Path:" + eventsOf + "u As:table ResourceVersion:40 Continue:}")
	s.state(1, versioned("42", `"name":"web"`, `"name":"web","uid":"u"`))
	s.live("events: connecting")
	s.eventsSynced(2, 1)
	s.live("live")
	s.lists("d 9s Normal Started, b 5m Normal Scaled")
	s.eventHappens(2, watch.Added, event("c", "0s", "Pulled"))
	s.lists("c 0s Normal Pulled fresh, d 9s Normal Started, b 5m Normal Scaled")
	s.pass(3 * time.Second)
	s.lists("c 3s Normal Pulled, d 12s Normal Started, b 5m3s Normal Scaled")
	s.eventHappens(2, watch.Deleted, event("b", "5m", "Scaled"))
	s.lists("c 3s Normal Pulled, d 12s Normal Started")
	s.shows(`id="events" class="scroll fill" role="region" tabindex="0" aria-label="Events" data-hold`, "Events (2)")
}

func TestEventsStayWhereTheyAreUnderThePointer(t *testing.T) {
	s := alive(t, eventsPage(t))
	s.state(1, versioned("42", `"name":"web"`, `"name":"web","uid":"u"`))
	s.eventsSynced(2, 1)
	s.tell(page.Pointed{Over: true})
	s.eventHappens(2, watch.Added, event("a", "0s", "Pulled"))
	again := event("b", "0s", "Again")
	again.ResourceVersion = "2"
	s.eventHappens(2, watch.Modified, again)
	s.eventHappens(2, watch.Deleted, event("d", "0s", "Pulled"))
	s.live("live, 1 new event held back while you point")
	s.lists("d deleted, b 0s Normal Again fresh")
	s.tell(page.Pointed{Over: false})
	s.live("live")
	s.lists("b 0s Normal Again fresh, a 0s Normal Pulled fresh")
}

func TestAFreshStateOfTheEventsDropsWhatIsNotInIt(t *testing.T) {
	s := alive(t, eventsPage(t))
	s.eventsSynced(2, 1)
	s.tell(
		page.Received{Message: wire.Message{Type: wire.Gap, ID: 2, Gen: 2, Reason: watch.Expired}},
		page.Received{Message: wire.Message{Type: wire.Rows, ID: 2, Gen: 2, Rows: []table.Row{event("d", "1m", "Started"), event("x", "0s", "New")}}},
	)
	s.lists("x 0s Normal New, d 1m Normal Started, b 5m Normal Scaled")
	s.eventsSynced(2, 2)
	s.lists("x 0s Normal New, d 1m Normal Started")
	s.eventsSynced(2, 3)
	s.lists("")
	s.shows("No events")
}

func TestEventsAreLeftWithTheTab(t *testing.T) {
	s := alive(t, eventsPage(t))
	s.tell(page.Addressed{Query: query(t, "tab=yaml")})
	s.does("Remember{Address:/c/practice" + path + "?tab=yaml Replace:false} Unsubscribe{ID:2} Announce{Words:YAML}")
	s.shows("replicas")
	s.eventsSynced(2, 9) // on its way when it was ended
}

func TestEventsThatFailLeaveTheObjectAlive(t *testing.T) {
	s := alive(t, eventsPage(t))
	s.state(1, versioned("42", `"name":"web"`, `"name":"web","uid":"u"`))
	s.tell(page.Received{Message: wire.Message{Type: wire.Failed, ID: 2, Status: &status.Status{Message: "events is forbidden"}}})
	s.live("events: not updated: Events is forbidden.")
	s.lists("d 9s Normal Started, b 5m Normal Scaled")
}

func TestEventsOfANewObjectAreItsOwn(t *testing.T) {
	s := alive(t, eventsPage(t))
	s.state(1, versioned("42", `"name":"web"`, `"name":"web","uid":"u"`))
	s.happens(watch.Added, versioned("90", `"name":"web"`, `"name":"web","uid":"v"`))
	s.does("Announce{Words:There is a new object with this name} Unsubscribe{ID:2} " +
		"Subscribe{ID:3 Cluster:practice Path:" + eventsOf + "v As:table ResourceVersion: Continue:}")
	s.shows("Loading the events of this object")
	s.tell(page.Received{Message: wire.Message{
		Type: wire.Rows, ID: 3, Gen: 1, Columns: []table.Column{{Name: "Last Seen"}, {Name: "Type"}, {Name: "Reason"}}, Rows: []table.Row{event("z", "1s", "Born")},
	}})
	s.eventHappens(2, watch.Added, event("a", "0s", "Late"))
	s.lists("z 1s Normal Born")
}

func TestTheEventsOfADeletedObjectCanStillBeSeen(t *testing.T) {
	s := synced(t, versioned("42", `"name":"web"`, `"name":"web","uid":"u"`))
	s.happens(watch.Deleted, versioned("43", `"name":"web"`, `"name":"web","uid":"u"`))
	s.tell(page.Addressed{Query: query(t, "tab=events")})
	s.does("Remember{Address:/c/practice" + path + "?tab=events Replace:false} " +
		"Subscribe{ID:2 Cluster:practice Path:" + eventsOf + "u As:table ResourceVersion: Continue:} Announce{Words:Events}")
	s.eventsSynced(2, 1)
	s.shows("No events", `id="gone"`)
}

func TestAPageSurvivesJSON(t *testing.T) {
	secret := pageOf(t, "/api/v1/namespaces/shop/secrets/web", credentials)
	secret.Secrets.Values, secret.Object = secret.Object.SecretValues(), secret.Object.Masked()
	secret.Secrets.Reveal = &secrets.Revealed{Key: "password", Text: "hunter2"}
	owners := pageOf(t, path, deployment)
	owners.Tab, owners.Owners.Owned, owners.Owners.Owners = Related, []dependents.Ref{{Kind: "Pod", Name: "a", Created: now.Add(-time.Hour), Depth: 1}}, []dependents.Ref{{Kind: "App", Name: "b", Controller: true}}
	owners.Owners.Search = dependents.Search{At: now, Types: 3, Objects: 4, Where: "everywhere", LeftOut: []string{"x: y"}}
	managed := pageOf(t, path, strings.Replace(deployment, `"replicas":3`, `"replicas":12345678901234567890,"share":1.50,"none":null,"text":"<a>&\u2028"`, 1))
	managed.Managed, managed.Tab = true, JSON
	for what, m := range map[string]Model{
		"YAML": pageOf(t, path, deployment), "managed": managed, "secret": secret, "events": eventsPage(t), "owners": owners, "subresource": pageOf(t, path+"/scale", deployment),
		"nothing at all": {},
	} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if markup(t, page.View(m)) != markup(t, page.View(back)) {
			t.Errorf("%s: the page looks otherwise after it was embedded", what)
		}
		if again, _ := json.Marshal(back); !reflect.DeepEqual(text, again) {
			t.Errorf("%s: became\n%s\nfrom\n%s", what, again, text)
		}
	}
}
