package contention

import "testing"

func TestLists(t *testing.T) {
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
