package logs

import (
	"path"
	"slices"
	"strings"
	"time"
)

// voice is how one kind of program writes.
type voice struct {
	// rate is how many lines a second it writes.
	rate float64
	// opening returns the first lines; at returns the time of the next line.
	opening func(s Source, at func() time.Time) []Line
	// line returns one line of the time in between, and whether it goes to the standard error.
	line func(s Source, at time.Time, d *dice) (string, bool)
	// open tells that no line ends.
	open bool
	// closing returns the last lines of a container that has ended.
	closing func(s Source, at func() time.Time) []Line
}

// voiceOf returns the voice of the style, or guesses from image, ports and owner what kind of program a container runs.
func voiceOf(s Source) voice {
	if v, known := styleVoice(s.Style); known {
		return v
	}
	name := program(s.Image)
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
	}
	switch {
	case len(s.Command) > 0 && quiet(s.Command):
		return voice{rate: 1}
	case s.Init:
		return initVoice
	case s.Owner == "Job":
		return jobVoice
	case is("postgres", "mysql", "mariadb", "mongo", "redis", "database"):
		return databaseVoice
	case is("operator", "controller", "agent", "manager", "scheduler", "webhook"):
		return operatorVoice
	case s.Port != 0 || is("nginx", "httpd", "web", "gateway", "proxy"):
		return webVoice
	}
	return workerVoice
}

// program is the last part of an image's name, without tag and digest.
func program(image string) string {
	image, _, _ = strings.Cut(image, "@")
	name := path.Base(image)
	name, _, _ = strings.Cut(name, ":")
	return name
}

// quiet tells a command that writes nothing by itself: a shell that waits for input, or a pause.
func quiet(command []string) bool {
	switch path.Base(command[0]) {
	case "sleep", "pause", "cat", "tail":
		return true
	case "sh", "bash", "ash":
		return len(command) == 1
	}
	return false
}

// failed tells whether a container ended with an error of its own. The kernel's out-of-memory killer and SIGKILL leave a program no time for words.
func failed(s Source) bool { return s.ExitCode != 0 && !killed(s) && !terminated(s) }

func killed(s Source) bool { return s.Reason == "OOMKilled" || s.ExitCode == 137 }

func terminated(s Source) bool { return s.ExitCode == 143 }
