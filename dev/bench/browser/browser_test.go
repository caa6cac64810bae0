package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var (
	named    = regexp.MustCompile(`browser\.(?:Run|Script)\(ctx, (?:&\w+, )?"([^"]+)"`)
	relative = regexp.MustCompile(`(?:from |new URL\()"(\.[^"]+)"`)
)

// TestScriptsFindTheirFiles looks for each script that a family runs, and for each file that a script names. No other test runs them.
func TestScriptsFindTheirFiles(t *testing.T) {
	scripts := 0
	for pattern, names := range map[string]*regexp.Regexp{"../*/*.go": named, "../*/*.mjs": relative} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range names.FindAllSubmatch(text, -1) {
				wanted := filepath.Join(filepath.Dir(file), string(found[1]))
				if names == named {
					scripts++
					wanted = filepath.Join("..", string(found[1])+".mjs")
				}
				if _, err := os.Stat(wanted); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
	if scripts < 10 {
		t.Errorf("found only %d scripts", scripts)
	}
}
