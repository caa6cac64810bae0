package object

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// SecretValue is one value of a Secret. Pages hide it until the reader asks for it.
type SecretValue struct {
	Key   string `json:"key"`
	Bytes int    `json:"bytes"` // of the decoded value
}

// IsSecret tells whether the object is a core Secret, whose values must be masked.
func (o Object) IsSecret() bool { return o.APIVersion() == "v1" && o.Kind() == "Secret" }

// SecretValues lists the keys of a Secret, masked or not, with the length of each value, sorted by key.
func (o Object) SecretValues() []SecretValue {
	data := fields(o.Fields["data"])
	values := make([]SecretValue, 0, len(data))
	for _, key := range slices.Sorted(maps.Keys(data)) {
		bytes, hidden := masked(textValue(data[key]))
		if !hidden {
			bytes = len(decoded(textValue(data[key])))
		}
		values = append(values, SecretValue{Key: key, Bytes: bytes})
	}
	return values
}

// Reveal returns the decoded value of one key of a Secret; ok is false if there is no such key.
func (o Object) Reveal(key string) (value []byte, ok bool) {
	encoded, ok := fields(o.Fields["data"])[key]
	if !ok || !o.IsSecret() {
		return nil, false
	}
	return decoded(textValue(encoded)), true
}

// Masked returns a copy without readable secrets. The kind of each object decides whether its values are masked: of the object itself, of objects
// in a list, a Table or an event of a watch, and of a Secret in any field. A text that quotes a Secret is masked as a whole. Values that are masked already don't change.
func (o Object) Masked() Object { return o.MaskedBeside(Object{}) }

// MaskedAsSecret masks all objects in it as Secrets, without regard to their kinds. It is for responses from the path of Secrets, because
// items of lists have no kind of their own.
func (o Object) MaskedAsSecret() Object { return hidden(Doubt, o, Object{}, maskedBeside) }

// MaskedBeside masks like Masked. If a value differs in the other object, the masks differ, too. So a comparison of both still shows which
// values change.
func (o Object) MaskedBeside(other Object) Object { return hidden(Open, o, other, maskedBeside) }

// Replaced returns a copy with a replacement for each secret value.
func (o Object) Replaced(with func(value any) any) Object {
	return hidden(Open, o, Object{}, func(value, _ any) any { return with(value) })
}

// WithoutValues returns a copy of a Secret without its values, and without copies of them.
func (o Object) WithoutValues() Object {
	copied := maps.Clone(o.Fields)
	delete(copied, "data")
	delete(copied, "stringData")
	if metadata := maps.Clone(o.metadata()); metadata != nil {
		annotations := maps.Clone(fields(metadata["annotations"]))
		maps.DeleteFunc(annotations, func(name string, value any) bool { return notes.Below(name).Hides(textValue(value), false) })
		if metadata["annotations"] = annotations; annotations == nil {
			delete(metadata, "annotations")
		}
		copied["metadata"] = metadata
	}
	return Object{Fields: copied}
}

// hidden replaces the secret values of an object. with gets each value, and the value at the same place of the other object.
func hidden(p Place, o, other Object, with func(value, other any) any) Object {
	copied, _ := hide(p, o.Fields, other.Fields, with).(map[string]any)
	return Object{Fields: copied}
}

func hide(p Place, v, other any, with func(value, other any) any) any {
	switch v := v.(type) {
	case map[string]any:
		if p == Open && mayHold(v) {
			p = Doubt
		}
		if p == Open {
			shown, _ := hideInside(v, fields(other), with)
			return shown
		}
		copied, beside := make(map[string]any, len(v)), fields(other)
		for name, child := range v {
			copied[name] = hide(p.Below(name), child, beside[name], with)
		}
		return copied
	case []any:
		copied, beside := make([]any, len(v)), listValue(other)
		for i, child := range v {
			var was any
			if i < len(beside) {
				was = beside[i]
			}
			copied[i] = hide(p.Below(strconv.Itoa(i)), child, was, with)
		}
		return copied
	}
	if p.Hides(textValue(v), false) {
		return with(v, other)
	}
	return v
}

// hideInside hides secrets inside of another object: in a list, in the rows of a Table, in an event, in a field that has a whole Secret, and in a
// text that quotes one. What has none isn't copied.
func hideInside(v, other map[string]any, with func(value, other any) any) (shown map[string]any, hides bool) {
	shown = v
	for name, child := range v {
		if now, is := inside(child, other[name], with); is {
			if !hides {
				shown, hides = maps.Clone(v), true
			}
			shown[name] = now
		}
	}
	return shown, hides
}

func inside(v, other any, with func(value, other any) any) (shown any, hides bool) {
	switch v := v.(type) {
	case map[string]any:
		if mayHold(v) {
			return hide(Doubt, v, other, with), true
		}
		return hideInside(v, fields(other), with)
	case []any:
		return hideItems(v, listValue(other), with)
	case string:
		if quotesSecret(v) {
			return with(v, other), true
		}
	}
	return v, false
}

func hideItems(v, other []any, with func(value, other any) any) (shown []any, hides bool) {
	shown = v
	for i, child := range v {
		var was any
		if i < len(other) {
			was = other[i]
		}
		if now, is := inside(child, was, with); is {
			if !hides {
				shown, hides = slices.Clone(v), true
			}
			shown[i] = now
		}
	}
	return shown, hides
}

// mayHold tells whether an object is one with secret values, or metadata alone, which doesn't tell the kind of its object.
func mayHold(v map[string]any) bool {
	kind := textValue(v["kind"])
	return Holds(textValue(v["apiVersion"]), kind) || strings.HasPrefix(kind, "PartialObjectMetadata")
}

// Mask is the text that replaces a secret value: its length. A masked value stays as it is.
func Mask(secret string) string {
	if _, is := masked(secret); is {
		return secret
	}
	return fmt.Sprintf(maskBegins+"%d"+maskEnds, len(decoded(secret)))
}

func maskedBeside(value, other any) any {
	shown := Mask(textValue(value))
	if other != nil && textValue(other) != textValue(value) {
		shown += changed
	}
	return shown
}

const (
	maskBegins = "•••••••• ("
	maskEnds   = " bytes, hidden)"
	mostDigits = 9
	changed    = ", another one" // added to the mask of a value that differs from the other object's
)

// masked tells whether a value is a mask, and the length of the value that it hides. No value of a Secret looks like a mask, because
// values are base64.
func masked(value string) (bytes int, ok bool) {
	rest, begins := strings.CutPrefix(value, maskBegins)
	digits, ends := strings.CutSuffix(rest, maskEnds)
	if !begins || !ends || len(digits) > mostDigits {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return int(n), err == nil
}

func decoded(value string) []byte {
	plain, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return []byte(value)
	}
	return plain
}
