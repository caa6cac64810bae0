// Command fieldmark-lessons tests the lessons of the field guide without a browser. It sends each request through Fieldmark and checks
// each claim that can be checked. It names the line of a lesson that is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/lessons/check"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/markdown"
)

const usage = `fieldmark-lessons tries lessons of the field guide: it sends their requests and checks what they say.

Usage: fieldmark-lessons check [flags] FOLDER…

A folder is one lesson, such as lessons/guide/conflicts, or one with lessons in it, such as lessons/guide.
Without --server a Fieldmark is started, and stopped at the end.

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := runCommand(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// config has the values of the flags.
type config struct {
	server, token, cluster string
	program, kubeconfig    string
	version                string // of the new practice cluster; empty: the newest
	kubectl, through       string
	proved                 string // the file of what kubectl has passed before
	note                   bool
	parallel               int
	retry, tasks           bool
	verbose, asJSON        bool
	folders                []string
}

// Exit codes: a lesson is wrong, and the flags aren't valid.
const (
	failed = 1
	misuse = 2
)

func runCommand(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) int {
	c, err := parse(args, env, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		_, _ = fmt.Fprintln(stderr, "fieldmark-lessons:", err)
		return misuse
	}
	if err := c.check(ctx, stdout, stderr); err != nil {
		_, _ = fmt.Fprintln(stderr, "fieldmark-lessons:", err)
		return failed
	}
	return 0
}

func parse(args []string, env func(string) string, stderr io.Writer) (config, error) {
	var c config
	f := flag.NewFlagSet("fieldmark-lessons", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		_, _ = fmt.Fprint(stderr, usage)
		f.PrintDefaults()
	}
	f.StringVar(&c.server, "server", "", "`address` of a running Fieldmark, such as http://127.0.0.1:8080; without it, a new one is started")
	f.StringVar(&c.token, "token", env("FIELDMARK_TOKEN"), "the launch `token` of the running Fieldmark; the default is $FIELDMARK_TOKEN")
	f.StringVar(&c.cluster, "cluster", "practice", "`name` of the cluster to use, which is the name of its context")
	f.StringVar(&c.program, "fieldmark", "", "the `program` to start; the default is the one in the folder of this program")
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "kubeconfig `file` for the new Fieldmark; without it, Fieldmark starts a practice cluster")
	f.StringVar(&c.version, "practice-version", "", "minor `version` of the new practice cluster, such as 1.33")
	f.StringVar(&c.kubectl, "kubectl", "", "test the lessons a second time with this kubectl `program`, through Fieldmark")
	f.StringVar(&c.through, "through", "", "with --server and --kubectl: the kubeconfig `file` that Fieldmark writes (--kubeconfig-out)")
	f.StringVar(&c.proved, "proved", "", "with --kubectl: leave kubectl out for lessons and tasks that this `file` lists, as long as their text and Kubernetes are the same")
	f.BoolVar(&c.note, "note", false, "with --proved: leave kubectl out for none, and write into the file what it has passed")
	f.IntVar(&c.parallel, "parallel", 4, "how `many` lessons to test at the same time")
	f.BoolVar(&c.retry, "retry", false, "test a failed lesson once more, alone, and say so")
	f.BoolVar(&c.tasks, "tasks", false, "test the tasks only, not the lessons")
	f.BoolVar(&c.verbose, "v", false, "print each request")
	f.BoolVar(&c.asJSON, "json", false, "print one JSON document at the end, and nothing else")
	if len(args) == 0 || args[0] != "check" {
		f.Usage()
		if len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]) {
			return c, flag.ErrHelp
		}
		return c, errors.New("the command is check")
	}
	if err := f.Parse(args[1:]); err != nil {
		return c, fmt.Errorf("reading the flags: %w", err)
	}
	c.folders = f.Args()
	switch {
	case len(c.folders) == 0:
		return c, errors.New("name the folders of lessons, such as lessons/guide/*")
	case c.server != "" && c.token == "":
		return c, errors.New("--server needs --token, which Fieldmark prints with its address")
	case (c.server != "" && c.kubectl != "") != (c.through != ""):
		return c, errors.New("--through needs --server and --kubectl: it is the kubeconfig with which kubectl connects to the running Fieldmark")
	case c.proved != "" && c.kubectl == "" || c.note && c.proved == "":
		return c, errors.New("--proved needs --kubectl, and --note needs --proved")
	case c.asJSON && c.verbose:
		return c, errors.New("use --json or -v, not both")
	case c.version != "" && (c.server != "" || c.kubeconfig != ""):
		return c, errors.New("--practice-version is for a new practice cluster, which neither --server nor --kubeconfig has")
	case c.server != "" && c.kubeconfig != "":
		return c, errors.New("use --kubeconfig or --server, not both: --kubeconfig is for a new Fieldmark, and --server for a running one")
	}
	return c, nil
}

// check reads and tests the lessons, and prints the result of each.
func (c config) check(ctx context.Context, stdout, stderr io.Writer) error {
	chosen, tasks, err := readLessons(c.folders, stderr)
	if err != nil {
		return err
	}
	own, err := os.MkdirTemp("", "fieldmark-lessons-")
	if err != nil {
		return fmt.Errorf("preparing a temporary folder: %w", err)
	}
	defer os.RemoveAll(own) //nolint:errcheck // the system removes temporary folders
	server, token, stop, err := c.fieldmark(ctx, check.Fieldmark{Own: own, Program: c.program, Kubeconfig: c.kubeconfig, Version: c.version, Stderr: stderr})
	if err != nil {
		return err
	}
	defer stop()
	client, err := check.Connect(ctx, server, token, c.cluster)
	if err != nil {
		return err
	}
	defer client.Close()
	o := check.Options{Client: client, Parallel: c.parallel, Retry: c.retry, Tasks: tasks, TasksOnly: c.tasks}
	if o.Kubectl, err = c.commands(own, client.Context()); err != nil {
		return err
	}
	if c.verbose {
		o.Log = &locked{w: stdout}
	}
	var all result
	if all.Server, o.Version, err = client.Version(ctx); err != nil {
		return err
	}
	all.Version = o.Version.String()
	before, err := readProved(c.proved, all.Server)
	if err != nil {
		return err
	}
	if !c.note {
		o.Proved = before.has
	}
	check.All(ctx, o, chosen, func(r check.Report) {
		all.addReport(r)
		before.add(r)
		if !c.asJSON {
			printReport(stdout, r, o.Version)
		}
	})
	if err := all.printResult(stdout, c.asJSON); err != nil {
		return err
	}
	if c.note {
		if err := before.write(c.proved); err != nil {
			return err
		}
	}
	if bad := len(all.Failed); bad > 0 {
		return fmt.Errorf("%d of %d lessons failed", bad, len(chosen))
	}
	return nil
}

// fieldmark returns the Fieldmark to use. If it was started here, stop ends it.
func (c config) fieldmark(ctx context.Context, start check.Fieldmark) (server, token string, stop func(), err error) {
	if c.server != "" {
		return c.server, c.token, func() {}, nil
	}
	return start.Start(ctx)
}

// printReport prints the result of a lesson.
func printReport(w io.Writer, r check.Report, v release.Version) {
	word, shown := "ok  ", r.Failures
	switch {
	case !r.OK():
		word = "FAIL"
	case len(r.Earlier) > 0:
		word, shown = "ok, the second time:", r.Earlier
	}
	_, _ = fmt.Fprintf(w, "%s %-24s %2d requests, %3d statements, %3d of them proved, %2d commands, %.1f s\n", word, r.Lesson, r.Requests, r.Judged, r.Proved, r.Commands, r.Took.Seconds())
	if len(r.Skips) > 0 {
		_, _ = fmt.Fprintf(w, "     skipped on Kubernetes %s: %s\n", v, skipped(r.Skips))
	}
	for _, f := range shown {
		_, _ = fmt.Fprintln(w, "    "+f.String())
	}
}

// locked is a writer that several goroutines can use.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// isOne tells whether a folder is a lesson or a case, and not one of lessons.
func isOne(folder string) bool {
	return slices.ContainsFunc([]string{"lesson.md", "case.md"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	})
}

// readLessons reads the guides of some folders, and returns the chosen lessons. It ignores errors in other lessons. It prints references that
// have no target yet, but they are no error.
func readLessons(folders []string, stderr io.Writer) ([]lesson.Lesson, map[string]lesson.Task, error) {
	var chosen []lesson.Lesson
	tasks := map[string]lesson.Task{}
	var problems markdown.Problems
	read := map[string]lessons.Guide{}
	for _, folder := range folders {
		folder = filepath.Clean(folder)
		root, id := folder, ""
		if isOne(folder) {
			root, id = filepath.Split(folder)
			root = filepath.Clean(root)
		}
		guide, known := read[root]
		if !known {
			var wrong markdown.Problems
			guide, wrong = lessons.Read(os.DirFS(root), filepath.ToSlash(root))
			read[root], problems = guide, append(problems, wrong...)
		}
		for _, l := range guide.Lessons {
			if id == "" || l.ID == id {
				chosen = append(chosen, l)
				if t, has := guide.Task(l.ID); has {
					tasks[l.ID] = t
				}
			}
		}
		for _, c := range guide.Cases {
			if id == "" || c.ID == id {
				chosen, tasks[c.ID] = append(chosen, lesson.Lesson{ID: c.ID, File: c.File, Alone: c.Alone}), c
			}
		}
	}
	if len(chosen) == 0 {
		return nil, nil, fmt.Errorf("there is no lesson.md and no case.md in %s", strings.Join(folders, ", "))
	}
	var severe markdown.Problems
	for _, p := range problems {
		switch {
		case !slices.ContainsFunc(chosen, func(l lesson.Lesson) bool { return l.File == p.File || tasks[l.ID].File == p.File }):
		case p.Missing:
			_, _ = fmt.Fprintln(stderr, "still missing:", p)
		default:
			severe = append(severe, p)
		}
	}
	return chosen, tasks, severe.Err()
}
