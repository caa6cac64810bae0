package object

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
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

// SecretValues lists the keys of a Secret with the length of each value, sorted by key.
func (o Object) SecretValues() []SecretValue {
	data := fields(o.Fields["data"])
	values := make([]SecretValue, 0, len(data))
	for _, key := range slices.Sorted(maps.Keys(data)) {
		values = append(values, SecretValue{Key: key, Bytes: len(decoded(data[key]))})
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
// that client-side apply keeps in an annotation. Other objects come back as they are.
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

func maskValues(v any) any {
	values, ok := v.(map[string]any)
	if !ok {
		return mask(0)
	}
	masked := make(map[string]any, len(values))
	for key, value := range values {
		masked[key] = mask(len(decoded(value)))
	}
	return masked
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
	masked := maps.Clone(annotations)
	for key, value := range annotations {
		quoted := text(value)
		if key == lastApplied || strings.Contains(quoted, `"data"`) || strings.Contains(quoted, `"stringData"`) {
			masked[key] = mask(len(quoted))
		}
	}
	metadata = maps.Clone(metadata)
	metadata["annotations"] = masked
	return metadata
}

func mask(bytes int) string { return fmt.Sprintf("•••••••• (%d bytes, hidden)", bytes) }

func decoded(v any) []byte {
	value, err := base64.StdEncoding.DecodeString(text(v))
	if err != nil {
		return []byte(text(v))
	}
	return value
}
