package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ours have the licence of Fieldmark itself, which comes with the program too.
const ours = "github.com/fieldmark/fieldmark"

// listed is what `go list` says about a package.
type listed struct {
	Dir    string
	Module *module
}

// module is a Go module. Replace is the one that takes its place.
type module struct {
	Path, Version, Dir string
	Replace            *module
}

// name is that of the module whose code is in the program.
func (m module) name() string {
	if m.Replace != nil {
		m = *m.Replace
	}
	return m.Path + " " + m.Version
}

// goModules are the modules of these builds, and Go itself. A package below the folder of its module may have a licence of its own, so
// the folders in between belong to the module too.
func goModules(ctx context.Context, folder string, builds []string) ([]part, error) {
	version, err := golang(ctx, folder, nil, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	name, root, _ := strings.Cut(strings.TrimSpace(string(version)), "\n")
	folders := map[string]map[string]bool{"Go " + strings.TrimPrefix(name, "go"): {root: true}}
	for _, build := range builds {
		packages, err := packagesOf(ctx, folder, build)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Module == nil || strings.HasPrefix(p.Module.Path, ours) {
				continue
			}
			name := p.Module.name()
			if folders[name] == nil {
				folders[name] = map[string]bool{}
			}
			between(p.Module.Dir, p.Dir, folders[name])
		}
	}
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		parts = append(parts, part{name, slices.Sorted(maps.Keys(folders[name]))})
	}
	return parts, nil
}

// between adds the folders from top down to this one.
func between(top, folder string, to map[string]bool) {
	for ; len(folder) >= len(top) && !to[folder]; folder = filepath.Dir(folder) {
		to[folder] = true
	}
}

// packagesOf are the packages that go into a program, for example linux/amd64:./server.
func packagesOf(ctx context.Context, folder, build string) ([]listed, error) {
	platform, pattern, ok := strings.Cut(build, ":")
	system, processor, known := strings.Cut(platform, "/")
	if !ok || !known {
		return nil, fmt.Errorf("%q doesn't name a platform and a package, such as linux/amd64:./server", build)
	}
	out, err := golang(ctx, folder, []string{"GOOS=" + system, "GOARCH=" + processor}, "list", "-deps", "-json=Dir,Module", pattern)
	if err != nil {
		return nil, err
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("reading what go list says: %w", err)
		}
		packages = append(packages, p)
	}
}

// golang runs the go command.
func golang(ctx context.Context, folder string, env []string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir, command.Env, command.Stderr = folder, append(os.Environ(), env...), os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}
