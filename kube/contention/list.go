package contention

import "github.com/fieldmark/fieldmark/kube/walk"

// List takes a chunk of a list apart, and tells the version of the list and the token of the next chunk. ok is false
// where it is none.
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
