package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// listed is one release that has a folder.
type listed struct{ Minor, Version string }

var (
	minorVersion = regexp.MustCompile(`^1\.\d{2}$`)
	required     = regexp.MustCompile(`(?m)^\s*(?:require )?k8s\.io/kubernetes (v\S+)`)
)

// listReleases lists the releases that have a folder in practice/releases, the oldest first.
func listReleases(practice string) ([]listed, error) {
	entries, err := os.ReadDir(filepath.Join(practice, "releases"))
	if err != nil {
		return nil, fmt.Errorf("reading the folders: %w", err)
	}
	var have []listed
	for _, entry := range entries {
		if !entry.IsDir() || !minorVersion.MatchString(entry.Name()) {
			continue
		}
		file := filepath.Join(practice, "releases", entry.Name(), "go.mod")
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading the folders: %w", err)
		}
		found := required.FindSubmatch(text)
		if found == nil || !strings.HasPrefix(string(found[1]), "v"+entry.Name()+".") {
			return nil, fmt.Errorf("%s doesn't require Kubernetes %s", file, entry.Name())
		}
		have = append(have, listed{Minor: entry.Name(), Version: string(found[1])})
	}
	if len(have) == 0 {
		return nil, fmt.Errorf("%s has no folders of releases", practice)
	}
	// The minor numbers have two digits, so the order of their texts is theirs.
	slices.SortFunc(have, func(a, b listed) int { return cmp.Compare(a.Minor, b.Minor) })
	return have, nil
}

// writeList writes the list of the folders as Go.
func writeList(practice string) error {
	have, err := listReleases(practice)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("package releases\n\n// others are the releases that have a folder here, the oldest first. `make add-controlplane` writes this list.\nvar others = []Release{\n")
	for _, one := range have {
		fmt.Fprintf(&b, "\t{Minor: %q, Version: %q},\n", one.Minor, one.Version)
	}
	b.WriteString("}\n")
	if err := os.WriteFile(filepath.Join(practice, "releases", "releases.go"), b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}
