package promises

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rule takes away something in which the two answers must differ.
type rule func(w side, text string) string

func pattern(expression, with string) rule {
	compiled := regexp.MustCompile(expression)
	return func(_ side, text string) string { return compiled.ReplaceAllString(text, with) }
}

var (
	// server: each side has an address of its own.
	server rule = func(w side, text string) string { return strings.ReplaceAll(text, w.server, "https://SERVER") }
	// ages grow while we look, and their columns with them.
	ages rule = func(w side, text string) string {
		text = pattern(`(?m)\b(?:\d+[smhdy]){1,2}(?: \(x\d+ over \w+\))?(  |$)`, "AGE$1")(w, text)
		return pattern(` {3,}`, "  ")(w, text)
	}
	// figures of usage are others in the next window, and their columns are as wide as they need.
	figures rule = func(w side, text string) string {
		return pattern(` +`, " ")(w, pattern(`\b\d+(m|Mi|%)(\s)`, "FIGURE$1$2")(w, text))
	}
	// uids, versions and times: each side makes an object of its own.
	uids     = pattern(`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`, "UID")
	versions = pattern(`("?resourceVersion"?: ?)"\d+"`, `${1}"VERSION"`)
	// listVersions, and the names of the pages of a list, grow with every write to the cluster, whoever writes.
	listVersions = pattern(`(List","apiVersion":"v1","metadata":\{"resourceVersion":)"\d+"(,"continue":"[^"]+")?`, `$1"VERSION"`)
	times        = pattern(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000)`, "TIME")
	// made is what a server gives to each object that it makes.
	made = []rule{uids, versions, times}
	// generated names end in something random.
	generated = pattern(`(configmap/a-)\w{5}\b`, "${1}RANDOM")
	// repeated lines and words: who is told of every change, is told once more or less, depending on when it looked.
	repeated rule = func(_ side, text string) string {
		var kept []string
		for _, piece := range regexp.MustCompile(`[^\n;]*[\n;]?`).FindAllString(text, -1) {
			if len(kept) == 0 || kept[len(kept)-1] != piece {
				kept = append(kept, piece)
			}
		}
		return strings.Join(kept, "")
	}
	// anyOrder of lines: kubectl takes the logs of several containers as they come out of a map.
	anyOrder rule = func(_ side, text string) string {
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	// logHeads: kubectl's own warnings begin with the time and the number of its process.
	logHeads = pattern(`(?m)^([IWE])\d{4} \S+ +\d+ `, "$1 ")
	// tokens are secret, and new each time.
	tokens = pattern(`token: \S+`, "token: TOKEN")
	// folders are those that kubectl diff makes.
	folders = pattern(`\S*/(LIVE|MERGED)-\d+/`, "$1/")
	// pages of a list are named after the moment when it was begun.
	pages = pattern(`continue=[^&"\s]+`, "continue=…")
	// ports that port-forward finds free.
	ports = pattern(`(127\.0\.0\.1:|\[::1\]:|Handling connection for )\d+`, "${1}PORT")
)

var (
	logLine = regexp.MustCompile(`(?m)^I\d{4} .*\n`) // a warning or an error must be seen
	asked   = regexp.MustCompile(`"Response" verb="(\w+)" url="([^"]+)" status="([^"]+)"`)
)

// requests keeps, of all that kubectl -v=6 tells, which requests it made and how they were answered.
func requests(_ side, text string) string {
	return logLine.ReplaceAllStringFunc(text, func(line string) string {
		if m := asked.FindStringSubmatch(line); m != nil {
			return strings.Join(m[1:], " ") + "\n"
		}
		return ""
	})
}

// plain is an answer without that in which the sides may differ.
func (pl place) plain(s step, w side, a answer) answer {
	strip := func(text string) string {
		if pl.direct != pl.through {
			text = strings.NewReplacer(pl.direct, "NAMESPACE", pl.through, "NAMESPACE").Replace(text)
		}
		for _, r := range s.differ {
			text = r(w, text)
		}
		return text
	}
	return answer{strip(a.stdout), strip(a.stderr), a.code}
}

// compare is the test: the two answers are one, and it is the one expected.
func (pl place) compare(t *testing.T, s step, d, th answer) {
	t.Helper()
	fine := true
	if d.code != s.code {
		fine = false
		t.Errorf("directly, it ends with %d, want %d", d.code, s.code)
	}
	if says := strings.NewReplacer("{ns}", pl.direct, "{server}", pl.parity.direct.server).Replace(s.says); !strings.Contains(d.stdout+d.stderr, says) {
		fine = false
		t.Errorf("directly, it does not say %q", clip(says))
	}
	if difference := differ(pl.plain(s, pl.parity.direct, d), pl.plain(s, pl.parity.through, th)); difference != "" {
		fine = false
		t.Error(difference)
	}
	if !fine {
		t.Logf("directly, it said:\n%s%s", clip(d.stdout), clip(d.stderr))
	}
}

// differ says in words how two answers differ.
func differ(d, th answer) string {
	var words strings.Builder
	if d.code != th.code {
		fmt.Fprintf(&words, "exit code: directly %d, through Fieldmark %d\n", d.code, th.code)
	}
	words.WriteString(differentLine("standard output", d.stdout, th.stdout))
	words.WriteString(differentLine("standard error", d.stderr, th.stderr))
	return words.String()
}

func differentLine(what, d, th string) string {
	if d == th {
		return ""
	}
	left, right := strings.SplitAfter(d, "\n"), strings.SplitAfter(th, "\n")
	n := 0
	for n < len(left) && n < len(right) && left[n] == right[n] {
		n++
	}
	line := func(lines []string) string {
		if n < len(lines) {
			return clip(lines[n])
		}
		return "(nothing)"
	}
	return fmt.Sprintf("%s, line %d:\n  directly          %q\n  through Fieldmark %q\n", what, n+1, line(left), line(right))
}

func clip(text string) string {
	const enough = 2000
	if len(text) > enough {
		return text[:enough] + "…"
	}
	return text
}
