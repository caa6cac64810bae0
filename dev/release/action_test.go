package release

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestTheActionInstallsWhatTheReleaseHas runs the first step of the published action: it downloads the archive for this machine over HTTPS, compares its
// checksum, and puts the program into the path of the job.
func TestTheActionInstallsWhatTheReleaseHas(t *testing.T) {
	d := open(t)
	var action struct {
		Runs struct {
			Steps []struct{ Run string }
		}
	}
	text, err := os.ReadFile("../../deploy/action/action.yml")
	if err == nil {
		err = yaml.Unmarshal(text, &action)
	}
	if err != nil || len(action.Runs.Steps) == 0 {
		t.Fatalf("the action has no steps: %v", err)
	}
	files := http.StripPrefix("/v"+d.version, http.FileServerFS(os.DirFS(d.folder)))
	s := httptest.NewTLSServer(files)
	t.Cleanup(s.Close)
	temp := t.TempDir()
	authority, path := filepath.Join(temp, "ca.pem"), filepath.Join(temp, "path")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", action.Runs.Steps[0].Run)
	c.Env = append(os.Environ(), "VERSION="+d.version, "SHA256=", "RUNNER_TEMP="+temp, "GITHUB_PATH="+path, "FIELDMARK_RELEASES="+s.URL, "CURL_CA_BUNDLE="+authority)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	folder, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(strings.TrimSpace(string(folder)), "fieldmark"), "--version").CombinedOutput()
	if err != nil || !strings.Contains(string(out), d.version) {
		t.Errorf("fieldmark --version: %s %v, and not %s", out, err, d.version)
	}
}
