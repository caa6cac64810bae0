package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// manifest is a package.json.
type manifest struct {
	Name, Version string
	Dependencies  map[string]string
}

// npmPackages are the dependencies of a package.json, and theirs. Those for development don't reach any page.
func npmPackages(file string) ([]part, error) {
	first, err := readManifest(file)
	if err != nil {
		return nil, err
	}
	installed := filepath.Join(filepath.Dir(file), "node_modules")
	var parts []part
	seen := map[string]bool{}
	for left := slices.Sorted(maps.Keys(first.Dependencies)); len(left) > 0; left = left[1:] {
		name := left[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		folder := filepath.Join(installed, filepath.FromSlash(name))
		m, err := readManifest(filepath.Join(folder, "package.json"))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{m.Name + " " + m.Version, []string{folder}})
		left = append(left, slices.Sorted(maps.Keys(m.Dependencies))...)
	}
	return parts, nil
}

func readManifest(file string) (m manifest, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return m, fmt.Errorf("reading a package.json: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("reading %s: %w", file, err)
	}
	return m, nil
}
