package object

import (
	"bytes"
	"strings"
)

// Place is a place in a JSON document, as far as that decides what is secret there. This is the one rule for what is
// secret. All code that shows, keeps or records objects follows it, on decoded values (Masked and the functions beside it) or token by token:
//
//	document that may hold a Secret    Doubt
//	├─ data, stringData, token         all values below are secret
//	├─ annotations
//	│  ├─ …last-applied-configuration  secret: client-side apply keeps the whole manifest there
//	│  └─ any other                    secret if it quotes a manifest, or is base64
//	└─ anything else                   Doubt: lists, rows of Tables and events of watches have objects in them
//
// A stream of tokens can't tell where a Secret begins, because its kind may follow its data. So a reader of tokens treats the whole
// document as a Secret if its path is one of Secrets (package apipath), or if MayHold says so.
type Place uint8

// The places where a document can begin. Below leads on to the others.
const (
	Open  Place = iota // nothing here is secret
	Doubt              // all objects may be Secrets
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

// Hides tells whether a text is secret at this place. If the text was cut, the missing part counts, too.
func (p Place) Hides(text string, cut bool) bool {
	return p == whole || p >= notes && (cut || quotes(text) || coded(text))
}

// lastApplied is how the name of the annotation ends in which client-side apply keeps the manifest, values included.
const lastApplied = "last-applied-configuration"

// quotes tells whether a text has the fields of a manifest in it, as JSON or YAML. Tools keep such copies under names of their own.
func quotes(text string) bool {
	for _, field := range []string{`"data`, `"stringData`, "data:", "stringData:"} {
		if strings.Contains(text, field) {
			return true
		}
	}
	return false
}

// shortestCode is how long base64 must be to be taken for that.
const shortestCode = 8

// coded tells whether a text is base64, as values of Secrets are. A word in small letters is a word.
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
	protobuf = "k8s\x00" // how Protobuf begins, with an envelope that says what is in it
	mostHead = 200       // bytes of that
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
