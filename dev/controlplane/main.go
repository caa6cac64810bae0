// Command controlplane makes the folder of practice/releases that has the control plane of one release of Kubernetes.
//
//	controlplane 1.33.13              make or replace practice/releases/1.33
//	controlplane -component 1.31.13   make practice/component/go.mod: the oldest release that the shared code is compiled against
//	controlplane -check               say whether the folders are what this command makes of the releases' own go.mod files
//
// The go.mod of k8s.io/kubernetes replaces its staging modules by folders of its own repository. Outside of that repository they are
// modules of their own, with the same minor and patch number: v1.33.13 there is v0.33.13 here. Everything else is compiled in the
// version that the release's go.mod names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
)

var patchVersion = regexp.MustCompile(`^1\.\d{2}\.\d{1,3}$`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := updateReleases(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		os.Exit(1)
	}
}

func updateReleases(ctx context.Context) error {
	root := flag.String("root", ".", "the repository's folder")
	component := flag.Bool("component", false, "make practice/component/go.mod")
	check := flag.Bool("check", false, "change nothing, and fail if a folder would change")
	flag.Parse()
	practice := filepath.Join(*root, "practice")
	if *check {
		return checkAll(ctx, practice)
	}
	if flag.NArg() != 1 || !patchVersion.MatchString(flag.Arg(0)) {
		return errors.New("name a release with its patch number, such as 1.33.13")
	}
	r, err := fetch(ctx, "v"+flag.Arg(0))
	if err != nil {
		return err
	}
	if *component {
		return r.writeModule(ctx, filepath.Join(practice, "component"), componentModule, nil)
	}
	if err := r.writeFolder(ctx, filepath.Join(practice, "releases", r.minor())); err != nil {
		return err
	}
	return writeList(practice)
}

// writeFolder makes one folder of practice/releases.
func (r *release) writeFolder(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), r.program(), 0o600); err != nil {
		return fmt.Errorf("writing the program: %w", err)
	}
	module := releasesModule + r.minor()
	if err := r.writeModule(ctx, dir, module, nil); err != nil {
		return err
	}
	// The shared code requires the oldest release's modules, and some release went back to an older version of one.
	chosen, err := modules(ctx, dir)
	if err != nil {
		return err
	}
	pins := r.pins(chosen)
	if len(pins) == 0 {
		return nil
	}
	return r.writeModule(ctx, dir, module, pins)
}

// writeModule writes go.mod and go.sum.
func (r *release) writeModule(ctx context.Context, dir, module string, pins []require) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), r.gomod(module, pins), 0o600); err != nil {
		return fmt.Errorf("writing go.mod: %w", err)
	}
	if _, err := command(ctx, dir, "mod", "tidy"); err != nil {
		return fmt.Errorf("%w\nIf a module isn't served in this version, try another patch of the same minor version", err)
	}
	return nil
}

// checkAll makes all folders again, elsewhere, and compares.
func checkAll(ctx context.Context, practice string) error {
	have, err := listReleases(practice)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "fieldmark-versions-")
	if err != nil {
		return fmt.Errorf("making a folder for the comparison: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if err := os.CopyFS(filepath.Join(scratch, "component"), os.DirFS(filepath.Join(practice, "component"))); err != nil {
		return fmt.Errorf("copying the shared code: %w", err)
	}
	oldest, err := fetch(ctx, have[0].Version)
	if err != nil {
		return err
	}
	if err := oldest.writeModule(ctx, filepath.Join(scratch, "component"), componentModule, nil); err != nil {
		return err
	}
	compared := []string{"component/go.mod", "component/go.sum", "releases/releases.go"}
	for _, one := range have {
		r, err := fetch(ctx, one.Version)
		if err != nil {
			return err
		}
		folder := filepath.Join("releases", one.Minor)
		if err := r.writeFolder(ctx, filepath.Join(scratch, folder)); err != nil {
			return err
		}
		for _, name := range []string{"go.mod", "go.sum", "main.go"} {
			compared = append(compared, filepath.Join(folder, name))
		}
	}
	if err := writeList(scratch); err != nil {
		return err
	}
	return compare(practice, scratch, compared)
}

func compare(practice, scratch string, names []string) error {
	var wrong []error
	for _, name := range names {
		have, err := os.ReadFile(filepath.Join(practice, name))
		if err != nil {
			return fmt.Errorf("reading a folder: %w", err)
		}
		want, err := os.ReadFile(filepath.Join(scratch, name))
		if err != nil {
			return fmt.Errorf("reading what was made: %w", err)
		}
		if !slices.Equal(have, want) {
			wrong = append(wrong, fmt.Errorf("practice/%s isn't what `make add-controlplane` makes", name))
		}
	}
	return errors.Join(wrong...)
}
