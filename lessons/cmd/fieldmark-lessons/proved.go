package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/check"
)

// proved are the lessons and tasks that kubectl has passed with one version of Kubernetes. kubectl does the same again as long as neither
// their text nor Kubernetes changes, and it takes nearly half of the time of a test. So a file in the repository keeps them.
type proved struct {
	server string
	sums   map[string]string // by file, as name has it
}

const provedHead = "# What kubectl has passed with Kubernetes %s, by the text that the file had then. `make lesson` and `make prove-lessons` write this.\n"

// readProved reads the file, if there is a path. What it says of another version of Kubernetes is left out.
func readProved(path, server string) (proved, error) {
	p := proved{server: server, sums: map[string]string{}}
	if path == "" {
		return p, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("reading what kubectl has passed: %w", err)
	}
	rows, ok := strings.CutPrefix(string(text), fmt.Sprintf(provedHead, server))
	if !ok {
		return p, nil
	}
	for row := range strings.Lines(rows) {
		if file, sum, ok := strings.Cut(strings.TrimSpace(row), "\t"); ok {
			p.sums[file] = sum
		}
	}
	return p, nil
}

// has tells whether kubectl has passed a file as it is now.
func (p proved) has(file string) bool {
	sum, known := p.sums[name(file)]
	return known && sum == sumOf(file)
}

// add takes the result of a lesson in. What has failed isn't proved any more.
func (p proved) add(r check.Report) {
	for _, file := range r.Commanded {
		if delete(p.sums, name(file)); r.OK() {
			p.sums[name(file)] = sumOf(file)
		}
	}
}

func (p proved) write(path string) error {
	var text strings.Builder
	fmt.Fprintf(&text, provedHead, p.server)
	for _, file := range slices.Sorted(maps.Keys(p.sums)) {
		fmt.Fprintf(&text, "%s\t%s\n", file, p.sums[file])
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil { //nolint:gosec // a file of the repository
		return fmt.Errorf("writing what kubectl has passed: %w", err)
	}
	return nil
}

// name is the name of a lesson's file, without the folder of its guide.
func name(file string) string { return filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file) }

// sumOf is a checksum of a file's text; empty: it can't be read.
func sumOf(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
