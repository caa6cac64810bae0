package rules

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// messageList lists the messages between a program and the document.
const messageList = "wasm/dom/messages.md"

// field is a field of a message; kind is empty if a script uses it, because scripts have no types.
type field struct{ name, kind string }

// use is a place where a message is said or read.
type use struct {
	at     string
	fields []field
}

// uses are places by the names of messages.
type uses map[string][]use

func (u uses) add(name, at string, fields []field) { u[name] = append(u[name], use{at, fields}) }

func (u uses) and(others uses) uses {
	all := maps.Clone(u)
	for name, more := range others {
		all[name] = slices.Concat(all[name], more)
	}
	return all
}

// TestMessagesAreOneList: the compiler sees one side only, so a field that the other side doesn't know would be found in a browser, if at all.
func TestMessagesAreOneList(t *testing.T) {
	list := listedMessages(t)
	inGo, inScripts := goMessages(t), scriptMessages(t, list["Parts"])
	compareMessages(t, list["To the document"], inGo.said.and(inScripts.toDocument), inScripts.readByDocument)
	compareMessages(t, list["To the program"], inScripts.toProgram, inGo.read.and(inScripts.readByWorker))
	compareMessages(t, list["Parts"], inScripts.partsSet, inGo.parts)
}

// compareMessages compares what is said and read with what is listed.
func compareMessages(t *testing.T, listed map[string][]field, said, read uses) {
	t.Helper()
	for what, all := range map[string]uses{"says": said, "reads": read} {
		for name, places := range all {
			fields, known := listed[name]
			if !known {
				t.Errorf("%s %s %q: %s doesn't list it in this direction", places[0].at, what, name, messageList)
				continue
			}
			for _, place := range places {
				compareFields(t, place.at+" "+what+" "+name, place.fields, fields)
			}
		}
		for name := range listed {
			if all[name] == nil {
				t.Errorf("%s lists %q, but nobody %s it: remove it on both sides, or use it", messageList, name, what)
			}
		}
	}
}

func compareFields(t *testing.T, what string, used, listed []field) {
	t.Helper()
	for _, f := range listed {
		i := slices.IndexFunc(used, func(u field) bool { return u.name == f.name })
		if i < 0 {
			t.Errorf("%s without %q, which %s lists: the other side says or reads it", what, f.name, messageList)
		} else if kind := used[i].kind; kind != "" && kind != f.kind {
			t.Errorf("%s with %q as %s, but %s says %s", what, f.name, kind, messageList, f.kind)
		}
	}
	for _, u := range used {
		if !slices.ContainsFunc(listed, func(f field) bool { return f.name == u.name }) {
			t.Errorf("%s with %q, which %s doesn't list", what, u.name, messageList)
		}
	}
}

var (
	listedRow   = regexp.MustCompile("^\\| `(\\w+)` \\| ([^|]*) ?\\|")
	listedField = regexp.MustCompile("`(…?\\w+)`(?: (\\w+))?")
)

// listedMessages are the fields of messages, by the headings of the list and the names of messages.
func listedMessages(t *testing.T) map[string]map[string][]field {
	t.Helper()
	list := map[string]map[string][]field{}
	sections := strings.Split(string(read(t, messageList)), "\n## ")
	for _, section := range slices.Backward(sections) { // the parts, which come last, are needed first
		heading, rest, _ := strings.Cut(section, "\n")
		list[heading] = map[string][]field{}
		for line := range strings.Lines(rest) {
			row := listedRow.FindStringSubmatch(line)
			if row == nil {
				continue
			}
			var fields []field
			for _, f := range listedField.FindAllStringSubmatch(row[2], -1) {
				if part, all := strings.CutPrefix(f[1], "…"); all {
					fields = append(fields, list["Parts"][part]...)
				} else {
					fields = append(fields, field{f[1], f[2]})
				}
			}
			list[heading][row[1]] = fields
		}
	}
	return list
}
