package rules

import (
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
			if job.Permissions == nil || job.TimeoutMinutes == 0 {
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
