package object

import (
	"encoding/base64"
	"maps"
	"strings"
)

// Encoded is a manifest as the API server takes it: it moves what a Secret has in stringData to data, in base64. Every other object is as it was.
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

// Unencoded is where a manifest may have what a Secret has at a path in data. Any other path is as it was.
func Unencoded(path string) string {
	if rest, is := strings.CutPrefix(path, ".data."); is {
		return ".stringData." + rest
	}
	return path
}
