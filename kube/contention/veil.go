package contention

import (
	"encoding/json"
	"fmt"
	"hash/maphash"

	"github.com/fieldmark/fieldmark/kube/object"
)

// veil takes the values out of a Secret before anything of it is kept: what is left tells two values apart, under a key
// that nobody knows, and says nothing else about them.
func veil(seed maphash.Seed, o object.Object) {
	for name, value := range o.Fields {
		switch name {
		case "apiVersion", "kind":
		case "metadata":
			if metadata, ok := value.(map[string]any); ok && metadata["annotations"] != nil {
				metadata["annotations"] = veiled(seed, metadata["annotations"]) // kubectl copies the object into one
			}
		default:
			o.Fields[name] = veiled(seed, value)
		}
	}
}

func veiled(seed maphash.Seed, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = veiled(seed, v[name])
		}
		return v
	case []any:
		for i := range v {
			v[i] = veiled(seed, v[i])
		}
		return v
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return nil // a decoded value can always be written
		}
		return fmt.Sprintf("%x", maphash.Bytes(seed, text))
	}
}
