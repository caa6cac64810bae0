package object

import (
	"encoding/base64"
	"maps"
	"strings"
)

// Encoded is a manifest as the API server stores it: values in a Secret's stringData are moved to data, in base64. Every other object
// stays as it was.
func (o Object) Encoded() Object {
	plain, _ := o.Fields["stringData"].(map[string]any)
	if o.Kind() != "Secret" || o.APIVersion() != "v1" || len(plain) == 0 {
		return o
	}
	data := map[string]any{}
	if there, is := o.Fields["data"].(map[string]any); is {
		data = maps.Clone(there)
	}
	for key, value := range plain {
		if text, is := value.(string); is {
			data[key] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
	moved := maps.Clone(o.Fields)
	delete(moved, "stringData")
	moved["data"] = data
	return Object{Fields: moved}
}

// Unencoded turns a path in a Secret's data into the path in its stringData. Any other path doesn't change.
func Unencoded(path string) string {
	if rest, is := strings.CutPrefix(path, ".data."); is {
		return ".stringData." + rest
	}
	return path
}
