package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/source/inputs"
)

// TestInputIsReadAsKubectlReadsIt runs the real kubectl and check with the same files. Both dry-run an apply in the namespace default.
func TestInputIsReadAsKubectlReadsIt(t *testing.T) {
	if os.Getenv(practiceEnv) == "" {
		t.Skip("needs a practice cluster: make test-cluster")
	}
	for name, c := range inputs.All() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "input.yaml")
			if err := os.WriteFile(file, []byte(c.Text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), os.Getenv("FIELDMARK_KUBECTL"), "--kubeconfig", os.Getenv(practiceEnv),
				"apply", "--server-side", "--dry-run=server", "-n", "default", "-f", file).Output()
			var names []string
			for line := range strings.Lines(string(out)) {
				_, name, _ := strings.Cut(strings.Fields(line)[0], "/")
				names = append(names, name)
			}
			if applied := strings.Join(names, " "); applied != c.Applied && !c.Refuses || (err != nil) != c.Refuses {
				t.Errorf("kubectl applies %q: %v", applied, err)
			}
			code, ours, errs := onPractice(t, "", "check", "-f", file, "-n", "default", "-o", "json")
			var r struct{ Findings []check.Finding }
			if err := json.Unmarshal([]byte(ours), &r); err != nil {
				t.Fatal(err, ours, errs)
			}
			var created []string
			for _, f := range r.Findings {
				if f.Kind == check.Created {
					created = append(created, f.Object.Name)
				}
			}
			slices.Sort(created)
			if got := strings.Join(created, " "); !c.Refuses && got != c.Applied {
				t.Errorf("check finds %q: %s%s", got, ours, errs)
			}
			if fails := c.Refuses || c.Says != ""; (code != 0) != fails || !strings.Contains(ours+errs, c.Says) {
				t.Errorf("check ends with %d: %s%s", code, ours, errs)
			}
		})
	}
}

// blame reads the same files. It needs no cluster, so a namespace that kubectl refuses is no mistake for it.
func TestBlameReadsInputAsKubectlDoes(t *testing.T) {
	for name, c := range inputs.All() {
		if c.Namespaced {
			continue
		}
		_, out, errs := run(t, "fieldmark", c.Text, "blame", "-f", "-", "-o", "json")
		var names, said []string
		for _, found := range regexp.MustCompile(`"name": "([^"]+)"`).FindAllStringSubmatch(out, -1) {
			names = append(names, found[1])
		}
		for line := range strings.Lines(errs) {
			if !strings.Contains(line, "has no managedFields") {
				said = append(said, line)
			}
		}
		if fails := c.Refuses || c.Says != ""; !c.Refuses && strings.Join(names, " ") != c.Applied || (len(said) > 0) != fails || !strings.Contains(errs, c.Says) {
			t.Errorf("%s: %q %q", name, names, said)
		}
	}
}

// What was read earlier may have no name, such as the template of a pod.
func TestBlameOfAnObjectWithoutAName(t *testing.T) {
	code, out, errs := run(t, "fieldmark", "apiVersion: v1\nkind: Pod\nmetadata:\n  managedFields:\n  - {manager: ada, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:nodeName': {}}}}\nspec: {nodeName: a}\n", "blame", "-f", "-")
	if code != 0 || !strings.Contains(out, "nodeName: a") || !strings.Contains(out, "ada") || errs != "" {
		t.Errorf("%d: %s%s", code, out, errs)
	}
}
