package relay

// ring is what happened of late, with the versions that were seen, so that a page which has one of them can be told
// what came after it. Versions are found, never compared.
type ring struct {
	first   int            // number of the oldest entry
	entries []ringEntry    // in order
	at      map[string]int // version → number of the last entry that has it
	bytes   int
}

type ringEntry struct {
	version string
	change  change // of no item: nothing happened up to this version
}

// put adds a change, or a version at which nothing happened.
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

// since gives what happened after a version; ok is false where the version is not known.
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
