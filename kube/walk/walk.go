// Package walk finds the members of JSON objects and the items of JSON lists without decoding them. It reads the bytes once and allocates
// nothing.
//
//	{"type":"ADDED","object":{…}}
//	 └────┬───────┘ └────┬──────┘
//	   member         member: Members calls visit with its name, the whole member, and its value
//
// A watch brings thousands of objects. Most questions about them (the type of an event, whether anything changed) don't need their values.
// If the text isn't JSON, the walk ends early, or passes over the mistake: it doesn't check the text. A decoder does.
package walk

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Members visits the members of a JSON object: the escaped name without quotes, the whole member, and its value. It returns the index
// after the object, or -1 if there is none.
func Members(b []byte, visit func(name, member, value []byte)) (end int) {
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		return -1
	}
	i = space(b, i+1)
	for i < len(b) && b[i] != '}' {
		begin, name := i, stringEnd(b, i)
		if name < 0 {
			return -1
		}
		i = space(b, name)
		if i >= len(b) || b[i] != ':' {
			return -1
		}
		value := space(b, i+1)
		end := skip(b, value)
		if end < 0 {
			return -1
		}
		visit(b[begin+1:name-1], b[begin:end], b[value:end])
		if i = nextMember(b, end); i < 0 {
			return -1
		}
	}
	return closed(b, i)
}

// Items visits the items of a JSON list. It returns the index after the list, or -1 if there is none.
func Items(b []byte, visit func(item []byte)) int {
	if len(b) == 0 || b[0] != '[' {
		return -1
	}
	i := space(b, 1)
	for i < len(b) && b[i] != ']' {
		end := skip(b, i)
		if end < 0 {
			return -1
		}
		visit(b[i:end])
		if i = nextMember(b, end); i < 0 {
			return -1
		}
	}
	return closed(b, i)
}

// closed is the index after the closing bracket at i, or -1 if there is none.
func closed(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	return i + 1
}

// nextMember is the index of the next member or item, or of the closing bracket.
func nextMember(b []byte, i int) int {
	i = space(b, i)
	switch {
	case i >= len(b):
		return -1
	case b[i] == ',':
		return space(b, i+1)
	case b[i] == '}' || b[i] == ']':
		return i
	default:
		return -1
	}
}

// skip is the index after a value, or -1.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return nested(b, i)
	case ',', ':', '}', ']':
		return -1
	}
	for i < len(b) && bytes.IndexByte([]byte(",]} \t\r\n"), b[i]) < 0 {
		i++
	}
	return i
}

// stringEnd is the index after a string, or -1.
func stringEnd(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func nested(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := stringEnd(b, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// Word decodes a JSON string. For any other value, it returns an empty string.
func Word(b []byte) string {
	if len(b) < 2 || b[0] != '"' {
		return ""
	}
	if bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b) {
		return string(b[1 : len(b)-1])
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}
