package upstream

import "sync"

// arrived is what has arrived of a stream and isn't read, in chunks. It has chunks only while it isn't empty.
type arrived struct {
	chunks []*chunk
	read   int // bytes of the first chunk that were read
}

// chunk has room for a usual frame.
type chunk struct {
	size int
	text [bareFrame]byte
}

var chunks = sync.Pool{New: func() any { return new(chunk) }}

func (a *arrived) empty() bool { return len(a.chunks) == 0 }

// addData adds data.
func (a *arrived) addData(data []byte) {
	for len(data) > 0 {
		if n := len(a.chunks); n == 0 || a.chunks[n-1].size == bareFrame {
			fresh, _ := chunks.Get().(*chunk)
			fresh.size = 0
			a.chunks = append(a.chunks, fresh)
		}
		last := a.chunks[len(a.chunks)-1]
		n := copy(last.text[last.size:], data)
		last.size += n
		data = data[n:]
	}
}

// takeData moves data to p, and returns how many bytes.
func (a *arrived) takeData(p []byte) (n int) {
	for n < len(p) && !a.empty() {
		first := a.chunks[0]
		part := copy(p[n:], first.text[a.read:first.size])
		n += part
		if a.read += part; a.read < first.size {
			break
		}
		chunks.Put(first)
		a.chunks[0], a.read = nil, 0
		if a.chunks = a.chunks[1:]; len(a.chunks) == 0 {
			a.chunks = nil
		}
	}
	return n
}

// drop forgets everything.
func (a *arrived) drop() {
	for _, c := range a.chunks {
		chunks.Put(c)
	}
	*a = arrived{}
}
