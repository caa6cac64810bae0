package follow

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func parse(t *testing.T, text string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestObject(t *testing.T) {
	object := func(uid, version string) []byte {
		return []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"` + uid + `","resourceVersion":"` + version + `"}}`)
	}
	rows := func(gen uint32, objects ...[]byte) wire.Message {
		m := wire.Message{Type: wire.Rows, Gen: gen}
		for _, o := range objects {
			m.Objects = append(m.Objects, o)
		}
		return m
	}
	synced := func(gen uint32) wire.Message { return wire.Message{Type: wire.Synced, Gen: gen} }
	event := func(kind watch.Type, uid, version string) wire.Message {
		return wire.Message{Type: wire.Events, Events: []wire.Event{{Type: kind, Object: object(uid, version)}}}
	}
	for name, c := range map[string]struct {
		messages []wire.Message
		version  string
		gone     bool
	}{
		"there":                     {[]wire.Message{rows(1, object("u", "2")), synced(1)}, "2", false},
		"changed":                   {[]wire.Message{rows(1, object("u", "2")), synced(1), event(watch.Modified, "u", "3")}, "3", false},
		"deleted":                   {[]wire.Message{rows(1, object("u", "2")), synced(1), event(watch.Deleted, "u", "3")}, "3", true},
		"another was deleted":       {[]wire.Message{rows(1, object("u", "2")), synced(1), event(watch.Deleted, "v", "3")}, "2", false},
		"never there":               {[]wire.Message{rows(1), synced(1)}, "1", true},
		"no longer there":           {[]wire.Message{rows(1, object("u", "2")), synced(1), {Type: wire.Gap, Gen: 2}, rows(2), synced(2)}, "2", true},
		"still there after a gap":   {[]wire.Message{rows(1, object("u", "2")), synced(1), {Type: wire.Gap, Gen: 2}, rows(2, object("u", "5")), synced(2)}, "5", false},
		"again, as another":         {[]wire.Message{rows(1, object("u", "2")), synced(1), event(watch.Deleted, "u", "3"), event(watch.Added, "v", "4")}, "4", false},
		"deleted twice":             {[]wire.Message{rows(1, object("u", "2")), synced(1), event(watch.Deleted, "u", "3"), event(watch.Deleted, "u", "4")}, "3", true},
		"what is no object":         {[]wire.Message{rows(1, object("u", "2")), synced(1), {Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Object: []byte(`{"kind":"Status"}`)}}}}, "2", false},
		"synced twice in one state": {[]wire.Message{rows(1, object("u", "2")), synced(1), synced(1)}, "2", false},
	} {
		f := NewObject(parse(t, string(object("u", "1"))), begin)
		for _, m := range c.messages {
			f.Hear(m)
		}
		if f.Gone() != c.gone || f.Version() != c.version {
			t.Errorf("%s: gone %v, version %s", name, f.Gone(), f.Version())
		}
	}
}

// What a record of the object is made of, and what the state says besides.
func TestChanges(t *testing.T) {
	text := func(uid, version string) []byte {
		return []byte(`{"kind":"ConfigMap","metadata":{"uid":"` + uid + `","resourceVersion":"` + version + `"}}`)
	}
	f := NewObject(parse(t, string(text("u", "1"))), begin)
	for _, step := range []struct {
		m    wire.Message
		want []What
	}{
		{wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{text("u", "2")}}, []What{Arrives, Is}},
		{wire.Message{Type: wire.Synced, Gen: 1}, nil},
		{wire.Message{Type: wire.Events, Events: []wire.Event{
			{Type: watch.Modified, Object: text("u", "3")}, {Type: watch.Deleted, Object: text("x", "4")}, {Type: watch.Deleted, Object: text("u", "5")},
		}}, []What{Is, Went}},
		{wire.Message{Type: wire.Events, Events: []wire.Event{{Type: watch.Added, Object: text("v", "6")}}}, []What{Is}},
		{wire.Message{Type: wire.Gap, Gen: 2, Reason: watch.Expired}, nil},
		{wire.Message{Type: wire.Synced, Gen: 2}, []What{Missing}},
	} {
		var got []What
		for _, c := range f.Hear(step.m) {
			got = append(got, c.What)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("%+v: %v, want %v", step.m, got, step.want)
		}
	}
	if !f.Gone() || !f.Missed || !f.Renewed || !f.Went.Equal(begin) {
		t.Errorf("%+v", f.State)
	}
}

// A state that was arriving when the connection broke is asked for again, from its beginning. One that was only silent goes on.
func TestAStateThatBreaksOff(t *testing.T) {
	for state, gone := range map[page.ConnectionState]bool{page.Broken: true, page.Silent: false} {
		f := NewObject(parse(t, `{"metadata":{"uid":"u"}}`), begin)
		f.Hear(wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{[]byte(`{"metadata":{"uid":"u"}}`)}})
		f.Connect(page.Connection{State: state})
		f.Hear(wire.Message{Type: wire.Rows, Gen: 1})
		f.Hear(wire.Message{Type: wire.Synced, Gen: 1})
		if f.Gone() != gone {
			t.Errorf("%s: gone %v", state, f.Gone())
		}
	}
}

func TestOnePageGoesOnWithWhatAnotherHeard(t *testing.T) {
	have := parse(t, `{"metadata":{"uid":"u","resourceVersion":"1"}}`)
	was := NewObject(have, begin)
	heir := NewObject(have, begin)
	if heir.Resumes(was) {
		t.Error("nothing was heard")
	}
	was.Hear(wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{[]byte(`{"metadata":{"uid":"u","resourceVersion":"2"}}`)}})
	if heir.Resumes(was) {
		t.Error("a state is arriving")
	}
	was.Hear(wire.Message{Type: wire.Synced, Gen: 1})
	if !heir.Resumes(was) || heir.Version() != "2" || !heir.Heard() {
		t.Errorf("%+v", heir)
	}
	was.Lose()
	if heir.Resumes(was) {
		t.Error("it is gone")
	}
}

// What another request answers may be older than what the subscription has told since it left.
func TestAResponseBesideTheSubscription(t *testing.T) {
	version := func(v string) json.RawMessage {
		return []byte(`{"metadata":{"name":"a","uid":"u","resourceVersion":"` + v + `"}}`)
	}
	event := func(kind watch.Type, v string) *wire.Message {
		return &wire.Message{Type: wire.Events, Events: []wire.Event{{Type: kind, Object: version(v)}}}
	}
	for name, c := range map[string]struct {
		since    *wire.Message // the subscription has told it since the request left
		live     bool
		response string
		want     string
		gone     bool
	}{
		"nothing told since":            {nil, true, "3", "3", false},
		"told of a newer version since": {event(watch.Modified, "5"), true, "3", "5", false},
		"told of an older one since":    {event(watch.Modified, "3"), true, "4", "4", false},
		"told of the same since":        {event(watch.Modified, "4"), true, "4", "4", false},
		"told of its deletion since":    {event(watch.Deleted, "5"), true, "3", "5", true},
		"versions without an order":     {event(watch.Modified, "b"), true, "a", "b", false},
		"no subscription":               {nil, false, "3", "3", false},
	} {
		f := NewObject(parse(t, string(version("1"))), begin)
		if c.live {
			f.Connect(page.Connection{State: page.Open})
			f.Hear(wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{version("2")}})
			f.Hear(wire.Message{Type: wire.Synced, Gen: 1})
		}
		if f.Live() != c.live {
			t.Fatalf("%s: live is %v", name, f.Live())
		}
		f.Ask()
		if c.since != nil {
			f.Hear(*c.since)
		}
		f.Take(parse(t, string(version(c.response))))
		if f.Version() != c.want || f.Gone() != c.gone {
			t.Errorf("%s: version %s, gone %v", name, f.Version(), f.Gone())
		}
	}
}

// A copy keeps the state that it has: pages that hold an Object in their Model are values too.
func TestAnObjectIsAValue(t *testing.T) {
	older := NewObject(parse(t, `{"metadata":{"uid":"u","resourceVersion":"1"}}`), begin)
	newer := older
	newer.Hear(wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{[]byte(`{"metadata":{"uid":"u","resourceVersion":"2"}}`)}})
	newer.Tick(begin.Add(time.Minute))
	if older.Version() != "1" || older.Liveness(0, 0) == newer.Liveness(0, 0) {
		t.Errorf("%+v", older)
	}
}

// The watch of an object isn't answered: the object is read by lists, and the page says as of when.
func TestAnObjectWhoseWatchIsNotAnswered(t *testing.T) {
	f := NewObject(parse(t, `{"metadata":{"uid":"u","resourceVersion":"1"}}`), begin)
	f.Tick(begin.Add(20 * time.Second))
	f.Hear(unanswered)
	f.Hear(listed)
	f.Hear(wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{[]byte(`{"metadata":{"uid":"u","resourceVersion":"2"}}`)}})
	if got := f.Liveness(0, 0).Words; got != "the watch hasn’t answered yet; object as of 12:00:11" || f.Version() != "2" || f.Live() {
		t.Errorf("%q, version %s", got, f.Version())
	}
}

func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		told := NewObject(parse(t, `{"metadata":{"name":"a"}}`), begin)
		told.Take(parse(t, d.JSON))
		heard := NewObject(parse(t, `{"metadata":{"name":"a"}}`), begin)
		heard.Hear(wire.Message{Type: wire.Rows, Gen: 1, Objects: []json.RawMessage{[]byte(d.JSON)}})
		heard.Hear(wire.Message{Type: wire.Synced, Gen: 1})
		for how, f := range map[string]Object{"told": told, "heard": heard} {
			if canary.Escapes(fmt.Sprint(f.State.Object)) {
				t.Errorf("%s, %s: %v", d.Name, how, f.State.Object)
			}
		}
	}
}
