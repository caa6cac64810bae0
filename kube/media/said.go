package media

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Said has fields that a response has in any format. A field that the response doesn't have is empty.
type Said struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Reason     string `json:"reason"`  // of a Status
	Message    string `json:"message"` // of a Status
}

// set sets a field, if Said has it.
func (s *Said) set(name, value string) {
	switch name {
	case "apiVersion":
		s.APIVersion = value
	case "kind":
		s.Kind = value
	case "reason":
		s.Reason = value
	case "message":
		s.Message = value
	}
}

// Read reads the fields of a complete response. Bytes that can't be read have no fields.
func Read(mediaType string, body []byte) (s Said) {
	switch mediaType {
	case TypeProtobuf:
		return readProtobuf(body)
	case TypeYAML:
		return readYAML(body)
	case TypeCBOR:
		n, _ := ParseCBOR(body, 0)
		return n.Said
	}
	if json.Unmarshal(body, &s) != nil {
		return Said{}
	}
	return s
}

// The fields of a Status that are read from Protobuf.
const (
	statusMessage = 3
	statusReason  = 4
)

func readProtobuf(body []byte) Said {
	e, err := ParseEnvelope(body, true)
	if err != nil {
		return Said{}
	}
	s := Said{APIVersion: e.APIVersion, Kind: e.Kind}
	if s.Kind != "Status" {
		return s
	}
	r := reader{body, e.Raw.From, e.Raw.To}
	for r.at < r.end {
		tag, err := r.tag()
		if err != nil {
			return s
		}
		value, err := r.skip(tag)
		if err != nil {
			return s
		}
		switch tag.number {
		case statusMessage:
			s.Message = string(data(&r, value))
		case statusReason:
			s.Reason = string(data(&r, value))
		}
	}
	return s
}

// readYAML reads the lines that begin with the name of a field, as API servers write objects. It joins texts that continue in the next
// line.
func readYAML(body []byte) (s Said) {
	var name, value string
	for line := range bytes.Lines(body) {
		text := strings.TrimRight(string(line), "\r\n")
		if !strings.HasPrefix(text, " ") {
			s.set(name, unquoted(value))
			name, value, _ = strings.Cut(text, ": ")
		} else if len(value) < mostShown*mostShown {
			value += " " + strings.TrimSpace(text)
		}
	}
	s.set(name, unquoted(value))
	return s
}

// unquoted is the text of a YAML scalar, which may have quotes.
func unquoted(scalar string) string {
	scalar = strings.TrimSpace(scalar)
	if len(scalar) < 2 || scalar[0] != scalar[len(scalar)-1] {
		return scalar
	}
	switch inner := scalar[1 : len(scalar)-1]; scalar[0] {
	case '\'':
		return strings.ReplaceAll(inner, "''", "'")
	case '"':
		return strings.ReplaceAll(inner, `\"`, `"`)
	}
	return scalar
}
