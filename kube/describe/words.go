package describe

import (
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/words"
)

// signals are the names of the signals of Linux that end programs.
var signals = lazy.Value[map[int]string]{Make: func() map[int]string {
	return map[int]string{
		1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2",
		13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
	}
}}

// mostSignals is the largest number of a signal. A program that a signal ends has the exit code 128 + its number.
const (
	afterSignal = 128
	mostSignals = 64
)

// ExitWords says what an exit code means, with the reason of the container's status.
func ExitWords(code, signal int, reason string) string {
	text := "exit code " + strconv.Itoa(code)
	if signal == 0 && code > afterSignal && code <= afterSignal+mostSignals {
		signal = code - afterSignal
	}
	switch {
	case reason == "OOMKilled":
		return text + ": the kernel ended it, because it had no memory left within its limit or on its node"
	case signal > 0:
		return text + ": ended by " + signalName(signal)
	case code == 0:
		return text + ": ended without an error"
	case reason == "StartError" || reason == "ContainerCannotRun":
		return text + ": it couldn’t be started"
	case code == 126:
		return text + ": by convention, its command can’t be executed"
	case code == 127:
		return text + ": by convention, its command wasn’t found"
	case code == 1:
		return text + ": the program reported an error"
	}
	return text + ": the meaning is the program’s own"
}

func signalName(n int) string {
	if name := signals.Get()[n]; name != "" {
		return name + " (signal " + strconv.Itoa(n) + ")"
	}
	return "signal " + strconv.Itoa(n)
}

// Words are a probe in words: what it does, how often, and when it fails.
func (p Probe) Words() string {
	parts := []string{p.does()}
	parts = append(parts, "every "+seconds(orDefault(p.Period, 10)))
	if p.Delay > 0 {
		parts = append(parts, "after the first "+seconds(p.Delay))
	}
	if p.Timeout > 1 {
		parts = append(parts, "waits "+seconds(p.Timeout)+" for a response")
	}
	parts = append(parts, "fails after "+strconv.Itoa(orDefault(p.Failures, 3)))
	if p.Successes > 1 {
		parts = append(parts, "succeeds after "+strconv.Itoa(p.Successes))
	}
	return strings.Join(parts, ", ")
}

func (p Probe) does() string {
	switch {
	case p.HTTP != nil:
		path := p.HTTP.Path
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		scheme := strings.ToLower(p.HTTP.Scheme)
		if scheme == "" {
			scheme = "http"
		}
		return "GET " + scheme + "://" + p.HTTP.Host + ":" + p.HTTP.Port.text() + path
	case p.TCP != nil:
		return "connects to " + p.TCP.Host + ":" + p.TCP.Port.text()
	case p.GRPC != nil && p.GRPC.Service != "":
		return "gRPC health of " + p.GRPC.Service + " on port " + p.GRPC.Port.text()
	case p.GRPC != nil:
		return "gRPC health on port " + p.GRPC.Port.text()
	case p.Exec != nil:
		return "runs " + strings.Join(p.Exec.Command, " ")
	}
	return "of a kind that Fieldmark doesn’t know"
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

func seconds(n int) string { return strconv.Itoa(n) + " s" }

// lasted is how long something ran; empty if that isn't known.
func lasted(from, to time.Time) string {
	if from.IsZero() || to.IsZero() {
		return ""
	}
	return "ran " + table.Duration(to.Sub(from))
}

// times says how often something happened: "3 restarts".
func times(n int, one, many string) string { return words.Count(int64(n), one, many) }

// join lists names: "a, b".
func join(all []string) string { return strings.Join(all, ", ") }
