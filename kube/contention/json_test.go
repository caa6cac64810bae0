package contention

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestEventsAndLists(t *testing.T) {
	kind, object := Event([]byte(` {"type":"ADDED", "object" : {"a":"}\"","b":[1,{}]} }` + "\n"))
	if kind != "ADDED" || string(object) != `{"a":"}\"","b":[1,{}]}` {
		t.Errorf("%s %s", kind, object)
	}
	var got []string
	version, token, ok := List([]byte(`{"kind":"L","metadata":{"resourceVersion":"7","continue":"t\u0041"},"items":[{"a":1}, {"b":2}]}`), func(o []byte) { got = append(got, string(o)) })
	if version != "7" || token != "tA" || !ok || len(got) != 2 || got[1] != `{"b":2}` {
		t.Errorf("%s %s %v %v", version, token, ok, got)
	}
	for _, text := range []string{``, `{}`, `{"items":null}`, `{"items":[{]}`, `[]`, `{"items":[]`} {
		if _, _, ok := List([]byte(text), func([]byte) {}); ok {
			t.Errorf("%s is taken for a list", text)
		}
	}
	if _, _, ok := List([]byte(`{"items":[]}`), func([]byte) {}); !ok {
		t.Error("an empty list is none")
	}
}

// Whatever is an object to encoding/json has the same members here; nothing makes the walk fail.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1}`, ` {"a" : [ {"b":"\"}"} ] , "c":-1.5e3 }`, `{"a":"\\"}`, `{"a":null,"b":true}`, `{`, `{"a"`, `{"a":}`, `{"\u0061":[]}`, `{"a":1,}`, "{\"\x83\":0}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		got, names := map[string]string{}, 0
		end := members(text, space(text, 0), func(name, _, value []byte) {
			names++
			got[word(append(append([]byte{'"'}, name...), '"'))] = string(value)
		})
		if json.Unmarshal(text, &want) != nil || want == nil {
			return
		}
		if end < 0 || len(bytes.TrimSpace(text[end:])) != 0 || names < len(want) {
			t.Fatalf("%q: ends at %d, %d members of %d", text, end, names, len(want))
		}
		for name, value := range want {
			if got[name] != string(value) {
				t.Errorf("%q: %q is %q, not %q", text, name, got[name], value)
			}
		}
	})
}
