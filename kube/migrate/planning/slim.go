package planning

import (
	"bytes"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// slim appends the JSON of an object without the fields that its managers own. They are most of the bytes of metadata, and take most of the time to parse.
// Who owns an object doesn't depend on them, with one exception: who owns the annotation of client-side apply. Such fields stay.
func slim(out, raw []byte) []byte {
	s := slimmer{out: out, whole: true}
	s.object(raw, func(name, member, value []byte) {
		if string(name) == "metadata" {
			s.put(`"metadata":`)
			s.metadata(value)
		} else {
			s.put(string(member))
		}
	})
	if !s.whole { // something isn't as API servers write it, so nothing is left out
		return append(out, raw...)
	}
	return s.out
}

type slimmer struct {
	out   []byte
	whole bool // so far, the JSON could be read to its end
}

func (s *slimmer) put(text string) { s.out = append(s.out, text...) }

// object appends an object. For each member, put appends what stands in its place.
func (s *slimmer) object(raw []byte, put func(name, member, value []byte)) {
	before := "{"
	end := walk.Members(raw, func(name, member, value []byte) {
		s.put(before)
		before = ","
		put(name, member, value)
	})
	if before == "{" {
		s.put(before)
	}
	s.put("}")
	s.whole = s.whole && end == len(raw)
}

func (s *slimmer) metadata(raw []byte) {
	s.object(raw, func(name, member, value []byte) {
		if string(name) != "managedFields" {
			s.put(string(member))
			return
		}
		s.put(`"managedFields":`)
		before := "["
		end := walk.Items(value, func(entry []byte) {
			s.put(before)
			before = ","
			s.entry(entry)
		})
		if before == "[" {
			s.put(before)
		}
		s.put("]")
		s.whole = s.whole && end == len(value)
	})
}

func (s *slimmer) entry(raw []byte) {
	s.object(raw, func(name, member, value []byte) {
		if string(name) == "fieldsV1" && !bytes.Contains(value, []byte(assist.LastApplied)) {
			s.put(`"fieldsV1":{}`)
		} else {
			s.put(string(member))
		}
	})
}
