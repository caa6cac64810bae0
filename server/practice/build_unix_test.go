//go:build unix

package practice

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
)

func TestABuildSaysWhatItKnows(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	b := &Build{}
	if got := b.progressText(); got != "Fieldmark is finding out which parts of the practice cluster must be compiled" || b.much() {
		t.Errorf("at first: %q", got)
	}
	for _, c := range []struct {
		after time.Duration
		news  Build
		words string
		much  bool
	}{
		{0, Build{Step: Download}, "the source code of the practice cluster is being downloaded: 0 modules so far", true},
		{time.Second, Build{Step: Download, Done: 1}, "the source code of the practice cluster is being downloaded: 1 module so far", true},
		{9 * time.Second, Build{Step: Compile, Done: 140, Total: 1140}, "the practice cluster is being compiled: 140 of 1,140 packages", true},
		{5 * time.Second, Build{Step: Compile, Done: 190, Total: 1140}, "the practice cluster is being compiled: 190 of 1,140 packages", true},
		{55 * time.Second, Build{Step: Compile, Done: 240, Total: 1140}, "the practice cluster is being compiled: 240 of 1,140 packages, about 9 minutes left", true},
		{8 * time.Minute, Build{Step: Compile, Done: 1040, Total: 1140}, "the practice cluster is being compiled: 1,040 of 1,140 packages, about 1 minute left", true},
		{time.Second, Build{Step: Compile, Done: 1110, Total: 1140}, "the practice cluster is being compiled: 1,110 of 1,140 packages, less than a minute left", false},
		{time.Second, Build{Step: Link}, "the practice cluster is being compiled: all packages are done, and the linker makes one program of them", false},
	} {
		at = at.Add(c.after)
		b = b.with(c.news, at)
		if b.progressText() != c.words || b.much() != c.much {
			t.Errorf("%+v: %q, much %v", c.news, b.progressText(), b.much())
		}
	}
}

func TestTheBuildComesFirst(t *testing.T) {
	for how, c := range map[string]struct {
		binary string // relative to the folder; empty: the test binary itself
		phase  cluster.Phase
		says   string
	}{
		"is built":       {"", cluster.Starting, "the practice cluster is starting"},
		"can't be built": {"", cluster.Failed, "the practice cluster can’t be compiled: the build ended unexpectedly (exit status 1)"},
		"builds nothing": {"none", cluster.Failed, "the practice cluster failed: can't start its program "},
	} {
		t.Run(how, func(t *testing.T) {
			var mu sync.Mutex
			var told []string
			o := Options{Build: os.Args[0], OnProgress: func(g Progress) {
				mu.Lock()
				defer mu.Unlock()
				if g.Build.underWay() {
					s := StateOf(g)
					told = append(told, string(s.Phase)+" "+s.Text)
				}
			}}
			t.Setenv(fakeEnv, how)
			t.Setenv("TMPDIR", t.TempDir())
			o.Binary = os.Args[0]
			if c.binary != "" {
				o.Binary = filepath.Join(t.TempDir(), c.binary)
			}
			p, err := Start(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = p.Stop(context.WithoutCancel(t.Context())) })
			within(t, p.Compiling())
			select {
			case <-p.APIReady():
			case <-p.Done():
			case <-time.After(20 * time.Second):
				t.Fatalf("%+v", p.Progress())
			}
			if s := StateOf(p.Progress()); s.Phase != c.phase || !strings.HasPrefix(s.Text, c.says) {
				t.Errorf("%+v", s)
			}
			if log := p.Progress().Build.Log; (how == "can't be built") != slices.Contains(log, "types.go:12:2: no space left on device") {
				t.Errorf("log %q", log)
			}
			mu.Lock()
			defer mu.Unlock()
			if want := "compiling the practice cluster is being compiled: 40 of 100 packages"; !slices.Contains(told, want) {
				t.Errorf("on the way: %q", told)
			}
			if len(told) > 3 {
				t.Errorf("nonsense was told: %q", told)
			}
		})
	}
}

func TestABuildIsStopped(t *testing.T) {
	for how, killed := range map[string]bool{"builds without an end": false, "builds and is deaf": true} {
		p := start(t, how, Options{Build: os.Args[0], Grace: 2 * time.Second})
		within(t, p.Compiling())
		if err := p.Stop(t.Context()); (err != nil) != killed {
			t.Errorf("%s: %v", how, err)
		}
		if g := p.Progress(); !g.Ended || g.Failed != "" || g.Summary() != "the practice cluster was stopped" {
			t.Errorf("%s: %+v", how, g)
		}
	}
}

