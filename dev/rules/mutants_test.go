package rules

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMutantsApply holds the defects of dev/mutants to the sources, so that make mutants can put each of them in.
func TestMutantsApply(t *testing.T) {
	patches, err := filepath.Glob(filepath.Join(root, "dev", "mutants", "*.patch"))
	if err != nil || len(patches) == 0 {
		t.Fatalf("%d patches: %v", len(patches), err)
	}
	for _, patch := range patches {
		check := exec.CommandContext(t.Context(), "git", "apply", "--check", filepath.Join("dev", "mutants", filepath.Base(patch)))
		check.Dir = root
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s doesn't apply any more. Write the defect again for the sources of today.\n%s", filepath.Base(patch), out)
		}
	}
}
