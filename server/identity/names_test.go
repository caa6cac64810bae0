package identity

import (
	"strings"
	"testing"
)

func TestSmuggledIdentity_NamesThatAHeaderWouldChange(t *testing.T) {
	for name, want := range map[string]string{
		"ada": "", "ada lovelace": "", "ada@example.com": "", "Ålesund:ops": "", "system:admin": "",
		"": "empty", " ada": "space", "ada ": "space", " system:admin": "space", "\tada": "control", "ada\r\nX: y": "control", "ada\x00": "control",
		"\u00a0ada": "space", "ada\xff": "UTF-8", "a\u0085b": "control",
	} {
		got := UnfitName(name)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
