package manager

import (
	"strings"
	"testing"
)

func TestNamesThatServersTake(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "helm": "", "日本 a": "", strings.Repeat("x", 128): "",
		strings.Repeat("x", 129): "129 bytes, and the API server allows at most 128", "a\nb": `has the character '\n'`, "a\u00a0b": "printable",
	} {
		err := Valid(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
