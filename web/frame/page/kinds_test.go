package page

import (
	"strings"
	"testing"
)

// TestASetFindsTheReaderOfAKind, wherever a model names it.
func TestASetFindsTheReaderOfAKind(t *testing.T) {
	read := ""
	reads := func(kind string) func([]byte) (Page, error) {
		return func([]byte) (Page, error) {
			read = kind
			return nil, nil
		}
	}
	set := Set{"pods": reads("pods"), `a"b`: reads("quoted")}
	for model, want := range map[string]string{
		`{"kind":"pods"}`: "pods", `{"kind":"pods","other":{"kind":"x"}}`: "pods", `{"other":1,"kind":"pods"}`: "pods", `{ "kind": "pods" }`: "pods",
		`{"kind":"a\"b"}`: "quoted",
	} {
		read = ""
		if _, err := set.Decode([]byte(model)); err != nil || read != want {
			t.Errorf("%s: the reader of %q, error %v", model, read, err)
		}
	}
	for model, want := range map[string]string{`{"kind":"nodes"}`: `no page is of kind "nodes"`, `{"kind":"pods`: "unexpected end", `[]`: "cannot unmarshal"} {
		if _, err := set.Decode([]byte(model)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", model, err, want)
		}
	}
}
