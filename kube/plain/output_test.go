package plain_test

import (
	"encoding/json"
	"testing"

	"github.com/fieldmark/fieldmark/kube/plain"
)

func TestOutput(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"a\nb\n":                          "a\nb\n",
		"::error::x\n  ::debug::y\na ::b": ":·:error::x\n  :·:debug::y\na ::b",
		"x ##[section]##vso[a]###[":       "x ##·[section]##vso·[a]###·[",
		"## [a](b) # ##a b[":              "## [a](b) # ##a b[",
	} {
		if got := plain.Output(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzOutput: what was broken stays broken, and JSON keeps its values.
func FuzzOutput(f *testing.F) {
	for _, text := range []string{"::a", "##[", "####[##[", "\u2003::", "##vso[##x[", "a\u200b\U000e0041"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := plain.Output(text); plain.Output(got) != got {
			t.Errorf("%q: %q, and of that %q", text, got, plain.Output(got))
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		_ = json.Unmarshal(quoted, &want)
		if err := json.Unmarshal(plain.JSON(quoted), &got); err != nil || got != want || plain.Hides(string(plain.JSON(quoted))) {
			t.Errorf("%q: %s, %v", text, plain.JSON(quoted), err)
		}
	})
}
