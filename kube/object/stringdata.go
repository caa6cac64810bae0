package object

import (
	"encoding/base64"
	"maps"
	"strings"
)

// Encoded is a manifest as the API server stores it: values in a Secret's stringData are moved to data, in base64 without line breaks. Every
// other object stays as it was.
func (o Object) Encoded() Object {
	plain, _ := o.Fields["stringData"].(map[string]any)
	there, _ := o.Fields["data"].(map[string]any)
	if o.Kind() != "Secret" || o.APIVersion() != "v1" || len(plain)+len(there) == 0 {
		return o
	}
	data := map[string]any{}
	for key, value := range there {
		if text, is := value.(string); is {
			value = unbroken.Replace(text)
		}
		data[key] = value
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

// unbroken removes line breaks.
var unbroken = strings.NewReplacer("\n", "", "\r", "")

// Unencoded turns a path in a Secret's data into the path in its stringData. Any other path doesn't change.
func Unencoded(path string) string {
	if rest, is := strings.CutPrefix(path, ".data."); is {
		return ".stringData." + rest
	}
	return path
}
