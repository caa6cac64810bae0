package timeline

// mark identifies a version of an object.
type mark struct {
	version string
	deleted bool
}

func (v Version) mark() mark { return mark{v.Step.ResourceVersion, v.Deleted} }

// Join adds what a later recording of the same object has, so that each version is there once. Where versions may be missing between the
// two, the reason is why. If this recording is ahead of the other one, versions that it has already are not added again when they arrive.
//
//	this    1 2 3 4 5          1 2 3 4 5 6          1 2 3
//	later         4 5 6 7            4 5                    6 7
//	joined  1 2 3 4 5 6 7      1 2 3 4 5 6 (7 …)    1 2 3 ┊ 6 7
func (r *Recording) Join(later *Recording, why string) {
	at := map[mark]int{}
	for i, v := range r.versions {
		at[v.mark()] = i
	}
	last := len(r.versions) - 1
	common := -1 // index of the last version of later that is here, too
	for i, v := range later.versions {
		if _, here := at[v.mark()]; here {
			common = i
		}
	}
	rest := later.versions[common+1:]
	switch {
	case last < 0:
	case common < 0:
		r.Break(why)
	case at[later.versions[common].mark()] < last && len(rest) > 0:
		r.Break(why)
	case len(rest) == 0:
		r.ahead = map[mark]bool{}
		for _, v := range r.versions[at[later.versions[common].mark()]+1:] {
			r.ahead[v.mark()] = true
		}
	}
	for _, v := range rest {
		r.again(v)
	}
}

// Since tells whether this recording has everything since the beginning of another one, or began before it.
func (r *Recording) Since(other *Recording) bool {
	if len(other.versions) == 0 {
		return true
	}
	first := other.versions[0].mark()
	for _, v := range r.versions {
		if v.mark() == first {
			return true
		}
	}
	return false
}

// again adds a version of another recording.
func (r *Recording) again(v Version) {
	if v.Missed != "" {
		r.Break(v.Missed)
	}
	if v.Deleted {
		r.Delete(v.Object(), v.Step.Seen)
		return
	}
	r.AddText(v.Object(), v.text, v.Step.Seen)
}

// has tells whether a version that arrives is here already, because this recording was ahead.
func (r *Recording) has(m mark) bool {
	if !r.ahead[m] {
		r.ahead = nil // versions arrive in order, so those that are ahead won't arrive any more
		return false
	}
	delete(r.ahead, m)
	r.missed = ""
	return true
}
