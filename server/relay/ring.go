package relay

import "slices"

// ring has the last changes with their versions, so that a page which has one of these versions can resume after it. Versions are
// looked up, never compared.
type ring struct {
	first   int            // number of the oldest entry
	entries []ringEntry    // in order
	at      map[string]int // version → number of the last entry up to it
	bytes   int
}

type ringEntry struct {
	version string
	change  change   // without an item: nothing changed up to this version
	later   []string // the versions after it up to which nothing else changed, the last ones
}

// maxLater is how many versions are remembered while nothing changes. A silent watch has a new one every half a minute, all day.
const maxLater = 32

// put adds a change, or a version without a change.
func (r *ring) put(version string, c change) {
	if r.at == nil {
		r.at = map[string]int{}
	}
	if last := len(r.entries) - 1; last >= 0 && c.item == nil {
		r.pass(last, version)
		return
	}
	r.at[version] = r.first + len(r.entries)
	r.entries = append(r.entries, ringEntry{version: version, change: c})
	r.bytes += c.size
	for len(r.entries) > ringEntries || r.bytes > ringBytes && len(r.entries) > 1 {
		r.drop()
	}
}

// pass notes a version up to which nothing has changed since the last entry.
func (r *ring) pass(last int, version string) {
	number, e := r.first+last, &r.entries[last]
	if known, ok := r.at[version]; ok && known == number {
		return
	}
	r.at[version] = number
	e.later = append(e.later, version)
	if len(e.later) > maxLater {
		r.forgetVersion(e.later[0], number)
		e.later = slices.Delete(e.later, 0, 1)
	}
}

// forgetVersion forgets a version, unless it belongs to another entry by now.
func (r *ring) forgetVersion(version string, number int) {
	if r.at[version] == number {
		delete(r.at, version)
	}
}

// drop forgets the oldest entry.
func (r *ring) drop() {
	old := r.entries[0]
	for _, version := range append(old.later, old.version) {
		r.forgetVersion(version, r.first)
	}
	r.bytes -= old.change.size
	r.entries[0] = ringEntry{}
	r.entries = r.entries[1:]
	r.first++
}

// since returns the changes after a version; ok is false if the ring doesn't have the version.
func (r *ring) since(version string) (changes []change, ok bool) {
	n, ok := r.at[version]
	if !ok {
		return nil, false
	}
	for _, e := range r.entries[n+1-r.first:] {
		if e.change.item != nil {
			changes = append(changes, e.change)
		}
	}
	return changes, true
}
