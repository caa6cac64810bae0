package words

import "testing"

func TestCurly(t *testing.T) {
	for text, want := range map[string]string{
		"it can't be reached, and doesn't respond": "it can’t be reached, and doesn’t respond",
		"the value 'a' is quoted":                  "the value 'a' is quoted",
		"":                                         "",
	} {
		if got := Curly(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
