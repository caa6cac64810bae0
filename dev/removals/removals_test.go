package main

import (
	"os"
	"path/filepath"
	"testing"
)

// files writes the two files of a version of a group that the command reads.
func files(t *testing.T, register, lives string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "v1beta1")
	if err := os.Mkdir(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"register.go": register, lifecycleFile: lives} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, lifecycleFile)
}

const lives = `package v1beta1

func (in *Ingress) APILifecycleIntroduced() (major, minor int) { return 1, 14 }
func (in *Ingress) APILifecycleDeprecated() (major, minor int) { return 1, 19 }
func (in *Ingress) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}
}
func (in *Ingress) APILifecycleRemoved() (major, minor int) { return 1, 22 }
func (in *IngressList) APILifecycleRemoved() (major, minor int) { return 1, 22 }
func (in *Stays) APILifecycleIntroduced() (major, minor int) { return 1, 30 }
`

func TestLivesAreRead(t *testing.T) {
	all, err := livesIn(files(t, "package v1beta1\n\nconst GroupName = \"networking.k8s.io\"\n", lives))
	if err != nil {
		t.Fatal(err)
	}
	want := life{group: "networking.k8s.io", version: "v1beta1", kind: "Ingress", deprecated: "1.19", removed: "1.22", replacement: "networking.k8s.io/v1"}
	if len(all) != 1 || all[0] != want {
		t.Errorf("%+v", all)
	}
}

func TestAGroupMustBeNamed(t *testing.T) {
	if all, err := livesIn(files(t, "package v1beta1\n", lives)); err == nil {
		t.Errorf("%+v", all)
	}
}
