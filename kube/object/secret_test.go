package object

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// Each document of the canaries, masked on values: by what it says, or because of where it comes from.
func TestNoCanaryEscapesValues(t *testing.T) {
	for _, d := range canary.Documents() {
		o := parse(t, d.JSON)
		ways := map[string]Object{"as a Secret": o.MaskedAsSecret(), "as a Secret, twice": o.MaskedAsSecret().MaskedAsSecret()}
		if !d.Vague {
			ways["by itself"], ways["beside another"], ways["replaced"] = o.Masked(), o.MaskedBeside(parse(t, `{"data":{"password":"x"}}`)), o.Replaced(func(any) any { return "" })
		}
		for way, shown := range ways {
			text, err := json.Marshal(shown)
			if err != nil || canary.Escapes(string(text)) || !strings.Contains(string(text), canary.Plain) {
				t.Errorf("%s, %s: %s (%v)", d.Name, way, text, err)
			}
		}
		if text, err := json.Marshal(o); err != nil || !canary.Escapes(string(text)) {
			t.Errorf("%s: masking changed the original: %s (%v)", d.Name, text, err)
		}
	}
}

// The same token by token, as pages read what may be cut.
func TestNoCanaryEscapesTokens(t *testing.T) {
	for _, d := range canary.Documents() {
		var shown []string
		tokens(json.NewDecoder(strings.NewReader(d.JSON)), Doubt, &shown)
		if all := strings.Join(shown, " "); canary.Escapes(all) || !strings.Contains(all, canary.Plain) {
			t.Errorf("%s: %s", d.Name, all)
		}
		if !d.Vague && !MayHold([]byte(d.JSON)) {
			t.Errorf("%s is not taken for what may hold secrets", d.Name)
		}
	}
}

// tokens collects what may be shown of the next value.
func tokens(d *json.Decoder, p Place, shown *[]string) {
	token, err := d.Token()
	if err != nil {
		return
	}
	switch token {
	case json.Delim('{'):
		for d.More() {
			name, err := d.Token()
			text, is := name.(string)
			if err != nil || !is {
				return
			}
			tokens(d, p.Below(text), shown)
		}
		_, _ = d.Token()
	case json.Delim('['):
		for n := 0; d.More(); n++ {
			tokens(d, p.Below(strconv.Itoa(n)), shown)
		}
		_, _ = d.Token()
	default:
		if text, is := token.(string); is && !p.Hides(text, false) {
			*shown = append(*shown, text)
		}
	}
}

func TestMayHold(t *testing.T) {
	for text, want := range map[string]bool{
		`{"kind":"Secret"`: true, `{"kind" : "SecretList"`: true, "kind: Secret\n": true, "kind:   'Secret'": true, `"{\"kind\":\"Secret\"}"`: true,
		`{\\\"kind\\\":\\\"Secret\\\"`: true, "k8s\x00\x0a\x0c\x0a\x02v1\x12\x06Secret": true, "\xd9\xd9\xf7\xa3dkindfSecret": true, `"kind":"TokenRequest"`: true,
		"kind:" + strings.Repeat(" ", 90) + "Secret":                true,
		`{"kind":"Pod","spec":{"imagePullSecrets":[{"name":"x"}]}}`: false, `{"kind":"ConfigMap","data":{"a":"b"}}`: false, "": false, "kind": false,
		strings.Repeat(" ", 300) + `"description":"Secret is the name of a Secret"`: false,
	} {
		if got := MayHold([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestOnlyWhatIsSecretIsHidden(t *testing.T) {
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"},"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":1}"}}}`,
		`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"}},7]}`,
		`{"apiVersion":"example.org/v1","kind":"Secret","data":{"a":"b"}}`,
		`{"kind":"Table","rows":[{"cells":["data"],"object":{"kind":"Pod","data":{"a":"b"}}}]}`,
		`{"apiVersion":"v1","kind":"Secret","type":"Opaque","metadata":{"name":"a","labels":{"a":"b"},"annotations":{"note":"two words","word":"original","time":"2026-11-21T11:00:00Z"}}}`,
	} {
		o := parse(t, text)
		before, err := json.Marshal(o)
		after, errAfter := json.Marshal(o.Masked())
		if err != nil || errAfter != nil || !bytes.Equal(before, after) {
			t.Errorf("%s became %s", before, after)
		}
	}
}

// Of a text that was cut in an annotation, what is missing could say that it is secret.
func TestWhatWasCutIsHidden(t *testing.T) {
	if !notes.Below("a").Hides("aHVud", true) || notes.Below("a").Hides("aHVud", false) || Doubt.Hides("aHVud", true) {
		t.Error("a text that was cut in an annotation is not hidden, or any text is")
	}
}

func TestWithoutValues(t *testing.T) {
	for _, d := range canary.Documents() {
		if o := parse(t, d.JSON); o.IsSecret() {
			text, err := json.Marshal(o.WithoutValues())
			if err != nil || canary.Escapes(string(text)) || strings.Contains(string(text), "hidden") {
				t.Errorf("%s: %s (%v)", d.Name, text, err)
			}
		}
	}
}
