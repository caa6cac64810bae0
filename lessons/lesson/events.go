package lesson

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// Happenings are the events of a stream, as far as they have come. A line that isn't whole yet, or is none, is left out.
func (a Answer) Happenings() []watch.Event {
	var all []watch.Event
	for line := range bytes.Lines(a.Body) {
		if event, err := watch.ParseEvent(line); err == nil {
			all = append(all, event)
		}
	}
	return all
}

// document is the answer's JSON; of a stream, its last whole event.
func (a Answer) document() (any, error) {
	if a.read == nil {
		return a.parse()
	}
	if !a.read.done {
		a.read.document, a.read.err = a.parse()
		a.read.done = true
	}
	return a.read.document, a.read.err
}

func (a Answer) parse() (any, error) {
	document, err := decode(a.Body)
	if err == nil {
		return document, nil
	}
	for _, line := range slices.Backward(slices.Collect(bytes.Lines(a.Body))) {
		if _, notOne := watch.ParseEvent(line); notOne == nil {
			return decode(line)
		}
	}
	return nil, err
}

// events counts those that are meant.
func (s Subject) events(a Answer, vars Vars) (string, bool, error) {
	var where *Where
	if s.Where != nil {
		path, err := vars.Expand(s.Where.Path)
		if err != nil {
			return "", false, err
		}
		value, err := vars.Expand(s.Where.Value)
		if err != nil {
			return "", false, err
		}
		where = &Where{Path: path, Value: value}
	}
	count := 0
	for _, event := range a.Happenings() {
		if (s.Name == "any" || s.Name == string(event.Type)) && where.meets(event) {
			count++
		}
	}
	return strconv.Itoa(count), a.Status != 0, nil
}

// meets tells whether the object of an event is one that is meant; no condition means all.
func (w *Where) meets(event watch.Event) bool {
	if w == nil {
		return true
	}
	object, err := decode(event.Object)
	if err != nil {
		return false
	}
	path, err := ParsePath(w.Path)
	if err != nil {
		return false
	}
	value, ok := path.In(object)
	return ok && (w.Value == "*" || written(value) == w.Value)
}
