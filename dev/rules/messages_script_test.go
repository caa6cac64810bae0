package rules

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inScripts are the messages of the scripts.
type inScripts struct {
	t                                      *testing.T
	toDocument, toProgram                  uses
	readByDocument, readByWorker, partsSet uses
}

var (
	// saidInScript is where a script says a message: post("key", { key, ctrl }), or [["busy", { on: false }]] to the document.
	saidInScript = regexp.MustCompile(`(\b(?:post|tell)\(|\[\[)(?:"(\w+)"(.{3}|.)|name, fields)?`)
	// readers are tables of functions, by the names of the messages that they read.
	readers = regexp.MustCompile(`(?s)\nconst (?:commands|signs|crossings) = \{\n(.*?)\n\};`)
	reader  = regexp.MustCompile(`(?m)^  (\w+)(?:: )?\((?:post|program)?(?:, )?(?:\{ (.*?) \})?\) `)
	// readByWorker is a message that isn't passed on to the program.
	readByWorker = regexp.MustCompile(`if \(name === "(\w+)"\) return`)
	// partsSet is where a script makes a part of a message.
	partsSet = map[string]*regexp.Regexp{
		"document": regexp.MustCompile(`function about\(\) \{\n  return \{`),
		"page":     regexp.MustCompile(`\bpass\(name, \{`),
	}
)

// scriptMessages reads the scripts.
func scriptMessages(t *testing.T, parts map[string][]field) inScripts {
	t.Helper()
	m := inScripts{t, uses{}, uses{}, uses{}, uses{}, uses{}}
	for _, name := range files(t, "static/js/*.js", "static/editor/*.js", "static/terminal/*.js") {
		text := string(read(t, name))
		for _, at := range saidInScript.FindAllStringSubmatchIndex(text, -1) {
			m.says(fmt.Sprintf("%s:%d", name, 1+strings.Count(text[:at[0]], "\n")), text, at)
		}
		for _, table := range readers.FindAllStringSubmatch(text, -1) {
			for _, r := range reader.FindAllStringSubmatch(table[1], -1) {
				m.readByDocument.add(r[1], name, destructured(r[2], parts))
			}
		}
		for _, r := range readByWorker.FindAllStringSubmatch(text, -1) {
			m.readByWorker.add(r[1], name, nil)
		}
		for part, pattern := range partsSet {
			if at := pattern.FindStringIndex(text); at != nil {
				m.partsSet.add(part, name, fieldsOfObject(text[at[1]:]))
			}
		}
	}
	return m
}

// says notes a message that a script says. at has the places of what saidInScript matched.
func (m inScripts) says(place, text string, at []int) {
	way, all := text[at[2]:at[3]], text[at[0]:at[1]]
	if at[4] < 0 {
		if way != "[[" && !strings.HasSuffix(all, "name, fields") {
			m.t.Errorf("%s says a message whose name can't be read here: write post(\"name\", { field: value })", place)
		}
		return
	}
	name, after := text[at[4]:at[5]], text[at[6]:at[7]]
	var fields []field
	if after == ", {" {
		fields = fieldsOfObject(text[at[7]:])
	} else if after[0] != ')' && after[0] != ']' {
		m.t.Errorf("%s: the fields of %q can't be read here: write { field: value }", place, name)
	}
	script, _, _ := strings.Cut(path.Base(place), ":")
	if way == "[[" || slices.Contains([]string{"worker.js", "early.js"}, script) {
		m.toDocument.add(name, place, fields)
	} else {
		m.toProgram.add(name, place, fields)
	}
}

// fieldsOfObject are the fields of an object whose text begins after its brace.
func fieldsOfObject(text string) (fields []field) {
	depth, from := 1, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '`':
			i += 1 + strings.IndexByte(text[i+1:], c)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth > 1 || depth == 1 && text[i] != ',' {
			continue
		}
		if name, _, _ := strings.Cut(strings.TrimSpace(text[from:i]), ":"); name != "" {
			fields = append(fields, field{name, ""})
		}
		if from = i + 1; depth == 0 {
			break
		}
	}
	return fields
}

// destructured are the fields that a function reads of a message: { program, ...page } are one field and those of a part.
func destructured(names string, parts map[string][]field) (fields []field) {
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
		if part, rest := strings.CutPrefix(name, "..."); rest {
			fields = append(fields, parts[part]...)
		} else {
			fields = append(fields, field{name, ""})
		}
	}
	return fields
}
