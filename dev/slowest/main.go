// slowest filters the output of `go test -json`. It writes what go test writes without -json, and lists the slowest tests before the
// summary: a line for each package.
//
//	go test -json ./... | go run ./dev/slowest
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// most is how many tests are listed, and least how many seconds a test takes that is worth a line.
const (
	most  = 12
	least = 2
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "slowest:", err)
		os.Exit(1)
	}
}

// event is a line of `go test -json`. Lines of the build have no package.
type event struct {
	Action  string
	Package string
	Test    string
	Elapsed float64
	Output  string
}

// name names a test, or the whole of a package.
type name struct{ pkg, test string }

// slow is a test that is over.
type slow struct {
	name
	seconds float64
}

// report gathers what tests say until it is known whether they pass.
type report struct {
	out     *bufio.Writer
	said    map[name]*strings.Builder
	slow    []slow
	summary []string
	failed  bool
}

func run(in io.Reader, out io.Writer) error {
	r := &report{out: bufio.NewWriter(out), said: map[name]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.take(line)
			if err := r.out.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	r.end()
	return r.out.Flush()
}

// take takes a line. What is no event is of go itself, and is passed on.
func (r *report) take(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		_, _ = r.out.Write(line)
		return
	}
	of := name{e.Package, e.Test}
	switch e.Action {
	case "output":
		if r.said[of] == nil {
			r.said[of] = &strings.Builder{}
		}
		r.said[of].WriteString(e.Output)
	case "build-output":
		_, _ = r.out.WriteString(e.Output)
	case "pass", "skip", "fail":
		r.over(of, e)
	}
}

// over notes how long a test took, and writes what it said if it failed. Of a package it keeps the last line for the summary.
func (r *report) over(of name, e event) {
	text := ""
	if said := r.said[of]; said != nil {
		text = said.String()
		delete(r.said, of)
	}
	if of.test != "" {
		r.slow = append(r.slow, slow{of, e.Elapsed})
		if e.Action == "fail" {
			_, _ = r.out.WriteString(without(text, "=== "))
		}
		return
	}
	if e.Action == "fail" {
		r.failed = true
		r.unfinished(of.pkg)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	last := lines[len(lines)-1]
	r.summary = append(r.summary, strings.TrimSuffix(last, "\n"))
	if e.Action == "fail" { // what a package says outside of tests: why it could not go on
		_, _ = r.out.WriteString(without(strings.Join(lines[:len(lines)-1], ""), "=== "))
	}
}

// unfinished writes what the tests said in whose midst a package ended.
func (r *report) unfinished(pkg string) {
	for of, said := range r.said {
		if of.pkg == pkg && of.test != "" {
			_, _ = r.out.WriteString(without(said.String(), "=== "))
			delete(r.said, of)
		}
	}
}

// without leaves lines out by how they begin.
func without(text, prefix string) string {
	var kept strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		if !strings.HasPrefix(line, prefix) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func (r *report) end() {
	slices.SortFunc(r.slow, func(a, b slow) int { return cmp.Compare(b.seconds, a.seconds) })
	for i, s := range r.slow {
		if i == most || s.seconds < least {
			break
		}
		if i == 0 {
			_, _ = fmt.Fprintln(r.out, "The slowest tests:")
		}
		_, _ = fmt.Fprintf(r.out, "  %6.1f s  %s %s\n", s.seconds, s.pkg, s.test)
	}
	for _, line := range r.summary {
		_, _ = fmt.Fprintln(r.out, line)
	}
	if r.failed {
		_, _ = fmt.Fprintln(r.out, "FAIL")
	}
}
