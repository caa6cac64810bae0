package refusal

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// disguises are what happens to a text between the tool that prints it and the reader who pastes it.
var disguises = map[string]func(string) string{
	"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"colours": func(s string) string {
		return "\x1b]0;title\a\x1b[1;31m" + strings.ReplaceAll(s, " ", "\x1b[0m \x1b[31m") + "\x1b[0m"
	},
	"stamps": func(s string) string {
		return "2026-11-22T20:07:30.1234567Z " + strings.ReplaceAll(s, "\n", "\n2026-11-22T20:07:31.1234567Z ")
	},
	"a quotation": func(s string) string { return "> " + strings.ReplaceAll(s, "\n", "\n> ") },
	"a JSON log": func(s string) string {
		line, err := json.Marshal(map[string]string{"level": "error", "ts": "2026-11-22T20:07:30Z", "error": s})
		if err != nil {
			panic(err)
		}
		return string(line)
	},
	"klog": func(s string) string { return `E1122 20:07:30.123456       1 a.go:7] "Failed" err=` + strconv.Quote(s) },
	"two quotes": func(s string) string {
		if !strings.Contains(s, `"`) {
			return s // nothing tells then that the quotes aren't the text's own
		}
		return strconv.Quote("it says: " + strconv.Quote(s))
	},
	"a paragraph": func(s string) string { return "Hello,\n\nwhat is this?\n\n" + s + "\n\nThanks!\n" },
	"a terminal": func(s string) string {
		if strings.Contains(s, "\x1b") {
			return s // colours take no columns
		}
		return wrap(s, terminal)
	},
}

// wrap breaks lines as a terminal does whose text is copied.
func wrap(s string, width int) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		for utf8.RuneCountInString(line) > width {
			runes := []rune(line)
			b.WriteString(string(runes[:width]) + "\n")
			line = string(runes[width:])
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func TestDisguises(t *testing.T) {
	for _, c := range slices.Concat(conflicts, invalids, denials, others) {
		want := bare(reading(c.text))
		for name, disguise := range disguises {
			t.Run(c.name+" in "+name, func(t *testing.T) {
				if name == "a paragraph" && c.name == "Kyverno" {
					t.Skip("it has paragraphs of its own")
				}
				if got := bare(reading(disguise(c.text))); !reflect.DeepEqual(got, want) {
					t.Errorf("%s\n\ngot\n%s\n\nwant\n%s", disguise(c.text), strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
}

// bare is what must not change: all but the tool, which logs can add, and the layout of messages.
func bare(r Reading) []string {
	var all []string
	for _, no := range r.Refusals {
		no.Tool = ""
		no.Message = strings.Join(strings.Fields(no.Message), "")
		for i := range no.Fields {
			no.Fields[i].Message = strings.Join(strings.Fields(no.Fields[i].Message), "")
		}
		all = append(all, fmt.Sprintf("%+v", line(no)))
	}
	return all
}

// The name of a field can have a line break, also in the last path of the list.
func TestPathsWithLineBreaks(t *testing.T) {
	const after = "Please review the fields above--they currently have other managers. Here\nare the ways you can resolve this warning:\n"
	for text, want := range map[string]string{
		"- .spec.two\nlines\n- .spec.x\n" + after: `.spec.two` + "\nlines|.spec.x",
		"- .spec.x\n- .spec.two\nlines\n" + after: `.spec.x|.spec.two` + "\nlines",
		"- .spec.x\n- .spec.y\n" + after:          `.spec.x|.spec.y`,
		"- .spec.x\nexit status 1\n":              `.spec.x`,
	} {
		got := reading("error: Apply failed with 2 conflicts: conflicts with \"one\":\n" + text)
		var paths []string
		for _, f := range got.Refusals[0].Fields {
			paths = append(paths, f.Path)
		}
		if strings.Join(paths, "|") != want {
			t.Errorf("%q: %q", text, paths)
		}
	}
}