func TestABuildThatIsNoProgram(t *testing.T) {
	_, err := Start(t.Context(), Options{Build: filepath.Join(t.TempDir(), "none")})
	if err == nil || !strings.Contains(err.Error(), "no such file") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

// pretendGo is a go command with five packages to compile. Its cache is a file with the number of those that are compiled.
const pretendGo = `#!/usr/bin/env bash
cd %q
made=$(cat made)
case "$1 $*" in
list*Stale*) for n in 1 2 3 4 5; do [ $n -le $made ] && echo false || echo true; done ;;
list*) ;;
build*)
	echo $$ >pid
	trap 'echo interrupted >interrupted; exit 1' TERM
	while [ $made -lt 5 ]; do
		echo "k8s.io/p$((made + 1))" >&2
		if [ -e "fails-$made" ]; then printf '# k8s.io/p\np.go:1:1: undefined: q\n' >&2; exit 1; fi
		until [ -e "go-$made" ]; do sleep 0.02; done
		made=$((made + 1))
		echo $made >made
	done
	cp program "$(sed 's/.* -o \([^ ]*\) .*/\1/' <<<"$*")fieldmark-practice" ;;
esac
`

// world is a folder with a go command that does nothing but what a test lets it do.
type world string

func newWorld(t *testing.T) world {
	t.Helper()
	w := world(t.TempDir())
	w.put(t, "go", fmt.Sprintf(pretendGo, w))
	w.put(t, "made", "0")
	w.put(t, "program", "#!/bin/sh\necho '{\"step\":\"apiserver\",\"state\":\"done\"}'\ncat >/dev/null\n")
	t.Setenv("PATH", string(w)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return w
}

func (w world) put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(string(w), name), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestTheBuildScript runs practice/build.sh: it is interrupted, it fails, it continues, and it has nothing to do.
func TestTheBuildScript(t *testing.T) {
	script, err := filepath.Abs(filepath.Join("..", "..", "practice", "build.sh"))
	if err != nil {
		t.Fatal(err)
	}
	w, out := newWorld(t), t.TempDir()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	begun := func() *Practice {
		p, err := Start(t.Context(), Options{Build: script, Binary: filepath.Join(out, BinaryName), Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Stop(context.WithoutCancel(t.Context())) })
		return p
	}

	interrupted := begun()
	reaches(t, interrupted, 1)
	w.put(t, "go-0", "")
	w.put(t, "go-1", "")
	reaches(t, interrupted, 3)
	if err := interrupted.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(string(w), "interrupted")); err != nil {
		t.Error("go was not asked to end:", err)
	}
	gone(t, filepath.Join(string(w), "pid"))

	w.put(t, "fails-3", "")
	w.put(t, "go-2", "")
	fails := begun()
	if g := ended(t, fails); !g.Build.Failed || g.Build.Done != 0 || !slices.Equal(g.Build.Log, []string{"# k8s.io/p", "p.go:1:1: undefined: q"}) {
		t.Errorf("it fails with %+v, %+v", g, g.Build)
	}

	if err := os.Remove(filepath.Join(string(w), "fails-3")); err != nil {
		t.Fatal(err)
	}
	continues := begun()
	reaches(t, continues, 4) // three are in the cache
	w.put(t, "go-3", "")
	reaches(t, continues, 5)
	w.put(t, "go-4", "")
	within(t, continues.APIReady())
	if err := continues.Stop(t.Context()); err != nil {
		t.Error(err)
	}

	upToDate := begun()
	within(t, upToDate.APIReady())
	select {
	case <-upToDate.Compiling():
		t.Error("a build with nothing to do says that it takes minutes")
	default:
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// reaches waits until so many packages of five are compiled, the current one included.
func reaches(t *testing.T, p *Practice, done int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		b := p.Progress().Build
		if b.Total == 5 && b.Done == done || b.Step == Link && done == 5 {
			return
		}
		if time.Now().After(deadline) || b.Done > done {
			t.Fatalf("%d packages, want %d: %+v", b.Done, done, p.Progress())
		}
	}
}

// gone waits until no process has the number in the file.
func gone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

func within(t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it doesn't come")
	}
}
