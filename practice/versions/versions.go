// Package versions knows the releases of Kubernetes that a practice cluster's control plane can be.
//
// The program fieldmark-practice has one of them in itself. Each folder beside this file is a module with another: only the
// control plane, as the program fieldmark-controlplane-1.33. Everything else of a practice cluster (its supervisor, its
// simulated nodes, its starter content and its Scenarios) is a client of the API server, and the same for all releases.
package versions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	componentversion "k8s.io/component-base/version"

	"github.com/fieldmark/fieldmark/practice/component"
)

// Release is a release of Kubernetes.
type Release struct {
	// Minor is what people call it: 1.33.
	Minor string
	// Version is what its API server says: v1.33.13.
	Version string
}

// Own is the release that this program itself has.
func Own() Release {
	v := componentversion.Get().GitVersion
	minor, _ := minorOf(v) // a program that was built without build.sh doesn't know
	return Release{Minor: minor, Version: v}
}

// Choice is the control plane of a practice cluster: a release, and the program that has it.
type Choice struct {
	Release
	// Program is the path of the program; empty for the one that runs.
	Program string
}

// Choose finds the control plane of a minor version: own, if minor is empty. The programs of others are in the folder dir. The errors say which there are,
// or how to build it.
func Choose(minor, dir string, own Release) (Choice, error) {
	if minor == "" || minor == own.Minor {
		return Choice{Release: own}, nil
	}
	i := slices.IndexFunc(others, func(r Release) bool { return r.Minor == minor })
	if i < 0 {
		return Choice{}, fmt.Errorf("there is no control plane of Kubernetes %q; there are %s", minor, list(own))
	}
	chosen := Choice{Release: others[i], Program: filepath.Join(dir, component.Program+"-"+minor)}
	switch _, err := os.Stat(chosen.Program); {
	case errors.Is(err, fs.ErrNotExist):
		return Choice{}, fmt.Errorf("the control plane of Kubernetes %s is not built: run `make versions KUBERNETES=%s` first, which takes some minutes", minor, minor)
	case err != nil:
		return Choice{}, fmt.Errorf("looking for the control plane of Kubernetes %s: %w", minor, err)
	}
	return chosen, nil
}

// list names all releases, in words.
func list(own Release) string {
	var names []string
	for _, r := range append(slices.Clone(others), own) {
		names = append(names, r.Minor)
	}
	slices.SortFunc(names, compare)
	names = slices.Compact(names)
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Newer tells whether the minor version of v is newer than that of other. Both are versions of Kubernetes, such as v1.33.13.
func Newer(v, other string) (bool, error) {
	a, err := minorOf(v)
	if err != nil {
		return false, err
	}
	b, err := minorOf(other)
	if err != nil {
		return false, err
	}
	return compare(a, b) > 0, nil
}

func minorOf(v string) (string, error) {
	parsed, err := version.ParseGeneric(v)
	if err != nil {
		return "", fmt.Errorf("reading a version of Kubernetes: %w", err)
	}
	return fmt.Sprintf("%d.%d", parsed.Major(), parsed.Minor()), nil
}

// compare orders minor versions.
func compare(a, b string) int {
	order, _ := version.MustParseGeneric(a).Compare(b)
	return order
}
