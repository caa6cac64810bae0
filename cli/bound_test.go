package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where a text is longer than is read, the findings so far are printed, what wasn't read is said, and the check fails.
func TestWhatIsBeyondABoundFailsTheCheck(t *testing.T) {
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(kubeconfig, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const bad = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 5}\n---\n"
	for name, c := range map[string]struct{ text, finds, says string }{
		"objects of a list": {
			`{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat("5,", 10_000) + `5]}`,
			"The list item is not an object", "-, line 1: The text has more than 10000 objects. The objects from here on are not read. Split the text",
		},
		"values":        {bad + "a: [" + strings.Repeat("1,", 500_001) + "1]\n", "name must be text", "The text has more than 500000 values. The values from here on are not read."},
		"commas":        {bad + "a: [" + strings.Repeat("1,", 600_001) + "1]\n", "name must be text", "The document has more than 600000 commas and lines, so it isn't read."},
		"a long text":   {bad + "a: " + strings.Repeat("x", 4<<20), "name must be text", "this document is longer than 3 MB"},
		"nested levels": {bad + strings.Repeat("[", 1000), "name must be text", "The text has too many nested levels."},
	} {
		code, out, errs := run(t, "fieldmark", c.text, "check", "--kubeconfig", kubeconfig, "-s", "http://127.0.0.1:1", "-f", "-")
		if code == 0 || !strings.Contains(out, c.finds) || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s ends with %d:\n%.300s\n%.1000s", name, code, out[max(0, len(out)-300):], errs)
		}
	}
}
