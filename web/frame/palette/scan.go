package palette

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// parseNames reads the names in a list of objects, and the continue token (next). It skips everything else, because most of such a list is
// managedFields, and decoding them would block the browser too long.
func parseNames(list []byte) (names []Name, next string, err error) {
	s := scanner{data: list}
	s.object(func(key string) bool {
		switch key {
		case "metadata":
			s.object(func(key string) bool { return key == "continue" && s.readString(&next) })
		case "items":
			s.array(func() { names = append(names, s.name()) })
		default:
			return false
		}
		return true
	})
	if s.broken {
		return nil, "", errors.New("the list is not JSON, or no list of objects")
	}
	return names, next, nil
}

// scanner reads JSON from left to right.
type scanner struct {
	data   []byte
	at     int
	broken bool
}

func (s *scanner) name() Name {
	var n Name
	s.object(func(key string) bool {
		if key != "metadata" {
			return false
		}
		s.object(func(key string) bool {
			return key == "name" && s.readString(&n.Name) || key == "namespace" && s.readString(&n.Namespace)
		})
		return true
	})
	return n
}

// peek is the next byte that isn't white space; 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// expectByte skips a byte that must come next. It returns false if another comes.
func (s *scanner) expectByte(c byte) bool {
	if s.broken || s.peek() != c {
		s.broken = true
		return false
	}
	s.at++
	return true
}

// object reads an object. The function reads the value of a field and returns true, or returns false to skip the value.
func (s *scanner) object(field func(key string) bool) {
	if !s.expectByte('{') {
		return
	}
	s.each('}', func() {
		var key string
		if s.readString(&key) && s.expectByte(':') && !field(key) {
			s.skip()
		}
	})
}

func (s *scanner) array(element func()) {
	if s.peek() == 'n' { // null, as Go writes an empty list
		s.skip()
	} else if s.expectByte('[') {
		s.each(']', element)
	}
}

// each calls one for each part between commas, up to the byte end.
func (s *scanner) each(end byte, one func()) {
	if s.peek() == end {
		s.at++
		return
	}
	for !s.broken {
		one()
		if s.peek() == end {
			s.at++
			return
		}
		s.expectByte(',')
	}
}

// readString reads a string.
func (s *scanner) readString(into *string) bool {
	if s.peek() != '"' {
		s.broken = true
		return false
	}
	from := s.at
	s.skipText()
	if s.broken {
		return false
	}
	if raw := s.data[from+1 : s.at-1]; bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		*into = string(raw)
	} else if json.Unmarshal(s.data[from:s.at], into) != nil {
		s.broken = true
	}
	return !s.broken
}

func (s *scanner) skipText() {
	s.at++
	for {
		i := bytes.IndexByte(s.data[s.at:], '"')
		if i < 0 {
			s.broken = true
			return
		}
		s.at += i + 1
		escapes := 0
		for s.data[s.at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return
		}
	}
}

// skip skips any value.
func (s *scanner) skip() {
	depth := 0
	for s.peek() != 0 && !s.broken {
		switch s.data[s.at] {
		case '"':
			s.skipText()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			s.at++
		default:
			s.skipWord()
		}
		if depth <= 0 {
			s.broken = s.broken || depth < 0
			return
		}
	}
	s.broken = true
}

// skipWord skips a number or a word.
func (s *scanner) skipWord() {
	for s.at < len(s.data) && bytes.IndexByte([]byte("{}[],:\" \n\r\t"), s.data[s.at]) < 0 {
		s.at++
	}
}
