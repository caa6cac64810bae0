package walk

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Whatever is an object to encoding/json has the same members here; nothing makes the walk fail.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1}`, ` {"a" : [ {"b":"\"}"} ] , "c":-1.5e3 }`, `{"a":"\\"}`, `{"a":null,"b":true}`, `{`, `{"a"`, `{"a":}`, `{"\u0061":[]}`, `{"a":1,}`, "{\"\x83\":0}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		got, names := map[string]string{}, 0
		end := Members(text, func(name, _, value []byte) {
			names++
			got[Word(append(append([]byte{'"'}, name...), '"'))] = string(value)
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

func TestWhatHasNoEnd(t *testing.T) {
	for _, text := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":{`, `7`, `[`, `[1`, `[1,`, `[{`} {
		none := func(_, _, _ []byte) {}
		if end := Members([]byte(text), none); end >= 0 {
			t.Errorf("%s is an object up to %d", text, end)
		}
		if end := Items([]byte(text), func([]byte) {}); end >= 0 {
			t.Errorf("%s is a list up to %d", text, end)
		}
	}
}
