package source

import (
	"strings"
	"testing"
)

func TestInsert(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"block":         {"metadata:\n  name: a # mine\n", "metadata:\n  \"uid\": \"u\"\n  name: a # mine\n"},
		"comment first": {"metadata:\n  # who\n  name: a\nx: 1\n", "metadata:\n  # who\n  \"uid\": \"u\"\n  name: a\nx: 1\n"},
		"flow":          {"metadata: {name: a, labels: {b: c}}\n", "metadata: {\"uid\": \"u\", name: a, labels: {b: c}}\n"},
		"JSON":          {"{\"metadata\": {\n \"name\": \"a\"}}", "{\"metadata\": {\n \"uid\": \"u\", \"name\": \"a\"}}"},
		"CRLF":          {"metadata:\r\n  name: a\r\n", "metadata:\r\n  \"uid\": \"u\"\n  name: a\r\n"},
		"second of two": {"a: 1\n---\nmetadata:\n    name: a\n", "a: 1\n---\nmetadata:\n    \"uid\": \"u\"\n    name: a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			parsed := Parse(c.text)
			got, err := parsed.Insert(len(parsed.Documents)-1, ".metadata", "uid", "u")
			if err != nil || got != c.want {
				t.Errorf("it became %q (%v)", got, err)
			}
		})
	}
	for text, why := range map[string]string{
		"metadata: {}\n":             "no fields",
		"metadata:\n  uid: b\n":      "already",
		"a: 1\n":                     "no field .metadata",
		"b: &b {c: 1}\nmetadata: *b": "alias",
	} {
		got, err := Parse(text).Insert(0, ".metadata", "uid", "u")
		if err == nil || !strings.Contains(err.Error(), why) || got != text {
			t.Errorf("%q became %q (%v)", text, got, err)
		}
	}
}

func FuzzInsert(f *testing.F) {
	f.Add("metadata:\n  name: a\n")
	f.Add("- &a {metadata: {name: b}}\n")
	f.Add("metadata: !!map {? name : a}\n")
	f.Fuzz(func(t *testing.T, text string) {
		parsed := Parse(text)
		for i := range parsed.Documents {
			got, err := parsed.Insert(i, ".metadata", "uid", "u")
			if err != nil {
				if got != text {
					t.Errorf("%q was changed to %q in vain (%v)", text, got, err)
				}
				continue
			}
			after := Parse(got)
			metadata, _ := after.Documents[i].Fields()["metadata"].(map[string]any)
			if metadata["uid"] != "u" {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}
