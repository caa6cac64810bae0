package learner

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
)

// Change is a browser's change of one entry.
type Change struct {
	Name string          `json:"name"`
	Was  json.RawMessage `json:"was"` // null: there was none
	Is   json.RawMessage `json:"is"`  // null: there is none now
}

// Prefixes of the names of entries.
const (
	learnerName  = "learner"
	lessonPrefix = "lessons/"
	taskPrefix   = "tasks/"
)

// Apply makes the changes of a session's browser, and returns the names of those that were refused because the entry had another value. With an error,
// nothing was changed.
func (s *Store) Apply(session string, changes []Change) (refused []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.reread(); err != nil {
		return nil, err
	}
	next := s.kept
	next.Learn.Lessons, next.Tasks, next.Responses = maps.Clone(next.Learn.Lessons), maps.Clone(next.Tasks), maps.Clone(next.Responses)
	for _, c := range changes {
		e, ok := next.entry(c.Name)
		if !ok || len(c.Is) > maxEntry || !json.Valid(c.Is) {
			return nil, fmt.Errorf("the entry %q can't be kept", c.Name)
		}
		if now := e.get(); !same(now, c.Was) && !same(now, c.Is) {
			refused = append(refused, c.Name)
			continue
		}
		e.set(c.Is)
		if lesson, is := strings.CutPrefix(c.Name, lessonPrefix); is {
			s.takeResponses(next, session, lesson, c)
		}
	}
	if len(next.Learn.Lessons)+len(next.Tasks) > maxEntries {
		return nil, fmt.Errorf("at most %d lessons and tasks are kept", maxEntries)
	}
	if len(changes) == len(refused) {
		return refused, nil
	}
	return refused, s.write(next)
}

// entry is where a value is kept.
type entry struct {
	get func() json.RawMessage
	set func(json.RawMessage)
}

func (k *kept) entry(name string) (entry, bool) {
	if name == learnerName {
		return entry{
			get: func() json.RawMessage { return k.Learn.Learner },
			set: func(to json.RawMessage) { k.Learn.Learner = present(to) },
		}, true
	}
	for prefix, in := range map[string]map[string]json.RawMessage{lessonPrefix: k.Learn.Lessons, taskPrefix: k.Tasks} {
		id, ok := strings.CutPrefix(name, prefix)
		if !ok || id == "" || len(id) > 100 {
			continue
		}
		return entry{
			get: func() json.RawMessage { return in[id] },
			set: func(to json.RawMessage) {
				if in[id] = present(to); in[id] == nil {
					delete(in, id)
				}
			},
		}, true
	}
	return entry{}, false
}

// present is a value, or nil instead of JSON's null.
func present(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// same compares two values as JSON.
func same(a, b json.RawMessage) bool { return reflect.DeepEqual(decoded(a), decoded(b)) }

func decoded(value json.RawMessage) any {
	var v any
	_ = json.Unmarshal(value, &v) // an absent value is like null
	return v
}
