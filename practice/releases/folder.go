// Package releases knows the releases of Kubernetes that a practice cluster's control plane can be.
//
// The program fieldmark-practice has one of them in itself. Each folder beside this file is a module with another: only the
// control plane, as the program fieldmark-controlplane-1.33. Everything else of a practice cluster (its supervisor, its
// simulated nodes, its starter content and its Scenarios) is a client of the API server, and the same for all releases.
package releases

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
	r := Release{Version: v}
	if parsed, err := parse(v); err == nil { // else it was built without build.sh, and doesn't know
		r.Minor = fmt.Sprintf("%d.%d", parsed.Major(), parsed.Minor())
	}
	return r
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
		return Choice{}, fmt.Errorf("there is no control plane of Kubernetes %q; there are %s", minor, releasesText(own))
	}
	chosen := Choice{Release: others[i], Program: filepath.Join(dir, component.Program+"-"+minor)}
	switch _, err := os.Stat(chosen.Program); {
	case errors.Is(err, fs.ErrNotExist):
		return Choice{}, fmt.Errorf("the control plane of Kubernetes %s is not built: run `make controlplanes KUBERNETES=%s` first, which takes some minutes", minor, minor)
	case err != nil:
		return Choice{}, fmt.Errorf("looking for the control plane of Kubernetes %s: %w", minor, err)
	}
	return chosen, nil
}

// releasesText names all releases, in words.
func releasesText(own Release) string {
	var names []string
	for _, r := range append(slices.Clone(others), own) {
		names = append(names, r.Minor)
	}
	slices.SortFunc(names, compare)
	names = slices.Compact(names)
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Distance is how many minor versions lie between two versions of Kubernetes, such as v1.33.13: 2 from v1.31.4 to v1.33.0, and -2 back.
func Distance(from, to string) (int, error) {
	a, err := parse(from)
	if err != nil {
		return 0, err
	}
	b, err := parse(to)
	if err != nil {
		return 0, err
	}
	if a.Major() != b.Major() {
		return 0, fmt.Errorf("%s has another major version than %s", to, from)
	}
	return int(b.Minor()) - int(a.Minor()), nil
}

func parse(v string) (*version.Version, error) {
	parsed, err := version.ParseGeneric(v)
	if err != nil {
		return nil, fmt.Errorf("reading a version of Kubernetes: %w", err)
	}
	return parsed, nil
}

// compare orders minor versions.
func compare(a, b string) int {
	order, _ := version.MustParseGeneric(a).Compare(b)
	return order
}
