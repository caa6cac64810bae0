package learner

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// takeResponses keeps the responses to the requests that a change of a lesson names, and deletes those that it no longer names.
func (s *Store) takeResponses(next kept, session, lesson string, c Change) {
	var was, is progress.Lesson
	if json.Unmarshal(c.Was, &was) != nil {
		was = progress.Lesson{}
	}
	if json.Unmarshal(c.Is, &is) != nil || !is.Under() {
		delete(next.Responses, lesson)
		delete(s.sources, lesson)
		return
	}
	again := func(block string) bool { return is.Entries[block] == "" || is.Entries[block] != was.Entries[block] }
	before := maps.Clone(next.Responses[lesson])
	maps.DeleteFunc(before, func(block string, _ record.Entry) bool { return again(block) })
	from := maps.Clone(s.sources[lesson])
	maps.DeleteFunc(from, func(block string, _ source) bool { return again(block) })
	for block, text := range is.Entries {
		if number, err := strconv.ParseUint(text, 10, 64); err == nil && again(block) {
			if from == nil {
				from = map[string]source{}
			}
			from[block] = source{session, number}
		}
	}
	s.sources[lesson] = from
	next.Responses[lesson] = s.newest(lesson, before)
	if next.weight() > maxResponses {
		clear(next.Responses)
	}
}

// newest are the responses of a lesson, as far as the wire logs have them now, and otherwise as they were kept before.
func (s *Store) newest(lesson string, before map[string]record.Entry) map[string]record.Entry {
	all := maps.Clone(before)
	if all == nil {
		all = map[string]record.Entry{}
	}
	for block, at := range s.sources[lesson] {
		if e, ok := s.recorded(at.session, at.number); ok {
			all[block] = e
		}
	}
	return all
}

// weight is how many bytes the bodies take.
func (k kept) weight() int {
	sum := 0
	for _, of := range k.Responses {
		for _, e := range of {
			sum += len(e.Request.Body) + len(e.Answer.Body)
		}
	}
	return sum
}

// Responses are the recorded responses of a lesson, by block. One that the wire log no longer has is without its number there.
func (s *Store) Responses(lesson string) map[string]record.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	filed := maps.Clone(s.kept.Responses[lesson])
	for block, e := range filed {
		e.ID = 0
		filed[block] = e
	}
	return s.newest(lesson, filed)
}
