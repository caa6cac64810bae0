package watch

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

func TestParseEvent(t *testing.T) {
	for line, want := range map[string]Event{
		`{"type":"ADDED","object":{"metadata":{"resourceVersion":"7"}}}`:                                                              {Type: Added},
		`{"object":{"metadata":{"resourceVersion":"7"}},"type":"MODIFIED"}`:                                                           {Type: Modified},
		`{"type":"DELETED","object":{"metadata":{"resourceVersion":"7"},"rows":[]}}`:                                                  {Type: Deleted},
		`{"type":"BOOKMARK","object":{"kind":"Table","metadata":{},"rows":[{"object":{"metadata":{"resourceVersion":"7"}}}]}}` + "\n": {Type: Bookmark},
	} {
		for _, read := range readers {
			e, err := read([]byte(line))
			if err != nil || e.Type != want.Type || e.Version() != "7" {
				t.Errorf("%s: %s %q (%v)", line, e.Type, e.Version(), err)
			}
		}
	}
}

// readers are the two ways to read a line, which agree on what is one.
var readers = []func([]byte) (Event, error){ParseEvent, SplitEvent}

func TestSplitEventGivesTheObjectAsItWasSent(t *testing.T) {
	e, err := SplitEvent([]byte(` {"type":"ADDED", "object" : {"a":"}\"","b":[1,{}]} }` + "\n"))
	if err != nil || e.Type != Added || string(e.Object) != `{"a":"}\"","b":[1,{}]}` {
		t.Errorf("%s %s (%v)", e.Type, e.Object, err)
	}
	if _, err := SplitEvent([]byte(`{"type":"ADDED","object":{"a":nonsense}}`)); err != nil {
		t.Errorf("the object is checked: %v", err)
	}
}

func TestParseEventRefuses(t *testing.T) {
	for _, line := range []string{
		``, `{`, `[]`, `null`, `{}`, `{"type":"ADDED"}`, `{"type":"ADDED","object":null}`, `{"type":"ADDED","object":[]}`,
		`{"type":"added","object":{}}`, `{"type":"SYNC","object":{}}`, `{"type":7,"object":{}}`, `{"type":"ADDED","object":{}} x`,
	} {
		for _, read := range readers {
			if e, err := read([]byte(line)); err == nil {
				t.Errorf("%s was read as %+v", line, e)
			}
		}
	}
}

func TestTheEndOfTheInitialState(t *testing.T) {
	const mark = `"annotations":{"k8s.io/initial-events-end":"true"}`
	for line, want := range map[string]bool{
		`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7",` + mark + `}}}`:                              true,
		`{"type":"BOOKMARK","object":{"kind":"Table","metadata":{},"rows":[{"object":{"metadata":{` + mark + `}}}]}}`: true,
		`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}`:                                           false,
		`{"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"false"}}}}`:             false,
		`{"type":"ADDED","object":{"metadata":{"resourceVersion":"7",` + mark + `}}}`:                                 false, // whoever may write annotations
		`{"type":"MODIFIED","object":{"kind":"Table","metadata":{},"rows":[{"object":{"metadata":{` + mark + `}}}]}}`: false,
	} {
		e, err := ParseEvent([]byte(line))
		if err != nil || e.EndsInitialState() != want {
			t.Errorf("%s: %v (%v)", line, e.EndsInitialState(), err)
		}
	}
}

func TestVersionWhereThereIsNone(t *testing.T) {
	for _, object := range []string{`{}`, `{"metadata":7}`, `{"rows":[]}`, `{"rows":[{"object":{}}]}`} {
		if v := (Event{Object: []byte(object)}).Version(); v != "" {
			t.Errorf("%s has version %q", object, v)
		}
	}
}

func TestHeadOfAnEvent(t *testing.T) {
	for object, want := range map[string]Head{
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"}}`: {
			Kind: "Pod", APIVersion: "v1", Name: "a", Namespace: "n", UID: "u", Version: "7",
		},
		`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"rows":[{"object":{"metadata":{"name":"a","resourceVersion":"7"}}}]}`: {
			Kind: "Table", APIVersion: "meta.k8s.io/v1", Name: "a", Version: "7",
		},
		`{"kind":"Table","metadata":{"resourceVersion":"9"},"rows":[{"object":{"metadata":{"name":"a"}}}]}`: {Kind: "Table", Name: "a", Version: "9"},
		`{"metadata":{"name":7}}`: {},
	} {
		if got := (Event{Type: Added, Object: []byte(object)}).Head(); got != want {
			t.Errorf("%s: %+v, wanted %+v", object, got, want)
		}
	}
}

func TestErrorIsAStatus(t *testing.T) {
	e, err := ParseEvent([]byte(`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","message":"too old","reason":"Expired","code":410}}`))
	if err != nil {
		t.Fatal(err)
	}
	if s := e.Status(); s.Code != 410 || !s.Is(status.Expired) || s.Message != "too old" || !s.Told {
		t.Errorf("%+v", s)
	}
	for _, object := range []string{`{"kind":"Status","message":"m"}`, `{"kind":"Status","code":-3}`, `{"odd":true}`} {
		if s := (Event{Type: Error, Object: []byte(object)}).Status(); s.Code != 500 {
			t.Errorf("%s: %+v", object, s)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add(`{"type":"ADDED","object":{"metadata":{"resourceVersion":"7"}}}`)
	f.Add(`{"type":"ERROR","object":{"kind":"Status","code":410}}`)
	f.Add(`{"type":"BOOKMARK","object":{"rows":[{"object":{"metadata":{"resourceVersion":"7"}}}]}}`)
	f.Fuzz(func(t *testing.T, line string) {
		e, err := ParseEvent([]byte(line))
		if err != nil {
			return
		}
		if !strings.Contains(line, string(e.Object)) {
			t.Errorf("the object of %q is %q", line, e.Object)
		}
		_ = e.Version()
		if e.Type == Error && e.Status().Code <= 0 {
			t.Errorf("%q is no error", line)
		}
	})
}
