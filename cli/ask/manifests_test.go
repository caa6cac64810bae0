package ask

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// readAll reads a text from the standard input, and says of each document what it is about and where it begins.
func readAll(t *testing.T, in io.Reader) (all []string, err error) {
	t.Helper()
	var w Which
	w.Files.Filenames = []string{"-"}
	err = w.Manifests(t.Context(), in, func(m Manifest) error {
		if wrong := m.Problem(); wrong != nil {
			all = append(all, wrong.Error())
			return nil
		}
		for _, d := range m.Documents {
			all = append(all, fmt.Sprintf("%s %s at %d", d.Kind, d.Name, d.Start.Line))
		}
		return nil
	})
	return all, err
}

func TestDocumentsKeepTheirLines(t *testing.T) {
	const a, b = "apiVersion: v1\nkind: A\nmetadata: {name: a}\n", "apiVersion: v1\nkind: B\nmetadata: {name: b}\n"
	for text, want := range map[string][]string{
		"":                               nil,
		"\n\n---\n---\n# nothing\n":      nil,
		a:                                {"A a at 1"},
		a + "---\n" + b:                  {"A a at 1", "B b at 5"},
		"---\n" + a + "--- # next\n" + b: {"A a at 2", "B b at 6"},
		a + "---\r\n" + b + "---":        {"A a at 1", "B b at 5"},
		a + "---\na: [\n---\n" + b:       {"A a at 1", "-, line 5: ", "B b at 7"},
		`{"apiVersion":"v1","kind":"List","items":[]}`: nil,
		a + "---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: B\n  metadata: {name: b}\n- " + strings.ReplaceAll(b, "\n", "\n  "): {"A a at 1", "B b at 8", "B b at 11"},
		strings.Repeat("\n", 200_000) + "---\n" + a + "---\na: [\n":                                                                                 {"A a at 200002", "-, line 200006: "},
	} {
		got, err := readAll(t, strings.NewReader(text))
		if err != nil || !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%.60q: %q %v, want %q", text, got, err, want)
		}
	}
}

// endless gives the same byte for ever, and counts what was taken.
type endless struct {
	of    byte
	taken int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.of
	}
	e.taken += len(p)
	return len(p), nil
}

// However long a line is, no more is kept of it than a document may have.
func TestATextWithoutEndIsGivenUp(t *testing.T) {
	for _, in := range []*endless{{of: 'x'}, {of: '\n'}, {of: 0}} {
		_, err := readAll(t, in)
		if err == nil || !strings.Contains(err.Error(), "longer than 3 MB") || in.taken > maxManifest+1<<20 {
			t.Errorf("%q: %v after %d bytes", in.of, err, in.taken)
		}
	}
}

func TestAnErrorOfWhoTakesEndsTheReading(t *testing.T) {
	var w Which
	w.Files.Filenames = []string{"-", "/none/such"}
	mine, n := errors.New("mine"), 0
	err := w.Manifests(t.Context(), strings.NewReader("a: b\n---\na: b\n"), func(Manifest) error { n++; return mine })
	if !errors.Is(err, mine) || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
}
