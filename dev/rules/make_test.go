package rules

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// promised are the targets that the README and scripts rely on.
var promised = []string{"run", "test", "build", "check", "bench", "help", "fmt", "generate", "fuzz", "release", "release-check"}

var target = regexp.MustCompile(`(?m)^([a-z][a-z-]*):(?:[^=\n]*?)(## .+)?$`)

func TestEachTargetSaysWhatItDoes(t *testing.T) {
	var found []string
	for _, match := range target.FindAllStringSubmatch(string(read(t, "Makefile")), -1) {
		found = append(found, match[1])
		if match[2] == "" && !strings.HasPrefix(match[1], "need-") {
			t.Errorf("make %s has no help: end its line with '## what it does', so that 'make help' shows it", match[1])
		}
	}
	for _, name := range promised {
		if !slices.Contains(found, name) {
			t.Errorf("the Makefile has no target %s, which people and scripts rely on", name)
		}
	}
}

func TestCIIsMakeTest(t *testing.T) {
	info, err := os.Stat(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&0o111 == 0 {
		t.Error(".ci/run is not executable")
	}
	if script := string(read(t, ".ci/run")); !strings.Contains(script, "make") || strings.Count(strings.TrimSpace(script), "\n") > 3 {
		t.Error(".ci/run does more than call 'make test': everybody must be able to run the same command as CI")
	}
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)

func TestMakeFuzzFindsEachTarget(t *testing.T) {
	listed := strings.Fields(string(output(t, "dev/scripts/fuzz.sh", "--list")))
	var want []string
	for _, name := range files(t, "*_test.go") {
		for _, match := range fuzzTarget.FindAllSubmatch(read(t, name), -1) {
			want = append(want, filepath.Dir(name)+":"+string(match[1]))
		}
	}
	slices.Sort(listed)
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("make fuzz runs %v, but there are %v: a fuzz target that never runs finds nothing", listed, want)
	}
}

// TestEveryPackageIsTested: what dev/scripts/packages.sh leaves out, `make test` would pass over in silence.
func TestEveryPackageIsTested(t *testing.T) {
	lists := map[string][]string{}
	for _, which := range []string{"alone", "racing", "clustered", "unclustered"} {
		script := exec.CommandContext(t.Context(), filepath.Join(root, "dev", "scripts", "packages.sh"), which)
		out, err := script.Output()
		if err != nil {
			t.Fatal(which, err)
		}
		lists[which] = strings.Fields(string(out))
	}
	tested := slices.Concat(lists["alone"], lists["clustered"], lists["unclustered"])
	for _, p := range ours(t) {
		if !slices.Contains(tested, p.ImportPath) {
			t.Errorf("make test doesn't test %s", p.ImportPath)
		}
	}
	asking := map[string]bool{}
	for _, name := range files(t, "*_test.go") {
		if strings.HasPrefix(name, "practice/") || strings.HasPrefix(name, "dev/zoo/") || strings.HasPrefix(name, "dev/rules/") || !strings.Contains(string(read(t, name)), "FIELDMARK_TEST_PRACTICE_KUBECONFIG") {
			continue
		}
		folder := module + "/" + path.Dir(name)
		asking[folder] = true
		if !slices.Contains(lists["clustered"], folder) {
			t.Errorf("%s asks for a cluster, and make test-cluster doesn't test its package", name)
		}
	}
	if len(asking) == 0 || len(asking) != len(lists["clustered"]) {
		t.Errorf("make test-cluster tests %v, and these ask for a cluster: %v", lists["clustered"], slices.Sorted(maps.Keys(asking)))
	}
}

var unraced = regexp.MustCompile(`(?m)^unraced='([^']+)'$`)

// A test that is only run without the race detector, and doesn't exist, would be run nowhere.
func TestTestsWithoutTheRaceDetectorExist(t *testing.T) {
	listed := unraced.FindSubmatch(read(t, "dev/scripts/test-clustered.sh"))
	if listed == nil {
		t.Fatal("dev/scripts/test-clustered.sh doesn't say which tests run without the race detector")
	}
	var source strings.Builder
	for _, name := range files(t, "*_test.go") {
		if strings.HasPrefix(name, "server/pages/") || strings.HasPrefix(name, "promises/") {
			source.Write(read(t, name))
		}
	}
	for name := range strings.SplitSeq(string(listed[1]), "|") {
		if !strings.Contains(source.String(), "func "+name+"(t *testing.T)") {
			t.Errorf("dev/scripts/test-clustered.sh names %s, which is no test of server/pages or promises", name)
		}
	}
}
