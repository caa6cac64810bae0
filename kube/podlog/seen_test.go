package podlog

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func at(seconds float64) time.Time {
	return time.Date(2026, 11, 23, 21, 50, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
}

// A log that is read again from the second of its last line gives each line once.
func TestSeen(t *testing.T) {
	type said struct {
		seconds float64
		text    string
	}
	for name, c := range map[string]struct {
		before, again []said
		want          string
		gap           bool
	}{
		"nothing new":                    {[]said{{1.1, "a"}, {2.1, "b"}}, []said{{2.1, "b"}}, "", false},
		"a new line":                     {[]said{{1.1, "a"}, {2.1, "b"}}, []said{{2.1, "b"}, {2.2, "c"}, {3, "d"}}, "c d", false},
		"equal lines at the same time":   {[]said{{2.1, "a"}, {2.1, "a"}}, []said{{2.1, "a"}, {2.1, "a"}, {2.1, "a"}, {2.2, "a"}}, "a a", false},
		"a line that was late":           {[]said{{2.1, "a"}, {2.5, "c"}}, []said{{2.1, "a"}, {2.3, "b"}, {2.5, "c"}, {2.6, "d"}}, "b d", false},
		"the log was rotated":            {[]said{{1.1, "a"}, {2.1, "b"}}, []said{{5, "x"}, {6, "y"}}, "x y", true},
		"the log was rotated, and ended": {[]said{{1.1, "a"}}, nil, "", false},
		"the first reading":              {nil, []said{{1, "a"}, {2, "b"}}, "a b", false},
	} {
		var s Seen
		for _, l := range c.before {
			s.Take(Line{Time: at(l.seconds), Text: l.text})
		}
		if len(c.before) > 0 {
			s.Again()
		}
		var fresh []string
		gaps := 0
		for _, l := range c.again {
			isNew, gap := s.Take(Line{Time: at(l.seconds), Text: l.text})
			if isNew {
				fresh = append(fresh, l.text)
			}
			if gap {
				gaps++
			}
		}
		if got := strings.Join(fresh, " "); got != c.want || (gaps == 1) != c.gap || gaps > 1 {
			t.Errorf("%s: %q and %d gaps, want %q, %v", name, got, gaps, c.want, c.gap)
		}
	}
}

// However the requests cut a log, reading it again and again gives all lines, once and in order.
func TestReadingAgainLosesNothing(t *testing.T) {
	var all []Line
	for i := range 200 {
		all = append(all, Line{Time: at(float64(i/3) * 0.37), Text: strings.Repeat("x", i%4)})
	}
	var s Seen
	var got []Line
	for end := 7; ; end += 13 {
		for _, l := range all[:min(end, len(all))] {
			if l.Time.Before(s.Since()) {
				continue
			}
			if isNew, gap := s.Take(l); gap {
				t.Fatal("a gap in a log that has all lines")
			} else if isNew {
				got = append(got, l)
			}
		}
		if end > len(all) {
			break
		}
		s.Again()
	}
	if !slices.EqualFunc(got, all, func(a, b Line) bool { return a.Time.Equal(b.Time) && a.Text == b.Text }) {
		t.Errorf("%d lines, want %d", len(got), len(all))
	}
}

func TestLogMergesByTime(t *testing.T) {
	l := Log{MaxLines: 6, MaxBytes: 1 << 20}
	add := func(source int, seconds ...float64) int {
		var lines []Line
		for _, s := range seconds {
			lines = append(lines, Line{Time: at(s), Source: source})
		}
		return l.Add(lines...)
	}
	for i, step := range []struct{ got, want int }{
		{add(1, 1, 3, 5), 1},
		{add(2, 2, 3, 6), 2},
		{add(1, 7), 7},
		{add(1), 8},
		{add(2, 0), 3}, // older than all that is kept: dropped at once, and the others have new numbers
	} {
		if step.got != step.want {
			t.Errorf("step %d changed from %d on, want %d", i, step.got, step.want)
		}
	}
	var order []string
	for _, line := range l.Lines() {
		order = append(order, line.Time.Format("5")+":"+string(rune('0'+line.Source)))
	}
	if got := strings.Join(order, " "); got != "2:2 3:1 3:2 5:1 6:2 7:1" {
		t.Errorf("order %s", got)
	}
	if l.Dropped() != 2 || l.Next() != 9 || l.Line(l.Next()-1).Source != 1 {
		t.Errorf("dropped %d, next %d", l.Dropped(), l.Next())
	}
}

func TestReadPod(t *testing.T) {
	p, err := ReadPod([]byte(`{"metadata":{"namespace":"shop","name":"web-0","uid":"u"},"spec":{"nodeName":"n","initContainers":[{"name":"setup"}],"containers":[{"name":"web"},{"name":"side"}],"ephemeralContainers":[{"name":"debug"}]},
		"status":{"initContainerStatuses":[{"name":"setup","state":{"terminated":{"exitCode":0,"reason":"Completed"}}}],
		"containerStatuses":[{"name":"side","restartCount":3,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off"}},"lastState":{"terminated":{"exitCode":1,"reason":"Error","finishedAt":"2026-11-23T21:50:01Z"}}},
		{"name":"web","state":{"running":{"startedAt":"2026-11-23T21:50:00Z"}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	web, side := p.Containers[1], p.Containers[2]
	switch {
	case p.Name != "web-0" || p.UID != "u" || p.Node != "n" || len(p.Containers) != 4:
		t.Errorf("pod %+v", p)
	case p.Containers[0].Sort != Init || p.Containers[0].Ended == nil || !p.Containers[0].Started():
		t.Errorf("init container %+v", p.Containers[0])
	case !web.Running.Equal(at(0)) || web.Name != "web":
		t.Errorf("container %+v", web)
	case side.Waiting != "CrashLoopBackOff" || side.Restarts != 3 || side.Before == nil || side.Before.String() != "exit code 1 (Error)" || !side.Before.At.Equal(at(1)):
		t.Errorf("container %+v", side)
	case p.Containers[3].Sort != Ephemeral || p.Containers[3].Started():
		t.Errorf("ephemeral container %+v", p.Containers[3])
	}
	if _, err := ReadPod([]byte("{")); err == nil {
		t.Error("a broken pod was read")
	}
	pending, _ := ReadPod([]byte(`{"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes"}]}}`))
	if pending.Why != "Unschedulable: 0/3 nodes" {
		t.Errorf("why %q", pending.Why)
	}
}

func TestEachField(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "", `{"a":1}`: "a=1", `{"a" : "x,\"y}" , "b":[{"c":"]"}], "d":null }`: `a="x,\"y}" b=[{"c":"]"}] d=null`,
		`{"a"}`: "not", `{a:1}`: "not", `{"a":"x}`: "not", `["a"]`: "not", `{`: "not", `{"a":{"b":1}`: "not", `{"a":}`: "not",
	} {
		var got []string
		if !eachField(text, func(name, value string) { got = append(got, name+"="+value) }) {
			got = []string{"not"}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
