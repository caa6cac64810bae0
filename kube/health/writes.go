package health

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Write is what one manager wrote lately to objects of one type.
type Write struct {
	Manager manager.Manager `json:"manager"`
	Last    time.Time       `json:"last"`
	Kind    string          `json:"kind"`
	Objects int             `json:"objects"`
	Newest  []Ref           `json:"newest"` // those that it wrote last, at most three
}

// Contested is an object that managers write again and again. That is the sign of a fight, and no proof.
type Contested struct {
	Ref
	Managers []manager.Manager `json:"managers"` // that wrote it lately, the newest first
	// Times is how often its spec changed since it was created, as its generation says, and Per is the mean time between two changes.
	Times int64         `json:"times"`
	Per   time.Duration `json:"per"`
	Last  time.Time     `json:"last"`
}

const statusSubresource = "status"

// written is one manager's last write to one object.
type written struct {
	by   manager.Manager
	at   time.Time
	kind string
	ref  Ref
}

func (r *Report) writes(lists []List, now time.Time) {
	var all []written
	for _, l := range lists {
		for _, item := range l.Items {
			for _, o := range item.Meta.ManagedFields {
				at := o.Written()
				if at.IsZero() || now.Sub(at) > Lately || o.Manager.History() {
					continue
				}
				all = append(all, written{by: o.Manager, at: at, kind: l.Source.Type.Kind, ref: l.ref(item.Meta)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b written) int { return b.at.Compare(a.at) })
	for _, w := range grouped(all) {
		if w.Manager.Subresource == statusSubresource {
			r.Status = append(r.Status, w)
		} else {
			r.Writes = append(r.Writes, w)
		}
	}
	r.Writes = r.Writes[:min(len(r.Writes), mostWrites)]
	r.Status = r.Status[:min(len(r.Status), mostWrites)]
}

// grouped makes one Write of all writes by a manager to objects of one kind. They come with the newest first, and stay so.
func grouped(all []written) []Write {
	type key struct {
		by   manager.Manager
		kind string
	}
	at := map[key]int{}
	var groups []Write
	for _, w := range all {
		k := key{w.by, w.kind}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k] = i
			groups = append(groups, Write{Manager: w.by, Last: w.at, Kind: w.kind})
		}
		g := &groups[i]
		g.Objects++
		if len(g.Newest) < mostRefs {
			g.Newest = append(g.Newest, w.ref)
		}
	}
	return groups
}

// Bounds of what counts as contested.
const (
	recent   = 2 * time.Minute // the last write
	mostPer  = time.Minute     // between two changes, on average
	fewTimes = 5
)

func (r *Report) contested(lists []List, now time.Time) {
	for _, l := range lists {
		for _, item := range l.Items {
			if c, ok := contestedItem(l, item.Meta, now); ok {
				r.Contested = append(r.Contested, c)
			}
		}
	}
	slices.SortStableFunc(r.Contested, func(a, b Contested) int { return int(a.Per.Milliseconds() - b.Per.Milliseconds()) })
	r.Contested = r.Contested[:min(len(r.Contested), mostContested)]
}

// contestedItem tells whether the spec of an object changes all the time. Its generation counts changes of its spec, so writes of status
// don't count.
func contestedItem(l List, m Meta, now time.Time) (Contested, bool) {
	c := Contested{Ref: l.ref(m), Times: m.Generation - 1}
	age := now.Sub(m.CreationTimestamp)
	if c.Times < fewTimes || age <= 0 {
		return c, false
	}
	c.Per = age / time.Duration(c.Times)
	var entries []manager.Owner
	for _, o := range m.ManagedFields {
		if at := o.Written(); o.Subresource != statusSubresource && !at.IsZero() && now.Sub(at) <= recent {
			entries = append(entries, o)
		}
	}
	slices.SortStableFunc(entries, func(a, b manager.Owner) int { return strings.Compare(b.Time, a.Time) })
	for _, o := range entries {
		c.Last = newest(c.Last, o.Written())
		if !slices.Contains(c.Managers, o.Manager) {
			c.Managers = append(c.Managers, o.Manager)
		}
	}
	return c, len(c.Managers) > 1 || len(c.Managers) == 1 && c.Per <= mostPer
}
