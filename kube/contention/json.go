package contention

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// What a scan wants to know of most events is whether anything is different, and that takes no decoding: the bytes of an
// object are walked once, and its members told apart. What comes from a server that writes nonsense is found out where it
// is decoded; here, nonsense only ends the walk.

// members visits what a JSON object has, each with its name (as it is written, without the quotes), and where the member
// begins. It gives the place behind the object, or -1.
func members(b []byte, i int, visit func(name, member, value []byte)) int {
	if i >= len(b) || b[i] != '{' {
		return -1
	}
	i = space(b, i+1)
	for i < len(b) && b[i] != '}' {
		begin, name := i, text(b, i)
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
		if i = next(b, end); i < 0 {
			return -1
		}
	}
	return i + 1
}

// items visits what a JSON list has. It gives the place behind the list, or -1.
func items(b []byte, visit func(item []byte)) int {
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
		if i = next(b, end); i < 0 {
			return -1
		}
	}
	return i + 1
}

// next is where the next member or item begins, or the bracket that ends them all.
func next(b []byte, i int) int {
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

// skip gives the place behind a value, or -1.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return text(b, i)
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

// text gives the place behind a string, or -1.
func text(b []byte, i int) int {
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
			end := text(b, i)
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

// word decodes a string; what is none is empty.
func word(b []byte) string {
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

// Event takes a line of a watch apart: what it says, and the object as it was sent. It is empty where the line is none.
func Event(line []byte) (kind string, object []byte) {
	members(line, space(line, 0), func(name, _, value []byte) {
		switch string(name) {
		case "type":
			kind = word(value)
		case "object":
			object = value
		}
	})
	return kind, object
}

// List takes a chunk of a list apart, and tells the version of the list and the token of the next chunk. ok is false
// where it is none.
func List(chunk []byte, visit func(object []byte)) (version, token string, ok bool) {
	end := members(chunk, space(chunk, 0), func(name, _, value []byte) {
		switch string(name) {
		case "metadata":
			members(value, 0, func(name, _, value []byte) {
				switch string(name) {
				case "resourceVersion":
					version = word(value)
				case "continue":
					token = word(value)
				}
			})
		case "items":
			ok = items(value, visit) > 0
		}
	})
	return version, token, ok && end > 0
}
