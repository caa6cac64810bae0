package logs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var start = time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)

func source(image string) Source {
	return Source{Namespace: "shop", Pod: "p-0", UID: "u-1", Container: "c", Image: image, Owner: "ReplicaSet", Started: start}
}

func collect(l *Log, from, to time.Time) []Line { return slices.Collect(l.Between(from, to)) }

var kinds = map[string]struct {
	source Source
	line   *regexp.Regexp
}{
	"web":      {func() Source { s := source("example.com/storefront:2"); s.Port = 8080; return s }(), regexp.MustCompile(`^(\d+\.){3}\d+ - - \[04/May/2026:10:\d\d:\d\d \+0000\] "(GET|POST) /\S* HTTP/1.1" \d{3} \d+ ".*" ".*"$|^2026/05/04 10:\d\d:\d\d \[\w+\] 1#1: `)},
	"worker":   {source("example.com/mailer:1"), regexp.MustCompile(`^\{"time":"2026-05-04T10:\d\d:\d\d\.\d{3}Z","level":"\w+","msg":".*\}$`)},
	"database": {source("postgres:17"), regexp.MustCompile(`^2026-05-04 10:\d\d:\d\d\.\d{3} UTC \[\d+\] [A-Z]+:  `)},
	"operator": {source("example.com/image-operator:1"), regexp.MustCompile(`^[IWEF]0504 10:\d\d:\d\d\.\d{6}       1 \S+\.go:\d+\] `)},
}

func TestEachKindWritesAsItsKind(t *testing.T) {
	for name, k := range kinds {
		lines := collect(New(k.source), start, start.Add(20*time.Minute))
		if len(lines) < 100 {
			t.Errorf("%s: only %d lines", name, len(lines))
		}
		for _, line := range lines {
			if !k.line.MatchString(line.Text) {
				t.Errorf("%s: %q", name, line.Text)
			}
			if name == "worker" && !json.Valid([]byte(line.Text)) {
				t.Errorf("not JSON: %q", line.Text)
			}
		}
	}
}

func TestEveryWayOfReadingGivesTheSameLines(t *testing.T) {
	sources := map[string]Source{}
	for name, k := range kinds {
		sources[name] = k.source
	}
	for _, style := range []string{StyleText, StyleHostile, StyleEndless} {
		s := source("postgres:17")
		s.Style = style
		sources[style] = s
	}
	for name, s := range sources {
		l := New(s)
		now := start.Add(17*time.Minute + 123*time.Millisecond)
		all := collect(l, start, now)
		if !slices.IsSortedFunc(all, func(a, b Line) int { return a.At.Compare(b.At) }) {
			t.Errorf("%s: the times aren't in order", name)
		}
		if got := collect(l, now.AddDate(1000, 0, 0), now); len(got) > 0 {
			t.Errorf("%s: %d lines of the future", name, len(got))
		}
		if got := collect(l, time.Time{}, now); !slices.Equal(got, all) {
			t.Errorf("%s: all since the beginning of time differ", name)
		}
		for _, n := range []int{0, 1, 5, 100, len(all), len(all) + 10} {
			if got := l.Tail(n, now); !slices.Equal(got, all[max(0, len(all)-n):]) {
				t.Errorf("%s: the last %d lines differ", name, n)
			}
		}
		for _, cut := range []time.Time{start.Add(time.Second), start.Add(4 * time.Minute), now} {
			if got := append(collect(l, start, cut), collect(l, cut, now)...); !slices.Equal(got, all) {
				t.Errorf("%s: what is followed from %s on differs", name, cut)
			}
		}
	}
}

func TestOtherRunsHaveOtherLogs(t *testing.T) {
	one := kinds["worker"].source
	text := func(s Source) string { return fmt.Sprint(collect(New(s), start, start.Add(time.Minute))) }
	again, pod, run := one, one, one
	if text(one) != text(again) {
		t.Error("the same run has two logs")
	}
	pod.UID = "u-2"
	run.Started = start.Add(time.Second)
	if text(one) == text(pod) || text(one) == text(run) {
		t.Error("two runs have the same log")
	}
}

