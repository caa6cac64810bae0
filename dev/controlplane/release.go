package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	kubernetes      = "k8s.io/kubernetes"
	componentModule = "github.com/fieldmark/fieldmark/practice/component"
	releasesModule  = "github.com/fieldmark/fieldmark/practice/releases/"
	staging         = "./staging/src/"
)

// require is a module in one version.
type require struct {
	Path    string
	Version string
}

// release is a release of Kubernetes, as its go.mod describes it.
type release struct {
	version string
	file    modFile
}

// modFile is what `go mod edit -json` tells of a go.mod file.
type modFile struct {
	Go      string
	Godebug []struct{ Key, Value string }
	Require []require
	Replace []struct{ Old, New require }
}

// fetch gets a release's go.mod from the module proxy, or from Go's cache.
func fetch(ctx context.Context, version string) (*release, error) {
	// Outside of a module no other module has a say.
	dir := os.TempDir()
	answer, err := command(ctx, dir, "list", "-m", "-json", kubernetes+"@"+version)
	if err != nil {
		return nil, err
	}
	var known struct{ GoMod string }
	if err := json.Unmarshal(answer, &known); err != nil {
		return nil, fmt.Errorf("reading where %s %s is: %w", kubernetes, version, err)
	}
	return readModule(ctx, version, known.GoMod)
}

// readModule reads a release's go.mod.
func readModule(ctx context.Context, version, path string) (*release, error) {
	text, err := command(ctx, filepath.Dir(path), "mod", "edit", "-json", path)
	if err != nil {
		return nil, err
	}
	r := &release{version: version}
	if err := json.Unmarshal(text, &r.file); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return r, nil
}

// minor is 1.33 of v1.33.13.
func (r *release) minor() string {
	parts := strings.Split(strings.TrimPrefix(r.version, "v"), ".")
	return parts[0] + "." + parts[1]
}

// part is the version of the release's staging modules: v0.33.13 of v1.33.13.
func (r *release) part() string { return "v0" + strings.TrimPrefix(r.version, "v1") }

// gomod is the go.mod of a module that is compiled against the release. `go mod tidy` completes it.
func (r *release) gomod(module string, pins []require) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\ngo %s\n\n", module, r.file.Go)
	for _, d := range r.file.Godebug {
		fmt.Fprintf(&b, "godebug %s=%s\n\n", d.Key, d.Value)
	}
	shared := module != componentModule
	b.WriteString("require (\n")
	if shared {
		fmt.Fprintf(&b, "\t%s v0.0.0\n", componentModule)
	}
	fmt.Fprintf(&b, "\t%s %s\n)\n\n", kubernetes, r.version)
	b.WriteString("// The staging modules of " + kubernetes + " are folders of its repository. Outside of it each is a module of the same number.\nreplace (\n")
	if shared {
		fmt.Fprintf(&b, "\t%s => ../../component\n", componentModule)
	}
	for _, p := range pins {
		fmt.Fprintf(&b, "\t%s => %s %s\n", p.Path, p.Path, p.Version)
	}
	for _, one := range r.file.Replace {
		if strings.HasPrefix(one.New.Path, staging) {
			fmt.Fprintf(&b, "\t%s => %s %s\n", one.Old.Path, one.Old.Path, r.part())
		}
	}
	b.WriteString(")\n")
	return b.Bytes()
}

// pins are the modules that are chosen in another version than the release's go.mod names, in the release's version.
func (r *release) pins(chosen map[string]string) []require {
	var pins []require
	for _, want := range r.file.Require {
		have, used := chosen[want.Path]
		if used && have != want.Version && want.Version != "v0.0.0" {
			pins = append(pins, want)
		}
	}
	slices.SortFunc(pins, func(a, b require) int { return strings.Compare(a.Path, b.Path) })
	return pins
}

// program is main.go of a folder of practice/releases.
func (r *release) program() []byte {
	return fmt.Appendf(nil, `// Command fieldmark-controlplane-%[1]s is the control plane of Kubernetes %[1]s: etcd, the API server, the controller manager and the
// scheduler, each started as a process of its own by fieldmark-practice.
package main

import "github.com/fieldmark/fieldmark/practice/component/run"

func main() { run.Main() }
`, r.minor())
}

// modules are the modules that a module is compiled with, by path.
func modules(ctx context.Context, dir string) (map[string]string, error) {
	text, err := command(ctx, dir, "list", "-m", "-f", "{{.Path}} {{.Version}}", "all")
	if err != nil {
		return nil, err
	}
	chosen := map[string]string{}
	for line := range strings.Lines(string(text)) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		chosen[path] = version
	}
	return chosen, nil
}

// command runs go in a folder, and returns its output.
func command(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
