package supervise

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLastLines(t *testing.T) {
	long := strings.Repeat("x", tailBytes)
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"few", "a\nb\n", []string{"a", "b"}},
		{"many", "a\nb\nc\nd\n", []string{"b", "c", "d"}},
		{"no newline at the end", "a\nb", []string{"a", "b"}},
		{"a very long beginning", long + "\nb\nc\nd\n", []string{"b", "c", "d"}},
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(c.log), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := lastLines(path, 3); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := lastLines(filepath.Join(t.TempDir(), "none"), 3); got != nil {
		t.Errorf("no file: got %q", got)
	}
}

func TestADeathSaysWhatHowAndWhere(t *testing.T) {
	death := &Death{Component: "etcd", How: "signal: killed", LogPath: "/d/logs/etcd.log", LastLines: []string{"one", "two"}}
	want := "etcd stopped by itself (signal: killed); its log: /d/logs/etcd.log\n  one\n  two"
	if death.Error() != want {
		t.Errorf("got %q", death.Error())
	}
	death.Times, death.Within = 5, 2*time.Minute
	want = strings.Replace(want, "by itself (", "by itself 5 times within 2 minutes (", 1)
	if death.Error() != want {
		t.Errorf("got %q", death.Error())
	}
}
