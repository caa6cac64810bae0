package refusal

import (
	"regexp"
	"strings"
)

// helmFailures are the beginnings of Helm's failures. Helm joins several of them with " && " in one line.
var helmFailures = []string{"cannot patch \"", "failed to ", "conflict occurred while ", "server-side apply failed for ", "unable to ", "could not get "}

// apart are Helm's joined failures, each in a paragraph of its own.
func apart(line string) []string {
	const and = " && "
	if !strings.Contains(line, and) {
		return []string{line}
	}
	var all []string
	for i, part := range strings.Split(line, and) {
		switch {
		case i == 0:
			all = append(all, part)
		case starts(part, helmFailures):
			all = append(all, "", part)
		default: // a part of a command, or of a policy's expression
			all[len(all)-1] += and + part
		}
	}
	return all
}

func starts(text string, with []string) bool {
	for _, words := range with {
		if strings.HasPrefix(text, words) {
			return true
		}
	}
	return false
}

// kubeRS is how kube-rs begins an error of an API server.
const kubeRS = "ApiError: "

// undebugged is a line of kube-rs without the copy of the error that follows in brackets, as Rust prints values for debugging:
// ApiError: Apply failed …: .spec.replicas: Conflict (ErrorResponse { status: "Failure", message: "Apply failed …", reason: "Conflict", code: 409 })
func undebugged(line string) string {
	_, said, ok := strings.Cut(line, kubeRS)
	if !ok {
		return line
	}
	for _, begin := range []string{" (ErrorResponse { ", " (Status { "} {
		at := strings.Index(said, begin)
		end := strings.LastIndex(said, "})")
		if at < 0 || end < at {
			continue
		}
		sentence := said[:at]
		if i := strings.LastIndex(sentence, ": "); i >= 0 && plainWord(sentence[i+2:]) {
			sentence = sentence[:i] // the status reason
		}
		return line[:len(line)-len(said)] + sentence + said[end+2:]
	}
	return line
}

// goPlace is a place in a stack trace of Go, which follows the function's name.
const goPlace = `\S+\.go:\d+( \+0x[0-9a-f]+)?`

// frames are lines that say nothing about a refusal: the frames of Ansible, and stack traces of Go, Rust, Python and Java.
var frames = regexp.MustCompile(`^(` + strings.Join([]string{
	`(fatal|failed): \[[^\]]*\]: (FAILED|UNREACHABLE)! =>?`, `(TASK|PLAY|PLAY RECAP|RUNNING HANDLER)( \[[^\]]*\])? \*+`, `\S+ +: ok=\d+ +changed=\d+.*`, `\.\.\.ignoring`,
	`goroutine \d+ \[.*\]:?`, goPlace, `created by \S.*`, `\[?runtime error: .*`,
	`Traceback \(most recent call last\):?`, `File "[^"]*", line \d+, in \S+`, `at [\w.$]+\([\w.]*(:\d+)?\)`, `\.\.\. \d+ more`,
	`stack backtrace:?`, `\d+: \S*::.*`, `at /\S+:\d+(:\d+)?`, `note: run with .RUST_BACKTRACE=.*`, `note: Some details are omitted.*`,
}, `|`) + `)$`)

// framed tells that a line is the frame of a tool or a line of a stack trace.
func framed(line string) bool {
	const longest = 512
	line = strings.TrimSpace(line)
	return len(line) < longest && frames.MatchString(line)
}

// unframedText is text without frames of tools and stack traces.
func unframedText(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var kept strings.Builder
	for i, line := range lines {
		function := !strings.Contains(strings.TrimSpace(line), " ") && i+1 < len(lines) && strings.Contains(lines[i+1], ".go:") && framed(lines[i+1])
		if !function && !framed(line) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
