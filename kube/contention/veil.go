package contention

import (
	"encoding/json"
	"fmt"
	"hash/maphash"

	"github.com/fieldmark/fieldmark/kube/object"
)

// veil replaces the secrets of an object by hashes with a random key, before anything of the object is kept. The hashes show whether two
// values differ, and nothing else.
func veil(seed maphash.Seed, o object.Object) object.Object {
	return o.Replaced(func(value any) any {
		text, err := json.Marshal(value)
		if err != nil {
			return nil // doesn't happen: decoded values can be encoded
		}
		return fmt.Sprintf("%x", maphash.Bytes(seed, text))
	})
}
