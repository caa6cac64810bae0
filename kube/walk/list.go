package walk

import "strconv"

// Listed is what a chunk of a list says of the list.
type Listed struct {
	Version  string // resource version of the list
	Continue string // the token of the next chunk; empty: this is the last chunk
	Left     int64  // how many objects are still to come, by the server's count; 0: it doesn't say
}

// List calls visit with each object of a chunk. If the text isn't a list, ok is false.
func List(chunk []byte, visit func(object []byte)) (l Listed, ok bool) {
	end := Members(chunk, func(name, _, value []byte) {
		switch string(name) {
		case "metadata":
			l = listed(value)
		case "items":
			ok = string(value) == "null" || Items(value, visit) > 0 // null is how API servers write an empty list of metadata
		}
	})
	return l, ok && end > 0
}

func listed(metadata []byte) (l Listed) {
	Members(metadata, func(name, _, value []byte) {
		switch string(name) {
		case "resourceVersion":
			l.Version = Word(value)
		case "continue":
			l.Continue = Word(value)
		case "remainingItemCount":
			l.Left, _ = strconv.ParseInt(string(value), 10, 64) // what isn't a number is not said
		}
	})
	l.Left = max(l.Left, 0)
	return l
}
