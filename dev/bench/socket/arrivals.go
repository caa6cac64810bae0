package socket

import (
	"bytes"
	"maps"
	"sync"
	"time"
)

// Arrivals are the times at which versions were seen first.
type Arrivals struct {
	mu sync.Mutex
	At map[string]time.Time
}

// See notes the versions in an event of the API server.
func (a *Arrivals) See(text []byte, now time.Time) {
	const mark = `"resourceVersion":"`
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		i := bytes.Index(text, []byte(mark))
		if i < 0 {
			return
		}
		text = text[i+len(mark):]
		end := bytes.IndexByte(text, '"')
		if end < 0 {
			return
		}
		if version := string(text[:end]); a.At[version].IsZero() {
			a.At[version] = now
		}
	}
}

// NoteVersions notes the versions of rows in a message to a page. In each event, a row is a string with fields separated by tabs: uid,
// namespace, name, version and more.
func (a *Arrivals) NoteVersions(text []byte, now time.Time) {
	const mark, version = `"row":"`, 3
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, row := range bytes.Split(text, []byte(mark))[1:] {
		fields := bytes.SplitN(row, []byte(`\t`), version+2)
		if len(fields) <= version {
			continue
		}
		if version := string(fields[version]); a.At[version].IsZero() {
			a.At[version] = now
		}
	}
}

// Copy is what was seen until now.
func (a *Arrivals) Copy() map[string]time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.At)
}
