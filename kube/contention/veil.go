package contention

import (
	"encoding/json"
	"fmt"
	"hash/maphash"

	"github.com/fieldmark/fieldmark/kube/object"
)

// veil takes the secrets out of an object before anything of it is kept: what is left tells two values apart, under a key
// that nobody knows, and says nothing else about them.
func veil(seed maphash.Seed, o object.Object) object.Object {
	return o.Replaced(func(value any) any {
		text, err := json.Marshal(value)
		if err != nil {
			return nil // a decoded value can always be written
		}
		return fmt.Sprintf("%x", maphash.Bytes(seed, text))
	})
}
