package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/fieldmark/fieldmark/"

// test tests one version.
func test(ctx context.Context, root, minor string) (result, error) {
	r := result{}
	err := on(root, minor, func(s stage) (err error) {
		if err := s.onCluster(ctx); err != nil {
			return err
		}
		if err := s.signIn(ctx); err != nil {
			return err
		}
		if err := s.learn(ctx, "lessons/guide"); err != nil {
			return err
		}
		r, err = s.readResult()
		return err
	})
	return r, err
}

// testLesson checks only one lesson, on a version that was tested before, and keeps which of its recorded responses the server has confirmed.
func testLesson(ctx context.Context, root, minor, id string, r *result) error {
	return on(root, minor, func(s stage) error {
		if err := s.learn(ctx, "lessons/guide/"+id); err != nil {
			return err
		}
		var found result
		if err := s.readLessons(&found); err != nil {
			return err
		}
		if len(found.Lessons.Failed) > 0 {
			return fmt.Errorf("the lesson %s failed", id)
		}
		others := slices.DeleteFunc(slices.Clone(r.Lessons.Recorded), func(name string) bool { return strings.HasPrefix(name, id+"/") })
		r.Lessons.Recorded = slices.Concat(others, found.Lessons.Recorded)
		return nil
	})
}

// on makes the stage of a version, and removes it afterwards.
func on(root, minor string, do func(s stage) error) error {
	dir, err := os.MkdirTemp("", "fieldmark-compatibility-")
	if err != nil {
		return fmt.Errorf("making a folder for the output: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s := stage{dir: dir, minor: minor}
	if s.root, err = filepath.Abs(root); err != nil {
		return fmt.Errorf("finding the repository: %w", err)
	}
	return do(s)
}

// stage is where one version is tested. Its folder has what the programs said.
type stage struct{ root, dir, minor string }

// The files of a stage.
const (
	testsFile    = "tests.json"
	teamFile     = "team.json"
	featuresFile = "features.json"
	lessonsFile  = "lessons.json"
	readyFile    = "ready"
)

// onCluster runs the tests that share a practice cluster, and asks it for its features.
func (s stage) onCluster(ctx context.Context) error {
	fmt.Println("Go tests on a practice cluster")
	script := `echo "$FIELDMARK_TEST_PRACTICE_READY_MS" >"$0/` + readyFile + `"
FIELDMARK_TEST_OFFERS="$0/` + featuresFile + `" go test -json -count=1 -vet=off -timeout 15m "$@" >"$0/` + testsFile + `"`
	args := append([]string{"dev/scripts/with-practice.sh", "bash", "-euc", script, s.dir}, packages()...)
	return allowFailure(s.command(ctx, args...).Run())
}

// signIn tests the shared mode, with a practice cluster of its own.
func (s stage) signIn(ctx context.Context) error {
	fmt.Println("Signing in to two shared Fieldmarks")
	out, err := os.Create(filepath.Join(s.dir, teamFile))
	if err != nil {
		return fmt.Errorf("keeping the output: %w", err)
	}
	defer func() { _ = out.Close() }()
	cmd := s.command(ctx, "go", "test", "-C", teamModule, "-json", "-count=1", "-vet=off", "-parallel", "8", ".")
	cmd.Stdout = out
	return allowFailure(cmd.Run())
}

// learn checks the lessons.
func (s stage) learn(ctx context.Context, lessons string) error {
	fmt.Println("Lessons of the guide")
	out, err := os.Create(filepath.Join(s.dir, lessonsFile))
	if err != nil {
		return fmt.Errorf("keeping the output: %w", err)
	}
	defer func() { _ = out.Close() }()
	cmd := s.command(ctx, "bin/fieldmark-lessons", "check", "--json", "--retry", "--practice-version", s.minor, "--kubectl", "bin/kubectl", lessons)
	cmd.Stdout = out
	return allowFailure(cmd.Run())
}

func (s stage) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "FIELDMARK_TEST_KUBERNETES="+s.minor,
		"FIELDMARK_BIN="+filepath.Join(s.root, "bin", "fieldmark"), "FIELDMARK_PRACTICE_BIN="+filepath.Join(s.root, "bin", "fieldmark-practice"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

// allowFailure lets a program exit with an error: what failed is in its output. A program that doesn't run at all has none, and is an error when it is
// read.
func allowFailure(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return err
}

// readResult reads what the programs said.
func (s stage) readResult() (result, error) {
	r := result{Tests: map[string]count{}}
	ready, err := os.ReadFile(filepath.Join(s.dir, readyFile))
	if err != nil {
		return r, fmt.Errorf("the practice cluster didn't start: %w", err)
	}
	if r.ReadyMs, err = strconv.Atoi(strings.TrimSpace(string(ready))); err != nil {
		return r, fmt.Errorf("reading when the practice cluster was ready: %w", err)
	}
	if err := s.decode(featuresFile, &r.Features); err != nil {
		return r, err
	}
	if err := s.readLessons(&r); err != nil {
		return r, err
	}
	r.Version = r.Lessons.Server
	var ended []event
	for _, name := range []string{testsFile, teamFile} {
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return r, fmt.Errorf("reading the tests: %w", err)
		}
		some, err := endsOf(bytes.NewReader(text), os.Stdout)
		if err != nil {
			return r, err
		}
		ended = append(ended, some...)
	}
	for _, row := range rows {
		r.Tests[row.name] = row.countTests(ended)
		if c := r.Tests[row.name]; c.Passed+len(c.Failed) == 0 {
			return r, fmt.Errorf("no test of %q ran", row.name)
		}
	}
	return r, nil
}

// readLessons reads what the checker of the lessons said.
func (s stage) readLessons(r *result) error {
	var checked struct {
		lessons

		Skipped []json.RawMessage `json:"skipped"` // instead of their number
	}
	if err := s.decode(lessonsFile, &checked); err != nil {
		return err
	}
	r.Lessons = checked.lessons
	r.Lessons.Skipped = len(checked.Skipped)
	return nil
}

func (s stage) decode(name string, v any) error {
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return fmt.Errorf("reading the output: %w", err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// event is a line of `go test -json`.
type event struct{ Action, Package, Test, Output string }

// endsOf are the ends of tests and of packages. What failed tests wrote goes to out.
func endsOf(text io.Reader, out io.Writer) ([]event, error) {
	var ends []event
	said := map[string]string{}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("reading the line %.100q of a test: %w", lines.Text(), err)
		}
		switch key := e.Package + " " + e.Test; e.Action {
		case "output", "build-output":
			said[key] += e.Output
		case "fail":
			_, _ = io.WriteString(out, said[key])
			ends = append(ends, e)
		case "pass", "skip":
			ends = append(ends, e)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the tests: %w", err)
	}
	return ends, nil
}

// countTests counts the tests of a row, without their parts. A package that failed without a failed test (it wasn't compiled, or it was stopped) counts as a
// failure.
func (r row) countTests(ends []event) count {
	var c count
	for _, s := range r.tests {
		failed := false
		for _, e := range ends {
			whole := strings.HasSuffix(e.Package, "/"+s.pkg) && e.Test == ""
			mine := e.Package == module+s.pkg && e.Test != "" && !strings.Contains(e.Test, "/") && s.names.MatchString(e.Test)
			switch {
			case mine && e.Action == "pass":
				c.Passed++
			case mine && e.Action == "fail":
				failed = true
				c.Failed = append(c.Failed, e.Test)
			case whole && e.Action == "fail" && !failed && !anyFailed(ends, e.Package):
				c.Failed = append(c.Failed, s.pkg)
			}
		}
	}
	slices.Sort(c.Failed)
	c.Failed = slices.Compact(c.Failed)
	return c
}

// anyFailed tells whether a test of the package failed.
func anyFailed(ends []event, pkg string) bool {
	return slices.ContainsFunc(ends, func(e event) bool { return e.Package == pkg && e.Test != "" && e.Action == "fail" })
}
