package logs

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// workerVoice is a program that takes tasks from a queue and writes JSON, one object a line.
var workerVoice = voice{rate: 0.6, opening: workerOpening, line: workerLine, closing: workerClosing}

// jobVoice works through a fixed amount of items.
var jobVoice = voice{rate: 3, opening: jobOpening, line: jobLine, closing: jobClosing}

// initVoice prepares what the pod's other containers need.
var initVoice = voice{rate: 1, opening: initOpening, closing: initClosing}

// field is one member of a JSON line. A slice of them keeps their order.
type field struct {
	name  string
	value any
}

func jsonLine(at time.Time, level, message string, fields ...field) string {
	var b strings.Builder
	b.WriteByte('{')
	all := append([]field{{"time", at.Format("2006-01-02T15:04:05.000Z")}, {"level", level}, {"msg", message}}, fields...)
	for i, f := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		value, _ := json.Marshal(f.value) // texts and numbers only
		fmt.Fprintf(&b, "%q:%s", f.name, value)
	}
	b.WriteByte('}')
	return b.String()
}

func jsonAt(at time.Time, level, message string, fields ...field) Line {
	return Line{At: at, Text: jsonLine(at, level, message, fields...), Stderr: level == "error"}
}

func workerOpening(s Source, at func() time.Time) []Line {
	return []Line{
		jsonAt(at(), "info", "starting", field{"program", program(s.Image)}, field{"image", s.Image}, field{"pod", s.Pod}),
		jsonAt(at(), "info", "connected to the queue", field{"queue", program(s.Image)}, field{"consumers", 4}),
		jsonAt(at(), "info", "ready"),
	}
}

func workerLine(_ Source, at time.Time, d *dice) (string, bool) {
	task := field{"task", fmt.Sprintf("%08x", uint32(d.nextNumber()))}
	took := field{"ms", 3 + d.below(240)}
	switch n := d.below(100); {
	case n < 3:
		return jsonLine(at, "error", "task failed", task, field{"error", "connection reset by peer"}, field{"attempt", 3}), true
	case n < 10:
		return jsonLine(at, "warn", "task is retried", task, field{"attempt", 1 + d.below(2)}, field{"waitMs", 500}), false
	case n < 20:
		return jsonLine(at, "debug", "queue polled", field{"waiting", d.below(40)}), false
	}
	return jsonLine(at, "info", "task done", task, took, field{"customer", 1000 + d.below(9000)}), false
}

func workerClosing(s Source, at func() time.Time) []Line {
	switch {
	case killed(s):
		return nil
	case failed(s):
		return []Line{
			jsonAt(at(), "error", "the queue is gone, giving up", field{"error", "dial tcp 10.96.0.41:5672: connect: connection refused"}),
			jsonAt(at(), "error", "exiting", field{"code", s.ExitCode}, field{"reason", s.Reason}),
		}
	}
	return []Line{
		jsonAt(at(), "info", "SIGTERM received, finishing open tasks"),
		jsonAt(at(), "info", "exiting", field{"code", s.ExitCode}),
	}
}

func jobOpening(s Source, at func() time.Time) []Line {
	d := newDice(s.seed(), -2, 0)
	lines := []Line{jsonAt(at(), "info", "starting", field{"job", program(s.Image)}, field{"image", s.Image})}
	for done := 0; done < 500; done += 100 {
		lines = append(lines, jsonAt(at(), "info", "batch written", field{"items", 100}, field{"total", done + 100}, field{"ms", 20 + d.below(60)}))
	}
	return lines
}

func jobLine(_ Source, at time.Time, d *dice) (string, bool) {
	return jsonLine(at, "info", "batch written", field{"items", 100}, field{"ms", 20 + d.below(60)}), false
}

func jobClosing(s Source, at func() time.Time) []Line {
	switch {
	case killed(s):
		return nil
	case s.ExitCode != 0:
		return []Line{
			jsonAt(at(), "error", "an item could not be read", field{"item", 417}),
			jsonAt(at(), "error", "exiting", field{"code", s.ExitCode}, field{"reason", s.Reason}),
		}
	}
	return []Line{jsonAt(at(), "info", "all items are done", field{"code", 0})}
}

func initOpening(s Source, at func() time.Time) []Line {
	return []Line{
		{At: at(), Text: "waiting for what " + s.Pod + " needs"},
		{At: at(), Text: "permissions of /data set"},
	}
}

func initClosing(s Source, at func() time.Time) []Line {
	if s.ExitCode != 0 {
		return []Line{{At: at(), Stderr: true, Text: fmt.Sprintf("failed: exit code %d (%s)", s.ExitCode, s.Reason)}}
	}
	return []Line{{At: at(), Text: "done"}}
}
