package rules

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// workflow is a part of a workflow of GitHub Actions.
type workflow struct {
	Permissions *map[string]string
	Jobs        map[string]struct {
		Permissions    *map[string]string
		TimeoutMinutes int `json:"timeout-minutes"`
		Needs          string
		Uses           string
		Steps          []struct {
			Uses string
			With map[string]any
		}
	}
}

var (
	pinned  = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	version = regexp.MustCompile(`(?m)uses: \S+ # v\d+\.\d+\.\d+$`)
)

// TestWorkflowsArePinnedAndHaveFewPermissions: whoever can move a tag of an action could otherwise run a program with our token.
func TestWorkflowsArePinnedAndHaveFewPermissions(t *testing.T) {
	names := files(t, ".github/workflows/*")
	if len(names) < 3 {
		t.Errorf("only %d workflows were found", len(names))
	}
	for _, name := range names {
		text := read(t, name)
		var w workflow
		if err := yaml.Unmarshal(text, &w); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w.Permissions == nil || len(*w.Permissions) > 0 {
			t.Errorf("%s: write 'permissions: {}' for the workflow, and give each job what it needs: a new job then has none by accident", name)
		}
		used := 0
		for id, job := range w.Jobs {
			if job.Permissions == nil || job.TimeoutMinutes == 0 && job.Uses == "" {
				t.Errorf("%s: job %s needs permissions and timeout-minutes of its own", name, id)
			}
			for _, step := range job.Steps {
				if step.Uses == "" {
					continue
				}
				used++
				if !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s isn't pinned: name the full digest of a commit, because a tag can be moved to other code", name, step.Uses)
				}
				if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
					t.Errorf("%s: checkout leaves the token in .git/config, where every later step can read it: set persist-credentials: false", name)
				}
			}
		}
		if named := len(version.FindAll(text, -1)); named != used {
			t.Errorf("%s: %d of %d actions have their version in a comment, which people need to update the digest", name, named, used)
		}
	}
}

// TestATagIsTestedFirst: a tag can name a commit that no branch has, so nobody has tested it.
func TestATagIsTestedFirst(t *testing.T) {
	for _, name := range []string{".github/workflows/release.yml", ".github/workflows/images.yml"} {
		var w workflow
		if err := yaml.Unmarshal(read(t, name), &w); err != nil {
			t.Fatal(err)
		}
		for id, job := range w.Jobs {
			if tests := job.Uses == "./.github/workflows/test.yml"; tests != (id == "test") || !tests && job.Needs != "test" {
				t.Errorf("%s: the job %s runs %q and needs %q. Each job must need the job test, which calls test.yml", name, id, job.Uses, job.Needs)
			}
		}
	}
}

// TestChartNamesTheImageThatIsPushed: the two are made by different commands, and a chart of another version can't be installed.
func TestChartNamesTheImageThatIsPushed(t *testing.T) {
	does := func(target, flag string) string {
		cmd := exec.CommandContext(t.Context(), "make", "--no-print-directory", "--dry-run", target, "VERSION=v1.2.3", "PUSH=registry.test/fieldmark")
		cmd.Dir = root
		said, err := cmd.CombinedOutput()
		_, after, ok := strings.Cut(string(said), flag+" ")
		if err != nil || !ok {
			t.Fatalf("make %s has no %s: %v\n%s", target, flag, err, said)
		}
		return strings.Trim(strings.Fields(after)[0], "'")
	}
	// The program's own version, which is the tag of the image (dev/image), and what the chart names without a value of its own.
	if image, chart := does("image", "-version"), does("chart", "--app-version"); image != chart || image != "v1.2.3" {
		t.Errorf("the image is pushed as %s, and the chart asks for %s", image, chart)
	}
	if got := does("chart", "--version"); got != "1.2.3" {
		t.Errorf("the chart's own version is %s: Helm wants it without the v", got)
	}
	if text := string(read(t, ".github/workflows/images.yml")); !strings.Contains(text, "make chart\n") || !strings.Contains(text, "make image PUSH=") {
		t.Error("the workflow makes the image or the chart in another way")
	}
	if text := string(read(t, "deploy/helm/fieldmark/templates/_helpers.tpl")); !strings.Contains(text, "(default .Chart.AppVersion .Values.image.tag)") {
		t.Error("the chart names its image by something else than its appVersion")
	}
}
