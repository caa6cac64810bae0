package relay

// ring has the last changes with their versions, so that a page which has one of these versions can resume after it. Versions are
// looked up, never compared.
type ring struct {
	first   int            // number of the oldest entry
	entries []ringEntry    // in order
	at      map[string]int // version → number of the last entry that has it
	bytes   int
}

type ringEntry struct {
	version string
	change  change // without an item: nothing changed up to this version
}

// put adds a change, or a version without a change.
func (r *ring) put(version string, c change) {
	if r.at == nil {
		r.at = map[string]int{}
	}
	r.at[version] = r.first + len(r.entries)
	r.entries = append(r.entries, ringEntry{version, c})
	r.bytes += c.size
	for len(r.entries) > ringEntries || r.bytes > ringBytes && len(r.entries) > 1 {
		r.drop()
	}
}

// drop forgets the oldest entry.
func (r *ring) drop() {
	old := r.entries[0]
	if r.at[old.version] == r.first {
		delete(r.at, old.version)
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
