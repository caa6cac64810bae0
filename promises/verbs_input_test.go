package promises

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/source/inputs"
)

// TestInputIsReadAsKubectlReadsIt runs the real kubectl and check with the same files. Both dry-run an apply in the namespace default.
func TestInputIsReadAsKubectlReadsIt(t *testing.T) {
	practiceKubeconfig(t)
	for name, c := range inputs.All() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "input.yaml")
			if err := os.WriteFile(file, []byte(c.Text), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), os.Getenv(kubectlEnv), "--kubeconfig", os.Getenv(practiceEnv),
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
