package walk

import "testing"

func TestLists(t *testing.T) {
	var got []string
	l, ok := List([]byte(`{"kind":"L","metadata":{"resourceVersion":"7","continue":"t\u0041","remainingItemCount":12},"items":[{"a":1}, {"b":2}]}`), func(o []byte) { got = append(got, string(o)) })
	if l != (Listed{Version: "7", Continue: "tA", Left: 12}) || !ok || len(got) != 2 || got[1] != `{"b":2}` {
		t.Errorf("%+v %v %v", l, ok, got)
	}
	for _, text := range []string{``, `{}`, `{"items":[{]}`, `[]`, `{"items":[]`} {
		if _, ok := List([]byte(text), func([]byte) {}); ok {
			t.Errorf("%s is taken for a list", text)
		}
	}
	for _, text := range []string{`{"items":[]}`, `{"items":null}`, `{"metadata":{"remainingItemCount":"x"},"items":[]}`, `{"metadata":{"remainingItemCount":-3},"items":[]}`} {
		if l, ok := List([]byte(text), func([]byte) {}); !ok || l.Left != 0 {
			t.Errorf("%s: %+v %v", text, l, ok)
		}
	}
}