func TestTheLastLinesSayHowItEnded(t *testing.T) {
	for name, k := range kinds {
		for _, end := range []struct {
			code   int32
			reason string
			words  string
		}{{3, "Error", "3"}, {137, "OOMKilled", ""}, {143, "Error", ""}} {
			s := k.source
			s.Ended, s.ExitCode, s.Reason = start.Add(time.Minute), end.code, end.reason
			running := collect(New(k.source), start, s.Ended)
			lines := collect(New(s), start, start.Add(time.Hour))
			if !slices.Equal(lines[:len(running)], running) {
				t.Errorf("%s: the end changed what was written before", name)
			}
			last := lines[len(lines)-1]
			if !last.At.Before(s.Ended.Add(time.Second)) {
				t.Errorf("%s: a line at %s, after the end", name, last.At)
			}
			if end.words != "" && !(strings.Contains(last.Text, end.words) && strings.Contains(last.Text, end.reason)) {
				t.Errorf("%s, exit code %d: the last line is %q", name, end.code, last.Text)
			}
			if end.code == 137 && (strings.Contains(last.Text, "137") || strings.Contains(last.Text, "SIGTERM")) {
				t.Errorf("%s: it was killed, and still wrote %q", name, last.Text)
			}
		}
	}
}

func TestAContainerThatRanForAMomentHasAWholeLog(t *testing.T) {
	s := source("example.com/import:3")
	s.Owner, s.Ended, s.Reason = "Job", start, "Completed"
	lines := collect(New(s), start, start.Add(time.Second))
	if n := len(lines); n < 2 || !strings.Contains(lines[0].Text, "starting") || !strings.Contains(lines[n-1].Text, "all items are done") {
		t.Errorf("%v", lines)
	}
}

func TestARateIsKept(t *testing.T) {
	s := kinds["web"].source
	s.Rate = 5000
	if n := len(collect(New(s), start.Add(opening), start.Add(opening+3*time.Second))); n != 15_000 {
		t.Errorf("%d lines in 3 seconds", n)
	}
}

func TestOnlyTheNewestFileCanBeRead(t *testing.T) {
	s := kinds["web"].source
	s.Rate = 5000
	l := New(s)
	now := start.Add(opening + 210*time.Second) // a file has the lines of 200 seconds
	all := collect(l, start, now)
	if len(all) != 50_000 || all[0].At.Before(start.Add(opening+200*time.Second)) {
		t.Errorf("%d lines, the first at %s", len(all), all[0].At)
	}
	if got := l.Tail(200_000, now); len(got) != 50_000 {
		t.Errorf("a tail of %d lines", len(got))
	}
}

func TestWhatOnlyWaitsWritesNothing(t *testing.T) {
	for _, command := range [][]string{{"sleep", "1000"}, {"/bin/sh"}} {
		s := source("busybox")
		s.Command = command
		if lines := collect(New(s), start, start.Add(time.Hour)); len(lines) != 0 {
			t.Errorf("%v: %v", command, lines)
		}
	}
}

func TestEachStyleIsWhatItsNameSays(t *testing.T) {
	for style, is := range map[string]func(all string, lines []Line) bool{
		StyleJSON: func(_ string, lines []Line) bool {
			return !slices.ContainsFunc(lines, func(l Line) bool { return !json.Valid([]byte(l.Text)) })
		},
		StyleText: func(all string, _ []Line) bool { return strings.Contains(all, " ERROR [orders] order ") },
		StyleANSI: func(all string, _ []Line) bool {
			return strings.Contains(all, "\x1b[38;2;") && strings.Contains(all, "\r") && !strings.Contains(all, "\x1b]")
		},
		StyleHostile: func(all string, lines []Line) bool {
			return !slices.ContainsFunc(hostileLines, func(line string) bool { return !strings.Contains(all, line) }) &&
				slices.ContainsFunc(lines, func(l Line) bool { return len(l.Text) == longLine })
		},
		StyleBinary:  func(all string, _ []Line) bool { return !utf8.ValidString(all) && strings.Contains(all, "\x00") },
		StyleEndless: func(all string, lines []Line) bool { return len(all) == len(lines)*(chunk+1) && lines[0].Open },
	} {
		s := source("postgres:17")
		s.Style = style
		lines := collect(New(s), start.Add(opening), start.Add(10*time.Minute))
		texts := make([]string, len(lines))
		for i, line := range lines {
			if texts[i] = line.Text + "\n"; strings.Contains(line.Text, "\n") {
				t.Errorf("%s: a line with a newline: %q", style, line.Text)
			}
		}
		if len(lines) < 500 || !is(strings.Join(texts, ""), lines) {
			t.Errorf("%s: %d lines aren't what they should be", style, len(lines))
		}
	}
}
