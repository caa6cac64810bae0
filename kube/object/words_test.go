package object_test

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// TestNoCanaryEscapesMessages: admission quotes what it was sent, in each of its forms.
func TestNoCanaryEscapesMessages(t *testing.T) {
	for _, d := range canary.Documents() {
		if texts := strings.Contains(d.Name, "text") || strings.HasPrefix(d.Name, "applied last"); d.Vague || texts { // the parts of a text have no names
			continue
		}
		o, err := object.Parse([]byte(d.JSON))
		if err != nil {
			t.Fatal(err)
		}
		for _, quoted := range []string{canary.Song, canary.Coded} {
			if got := o.Hush(`admission webhook denied the request: bad value "` + quoted + `" of ` + canary.Plain); canary.Escapes(got) || !strings.Contains(got, canary.Plain) {
				t.Errorf("%s: %s", d.Name, got)
			}
		}
	}
}

func TestHush(t *testing.T) {
	o := object.Object{Fields: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s"}, "stringData": map[string]any{"pin": "12", "both": "hunter2 and more\nline two"}, "data": map[string]any{"k": "aHVudGVyMw=="}}}
	for words, want := range map[string]string{
		"":                           "",
		"the Secret s is wrong":      "the Secret s is wrong",
		"pin 12 is short, 123 isn't": "pin •••••••• is short, 123 isn't",
		"got hunter2 and more":       "got ••••••••",
		"got aHVudGVyMiBhbmQgbW9yZQpsaW5lIHR3bw==": "got ••••••••",
		"got line two":                      "got ••••••••",
		"got aHVudGVyMw==, that is hunter3": "got ••••••••, that is ••••••••",
		`got "hunter2 and more\nline two"`:  `got "••••••••"`,
	} {
		if got := o.Hush(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
