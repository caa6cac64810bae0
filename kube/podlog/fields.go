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

// fields are the fields of a line that is one JSON object, in its order; nil for other lines. If a name occurs twice, both fields are there.
func fields(text string) []Field {
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
