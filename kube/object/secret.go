package object

import (
	"bytes"
	"strings"
)

// Place is a place in a JSON document. It decides whether the values there are secret. All code that shows, keeps or records objects
// follows this one rule, on decoded values (Masked and similar methods) or token by token:
//
//	document that holds none           Open: only a Secret in one of its fields, and a text that quotes one, are secret
//	document that may hold a Secret    Doubt
//	├─ data, stringData, token         all values below are secret
//	├─ annotations
//	│  ├─ …last-applied-configuration  secret: client-side apply keeps the whole manifest there
//	│  └─ any other                    secret if it quotes a manifest, or is base64
//	└─ anything else                   Doubt: lists, rows of Tables and events of watches have objects in them
//
// A reader of tokens can't tell where a Secret begins, because the kind may come after the data. So it treats the whole document as a
// Secret if its path addresses Secrets (package apipath), or if MayHold says so.
type Place uint8

// The places. A document begins at Open or at Doubt, and Below leads to the others.
const (
	Open  Place = iota // nothing here is secret
	Doubt              // every object may be a Secret
	whole              // each value is secret
	notes              // annotations
	note               // an annotation
)

// Below is the place of a field of an object, or of an item of a list. The name of an item is its number.
func (p Place) Below(name string) Place {
	switch {
	case p == Doubt && (name == "data" || name == "stringData" || name == "token"), p == notes && strings.HasSuffix(name, lastApplied):
		return whole
	case p == Doubt && name == "annotations":
		return notes
	case p == notes:
		return note
	}
	return p
}

// Whole tells whether every value at this place is secret.
func (p Place) Whole() bool { return p == whole }

// Hides tells whether a text is secret at this place. The end of a text that was cut may be secret, so it counts, too.
func (p Place) Hides(text string, cut bool) bool {
	return p == whole || p >= notes && (cut || quotes(text) || coded(text))
}

// lastApplied is the end of the annotation's name in which client-side apply keeps the whole manifest.
const lastApplied = "last-applied-configuration"

// quotes tells whether a text contains fields of a manifest, as JSON or YAML. Several tools keep such copies in annotations.
func quotes(text string) bool {
	for _, field := range []string{`"data`, `"stringData`, "data:", "stringData:"} {
		if strings.Contains(text, field) {
			return true
		}
	}
	return false
}

// quotesSecret tells whether a text of any object has a manifest of a Secret with values in it.
func quotesSecret(text string) bool {
	return strings.Contains(text, "Secret") && MayHold([]byte(text)) && quotes(text)
}

// shortestCode is the number of characters from which a text is treated as base64.
const shortestCode = 8

// coded tells whether a text may be base64, like the values of Secrets. A word in lower case is not base64.
func coded(text string) bool {
	rest := strings.TrimRight(text, "=")
	if len(text) < shortestCode || len(text)%4 != 0 || len(text)-len(rest) > 2 {
		return false
	}
	word := rest == text
	for _, c := range []byte(rest) {
		small := 'a' <= c && c <= 'z'
		if !small && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '/' {
			return false
		}
		word = word && small
	}
	return !word
}

// Holds tells whether objects of a kind, or lists of them, have secret values. Without an API version, the kind decides.
func Holds(apiVersion, kind string) bool {
	switch strings.TrimSuffix(kind, "List") {
	case "Secret":
		return apiVersion == "" || apiVersion == "v1"
	case "TokenReview", "TokenRequest":
		return true
	}
	return false
}

const (
	protobuf = "k8s\x00" // Protobuf of Kubernetes begins with this, and an envelope with the kind follows
	mostHead = 200       // bytes of the envelope that are searched for the kind
	mostKind = 16        // bytes between the field kind and its value, without quotes, spaces and colons
)

// MayHold tells whether a text may have secrets in it: objects as JSON, YAML, Protobuf or CBOR, in lists or quoted, cut anywhere.
func MayHold(text []byte) bool {
	for _, rest, found := bytes.Cut(text, []byte("kind")); found; _, rest, found = bytes.Cut(rest, []byte("kind")) {
		rest = bytes.TrimLeft(rest, "\"'\\: \t\r\n")
		near := rest[:min(len(rest), mostKind)]
		if bytes.Contains(near, []byte("Secret")) || bytes.Contains(near, []byte("TokenRe")) {
			return true
		}
	}
	head := text[:min(len(text), mostHead)]
	return bytes.HasPrefix(head, []byte(protobuf)) && (bytes.Contains(head, []byte("Secret")) || bytes.Contains(head, []byte("TokenRe")))
}
