package check

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/lessons"
)

// resultsFile has what `make test-controlplanes` found, by version.
const resultsFile = "../../dev/compatibility/results.json"

// A server of its version has confirmed each recorded response of the guide. A recording that was changed since then isn't confirmed.
func TestEachRecordingIsOfARealServer(t *testing.T) {
	text, err := os.ReadFile(resultsFile)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct {
		Lessons struct{ Recorded []string }
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	guide, err := lessons.Load()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, l := range guide.Lessons {
		for _, step := range l.Steps {
			for _, b := range step.Blocks {
				if b.Recorded == nil {
					continue
				}
				found++
				name, err := Recording(l.ID, *b.Recorded)
				if err != nil {
					t.Fatal(err)
				}
				if minor := b.Recorded.Version.String(); !slices.Contains(all[minor].Lessons.Recorded, name) {
					t.Errorf("%s:%d: no server of %s has confirmed the recording %s: run make test-controlplanes KUBERNETES=%[3]s ARGS='-lesson %[5]s'", l.File, b.Line, minor, name, l.ID)
				}
			}
		}
	}
	if found == 0 {
		t.Error("there is no recording")
	}
}
