package podlog

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// Field is a field of a line that is a JSON object.
type Field struct {
	Name string
	Text string // a string without quotes; other values as compact JSON
}

// Fields are the fields of a line that is one JSON object, in its order; nil for other lines. If a name occurs twice, both fields are there.
func Fields(text string) []Field {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil
	}
	all := []Field{}
	for d.More() {
		f, ok := field(d)
		if !ok {
			return nil
		}
		all = append(all, f)
	}
	if _, err := d.Token(); err != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return all
}

func field(d *json.Decoder) (Field, bool) {
	name, err := d.Token()
	if err != nil {
		return Field{}, false
	}
	f := Field{}
	f.Name, _ = name.(string)
	var value json.RawMessage
	if err := d.Decode(&value); err != nil {
		return Field{}, false
	}
	if json.Unmarshal(value, &f.Text) == nil && value[0] == '"' {
		return f, true
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, value); err != nil {
		return Field{}, false
	}
	f.Text = compact.String()
	return f, true
}

// eachField calls a function with the names and values of the fields of a line that looks like one JSON object: strings of values keep their quotes,
// and nothing is unescaped. Each line of a log is read by it, and it reads it once, without memory of its own. It returns false for other lines.
func eachField(text string, f func(name, value string)) bool {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return false
	}
	for text = strings.TrimSpace(text[1 : len(text)-1]); text != ""; {
		end := stringEnd(text)
		if end < 0 {
			return false
		}
		name := text[1 : end-1]
		rest, ok := strings.CutPrefix(strings.TrimLeft(text[end:], blank), ":")
		value := valueEnd(strings.TrimLeft(rest, blank))
		if rest = strings.TrimLeft(rest, blank); !ok || value <= 0 {
			return false
		}
		f(name, strings.TrimRight(rest[:value], blank))
		if text = rest[value:]; text != "" {
			text = strings.TrimLeft(text[1:], blank) // a comma
		}
	}
	return true
}

const blank = " \t\r\n"

// stringEnd is the length of the string that a text begins with, with its quotes; -1: it begins with none.
func stringEnd(text string) int {
	if text == "" || text[0] != '"' {
		return -1
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// valueEnd is the length of the value that a text begins with; -1: it doesn't end.
func valueEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := stringEnd(text[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	if depth != 0 {
		return -1
	}
	return len(text)
}
