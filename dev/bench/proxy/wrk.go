package proxy

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// wrkName is the program that is the second client. It is written in C, and takes much less of the processor than Go's client.
const wrkName = "wrk"

// withWrk tells whether the second client is there.
func withWrk() bool {
	_, err := exec.LookPath(wrkName)
	return err == nil
}

// wrkResult is the line of wrk's output with the number of requests and the time that they took. wrkTrouble is a line that says which failed.
var (
	wrkResult  = regexp.MustCompile(`(?m)^\s+(\d+) requests in ([\d.]+m?s|[\d.]+m),`)
	wrkTrouble = regexp.MustCompile(`(?m)^\s+(Socket errors|Non-2xx).*$`)
)

// wrkSpan is how long wrk measures a way with this rate by Go's client. wrk doesn't count the requests that are on their way at the end. Of 30 requests with 8
// connections that is a quarter, so it measures until there are about 100, but no longer than 10 s.
func wrkSpan(span time.Duration, rate float64) time.Duration {
	return max(span, min(time.Duration(100/rate*float64(time.Second)), 10*time.Second)).Round(time.Second)
}

// measureWrk measures a way with wrk: one thread, with the plan's connections always busy.
func measureWrk(ctx context.Context, l *lab.Lab, t lab.Target, s scene, span time.Duration) (pace, error) {
	used := lab.CPU(t.PID)
	args := []string{"-t1", "-c" + strconv.Itoa(l.Plan.Connections), "-d" + strconv.Itoa(int(max(span, time.Second).Seconds())) + "s", "--timeout", "60s"}
	if t.Token != "" {
		args = append(args, "-H", "Authorization: Bearer "+t.Token)
	}
	if s.accept != "" {
		args = append(args, "-H", "Accept: "+s.accept)
	}
	said, err := exec.CommandContext(ctx, wrkName, append(args, t.Origin+t.Prefix+s.path)...).Output()
	if err != nil {
		return pace{}, fmt.Errorf("wrk: %w", err)
	}
	requests, took, err := readWrk(string(said))
	if err != nil {
		return pace{}, fmt.Errorf("wrk through %s: %w", t.Name, err)
	}
	return pace{rate: requests / took.Seconds(), processor: (lab.CPU(t.PID) - used) / requests}, nil
}

// readWrk reads how many requests wrk made, and how long they took. Failed requests are an error.
func readWrk(said string) (requests float64, took time.Duration, err error) {
	if trouble := wrkTrouble.FindString(said); trouble != "" {
		return 0, 0, errors.New(strings.TrimSpace(trouble))
	}
	found := wrkResult.FindStringSubmatch(said)
	if found == nil {
		return 0, 0, fmt.Errorf("no number of requests in %q", said)
	}
	if requests, err = strconv.ParseFloat(found[1], 64); err == nil {
		took, err = time.ParseDuration(found[2])
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%q: %w", found[0], err)
	}
	if requests == 0 {
		return 0, 0, errors.New("no request was complete in time")
	}
	return requests, took, nil
}
