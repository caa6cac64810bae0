package compare

import (
	"slices"
	"strconv"
	"strings"
)

// VariesAt tells whether the field at a path has a different value on each server, or in each response: in an object, in the objects of a list or a
// Table, and in events of a watch.
func VariesAt(way []string) bool {
	way = inObject(way)
	if len(way) == 0 {
		return false
	}
	name := way[len(way)-1]
	switch {
	case len(way) == 2 && way[0] == "metadata":
		return slices.Contains(ofMetadata, name)
	case len(way) == 4 && way[0] == "metadata" && way[1] == "managedFields":
		return name == "time"
	case len(way) == 4 && way[0] == "metadata" && way[1] == "ownerReferences":
		return name == "uid"
	case len(way) == 4 && way[0] == "status" && way[1] == "conditions":
		return slices.Contains(ofConditions, name)
	}
	return false
}

var (
	ofMetadata   = []string{"continue", "creationTimestamp", "deletionTimestamp", "resourceVersion", "uid"}
	ofConditions = []string{"lastHeartbeatTime", "lastProbeTime", "lastTransitionTime", "lastUpdateTime"}
)

// inObject is the part of a path that is inside of an object.
func inObject(way []string) []string {
	for {
		switch {
		case len(way) > 2 && way[0] == "items":
			way = way[2:]
		case len(way) > 3 && way[0] == "rows" && way[2] == "object":
			way = way[3:]
		case len(way) > 1 && way[0] == "object":
			way = way[1:]
		default:
			return way
		}
	}
}

// outline knows the path of each line of YAML as API servers write it, or of CBOR in its notation. Both have a field in each line, and are indented.
type outline struct {
	open []field
	text int // the lines with more spaces belong to a text of several lines; 0: to none
}

// field is a field, or an item of a list, that the current line is in.
type field struct {
	indent int
	name   string
	item   bool
}

// varies takes the next line of YAML, and tells whether its value always differs.
func (o *outline) varies(text string) bool {
	at := indent(text)
	rest := text[at:]
	if rest == "" || o.text > 0 && at >= o.text {
		return false
	}
	o.text = 0
	for strings.HasPrefix(rest, "- ") {
		o.enter(at, "", true)
		at, rest = at+len("- "), rest[len("- "):]
	}
	name, value, is := strings.Cut(rest, ":")
	if !is || value != "" && value[0] != ' ' {
		return false
	}
	o.enter(at, name, false)
	if value = strings.TrimSpace(value); strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">") {
		o.text = at + 1
	}
	return value != "" && VariesAt(o.way())
}

// variesInNotation takes the next line of a notation, and tells whether its value always differs.
func (o *outline) variesInNotation(text string) bool {
	at := indent(text)
	name, value, is := strings.Cut(text[at:], ": ")
	if !is || !strings.HasPrefix(name, `'`) && !strings.HasPrefix(name, `"`) {
		o.enter(at, "", true)
		return false
	}
	o.enter(at, strings.Trim(name, `'"`), false)
	if value == "{" || value == "[" {
		return false
	}
	return VariesAt(o.way())
}

// enter leaves the fields that have ended, and enters the next one. An item of a list may have as many spaces before it as the list.
func (o *outline) enter(at int, name string, item bool) {
	n := len(o.open)
	for n > 0 && (o.open[n-1].indent > at || o.open[n-1].indent == at && (o.open[n-1].item || !item)) {
		n--
	}
	o.open = append(o.open[:n], field{at, name, item})
}

func (o *outline) way() []string {
	way := make([]string, 0, len(o.open))
	for i, f := range o.open {
		switch {
		case f.item && i > 0:
			f.name = strconv.Itoa(i)
		case f.item:
			continue // the document of a notation
		}
		way = append(way, f.name)
	}
	return way
}
