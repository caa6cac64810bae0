package contention

import "github.com/fieldmark/fieldmark/kube/walk"

// List calls visit with each object of a chunk. It returns the resource version of the list, and the continue token of the next chunk. If the
// text isn't a list, ok is false.
func List(chunk []byte, visit func(object []byte)) (version, token string, ok bool) {
	end := walk.Members(chunk, func(name, _, value []byte) {
		switch string(name) {
		case "metadata":
			walk.Members(value, func(name, _, value []byte) {
				switch string(name) {
				case "resourceVersion":
					version = walk.Word(value)
				case "continue":
					token = walk.Word(value)
				}
			})
		case "items":
			ok = walk.Items(value, visit) > 0
		}
	})
	return version, token, ok && end > 0
}
