package check

import (
	"bufio"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// What tests on a practice cluster find it and the program by.
const (
	practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"
	programEnv  = "FIELDMARK_BIN"
	token       = "a-token-that-is-long-enough"
)

// options lead to a Fieldmark on the practice cluster that runs for the tests.
func options(t *testing.T) Options {
	t.Helper()
	kubeconfig, program := os.Getenv(practiceEnv), os.Getenv(programEnv)
	if kubeconfig == "" || program == "" {
		t.Skip("no practice cluster: make test-cluster starts one")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--listen", "127.0.0.1:0", "--practice", "off", "--kubeconfig", kubeconfig, "--log-level", "error")
	cmd.Env = append(os.Environ(), "FIELDMARK_TOKEN="+token)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(line[strings.Index(line, "http"):strings.Index(line, "?")])
	if err != nil {
		t.Fatal(err)
	}
	client, err := Connect(t.Context(), "http://"+address.Host, token, "practice")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	_, version, err := client.Version(ctx)
	if err != nil || !version.Known() {
		t.Fatalf("the version of the server is %s: %v", version, err)
	}
	return Options{Client: client, Version: version, Parallel: 2}
}

// read reads the lessons of a folder.
func read(t *testing.T, folder string) []lesson.Lesson {
	t.Helper()
	guide, problems := lessons.Read(os.DirFS(folder), "f")
	if err := problems.Severe().Err(); err != nil {
		t.Fatal(err)
	}
	return guide.Lessons
}

func TestPracticeExampleHolds(t *testing.T) {
	o := options(t)
	for _, l := range read(t, filepath.Join("..", "markdown", "testdata", "guide")) {
		report := Run(t.Context(), o, l)
		if !report.OK() || report.Proved == 0 || report.Requests != 5 || len(report.Recorded)+len(report.Skips) != 2 {
			t.Errorf("%+v", report)
		}
	}
}

// lies are what lessons in testdata are wrong about, by lesson: lines, and words of what is said about each.
var lies = map[string][]string{
	"lying": {
		"f/lying/lesson.md:17: the right choice is wrong. status = 200: expected that the value is 200, but it is 201",
		"f/lying/lesson.md:20: a wrong choice is right, because this is true: status = 201",
		"f/lying/lesson.md:32: json .data.color = blue: expected that the value is blue, but it is red",
		"f/lying/lesson.md:33: json .data.size is present: expected that the value is present, but it is nothing",
		"f/lying/lesson.md:37: the note on header X-Nothing: the response to made has no such value",
		"f/lying/lesson.md:40: the recording of made isn't what Kubernetes 1.37 responds (warning: \"299 - \\\"It never came.\\\"\" is recorded, and the response has \"\"); the response is below",
		"f/lying/lesson.md:50: status = 404: expected that the value is 404, but it is 200, even after 1s",
		"f/lying/lesson.md:53: not tested, and no later step, because of this failure",
	},
	"idle": {
		"f/idle/lesson.md:20: all checks of this step pass before its requests are sent, so they check nothing; check the responses, or what the requests change",
		"f/idle/lesson.md:25: not tested, and no later step, because of this failure",
	},
	"empty": {
		"f/empty/lesson.md:12: if status = 20: this is true for no response, so the choice would always be wrong; write what the response would have if the choice were right",
		"f/empty/lesson.md:24: status < 600: this is true for every response, so the check is useless; check something that only the right response has",
		"f/empty/lesson.md:25: count .data >= 0: this is true for every response, so the check is useless; check something that only the right response has",
	},
}

func TestPracticeLiesAreFound(t *testing.T) {
	o := options(t)
	found := map[string][]string{}
	All(t.Context(), o, read(t, "testdata"), func(r Report) {
		for _, f := range r.Failures {
			found[r.Lesson] = append(found[r.Lesson], strings.SplitN(f.String(), "\n", 2)[0])
		}
		slices.Sort(found[r.Lesson])
	})
	for id, want := range lies {
		if !slices.Equal(found[id], want) {
			t.Errorf("%s: found\n  %s\nwant\n  %s", id, strings.Join(found[id], "\n  "), strings.Join(want, "\n  "))
		}
	}
	if len(found) != len(lies) {
		t.Error(found)
	}
}

func TestPracticeNothingStays(t *testing.T) {
	o := options(t)
	for _, l := range read(t, "testdata") {
		Run(t.Context(), o, l)
	}
	a, err := o.Client.sendRequest(t.Context(), lesson.Request{Method: "GET", Target: "/api/v1/namespaces"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lesson.ParseStatement(`body lacks "name":"learn-lying`)
	if err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); !s.Judge(a, nil).OK; time.Sleep(time.Second) {
		if time.Now().After(until) {
			t.Fatal("a namespace stays")
		}
		if a, err = o.Client.sendRequest(t.Context(), lesson.Request{Method: "GET", Target: "/api/v1/namespaces"}); err != nil {
			t.Fatal(err)
		}
	}
}
