package object

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// lastApplied is where client-side apply keeps a whole copy of the manifest, values included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// SecretValue is one value of a Secret, hidden until asked for.
type SecretValue struct {
	Key   string `json:"key"`
	Bytes int    `json:"bytes"` // length of the decoded value
}

// IsSecret tells whether the object is a core Secret, whose values must be masked.
func (o Object) IsSecret() bool { return o.APIVersion() == "v1" && o.Kind() == "Secret" }

// SecretValues lists the keys of a Secret, masked or not, with the length of each value, sorted by key.
func (o Object) SecretValues() []SecretValue {
	data := fields(o.Fields["data"])
	values := make([]SecretValue, 0, len(data))
	for _, key := range slices.Sorted(maps.Keys(data)) {
		bytes, hidden := masked(data[key])
		if !hidden {
			bytes = len(decoded(data[key]))
		}
		values = append(values, SecretValue{Key: key, Bytes: bytes})
	}
	return values
}

// Reveal gives the decoded value of one key of a Secret; ok is false where there is no such key.
func (o Object) Reveal(key string) (value []byte, ok bool) {
	encoded, ok := fields(o.Fields["data"])[key]
	if !ok || !o.IsSecret() {
		return nil, false
	}
	return decoded(encoded), true
}

// Masked gives a copy in which no secret can be read: the values of a Secret and the copy of them
// that client-side apply keeps in an annotation. Other objects come back as they are, and so does what is masked.
func (o Object) Masked() Object {
	if !o.IsSecret() {
		return o
	}
	copied := maps.Clone(o.Fields)
	for _, part := range []string{"data", "stringData"} {
		if values, ok := copied[part]; ok {
			copied[part] = maskValues(values)
		}
	}
	copied["metadata"] = maskAnnotations(copied["metadata"])
	return Object{Fields: copied}
}

// MaskedBeside masks like Masked, so that a value still differs from the one of another object, masked, where the two are
// different: what is compared with it shows what changes, and nothing else.
func (o Object) MaskedBeside(other Object) Object {
	hidden := o.Masked()
	if !o.IsSecret() {
		return hidden
	}
	for _, part := range []string{"data", "stringData"} {
		was, is, shown := fields(other.Fields[part]), fields(o.Fields[part]), fields(hidden.Fields[part])
		for key, value := range is {
			if before, had := was[key]; had && text(before) != text(value) {
				shown[key] = text(shown[key]) + changed
			}
		}
	}
	was, is := fields(other.metadata()["annotations"]), fields(o.metadata()["annotations"])
	shown := fields(hidden.metadata()["annotations"])
	for key, value := range is {
		_, masks := masked(shown[key])
		if before, had := was[key]; had && masks && text(before) != text(value) {
			shown[key] = text(shown[key]) + changed
		}
	}
	return hidden
}

// changed stands behind the mask of a value that is another one.
const changed = ", another one"

func maskValues(v any) any {
	values, ok := v.(map[string]any)
	if !ok {
		return mask(0)
	}
	all := make(map[string]any, len(values))
	for key, value := range values {
		all[key] = value
		if _, hidden := masked(value); !hidden {
			all[key] = mask(len(decoded(value)))
		}
	}
	return all
}

// maskAnnotations hides every annotation that quotes the manifest. A tool may keep such a copy under
// a name of its own, so any annotation that looks like a whole object is hidden too.
func maskAnnotations(v any) any {
	metadata, ok := v.(map[string]any)
	if !ok {
		return v
	}
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return v
	}
	all := maps.Clone(annotations)
	for key, value := range annotations {
		if _, hidden := masked(value); hidden {
			continue
		}
		quoted := text(value)
		if key == lastApplied || strings.Contains(quoted, `"data"`) || strings.Contains(quoted, `"stringData"`) {
			all[key] = mask(len(quoted))
		}
	}
	metadata = maps.Clone(metadata)
	metadata["annotations"] = all
	return metadata
}

func mask(bytes int) string { return fmt.Sprintf(maskBegins+"%d"+maskEnds, bytes) }

const (
	maskBegins = "•••••••• ("
	maskEnds   = " bytes, hidden)"
	mostDigits = 9
)

// masked tells whether a value is a mask, and how long what it hides is. No value of a Secret looks like one: those are
// base64.
func masked(v any) (bytes int, ok bool) {
	rest, begins := strings.CutPrefix(text(v), maskBegins)
	digits, ends := strings.CutSuffix(rest, maskEnds)
	if !begins || !ends || len(digits) > mostDigits {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return int(n), err == nil
}

func decoded(v any) []byte {
	value, err := base64.StdEncoding.DecodeString(text(v))
	if err != nil {
		return []byte(text(v))
	}
	return value
}
