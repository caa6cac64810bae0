package health

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Write is what one manager wrote lately. A manager's entry has the time of its last write to the object, so each object counts once.
type Write struct {
	Manager manager.Manager `json:"manager"` // in any API version
	Last    time.Time       `json:"last"`
	Objects int             `json:"objects"`
	When    [Slots]int      `json:"when"`   // how many of them it wrote last in each part of Lately, the oldest first
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
	by  manager.Manager
	at  time.Time
	ref Ref
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
				by := o.Manager
				by.APIVersion = ""
				all = append(all, written{by: by, at: at, ref: l.ref(item.Meta)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b written) int { return b.at.Compare(a.at) })
	for _, w := range grouped(all, now) {
		if w.Manager.Subresource == statusSubresource {
			r.Status = append(r.Status, w)
		} else {
			r.Writes = append(r.Writes, w)
		}
	}
	r.Writes = r.Writes[:min(len(r.Writes), mostWrites)]
	r.Status = r.Status[:min(len(r.Status), mostWrites)]
}

// grouped makes one Write of all writes by a manager. They come with the newest first, and stay so.
func grouped(all []written, now time.Time) []Write {
	at := map[manager.Manager]int{}
	var groups []Write
	for _, w := range all {
		i, known := at[w.by]
		if !known {
			i = len(groups)
			at[w.by] = i
			groups = append(groups, Write{Manager: w.by, Last: w.at})
		}
		g := &groups[i]
		g.Objects++
		g.When[slot(now.Sub(w.at))]++
		if len(g.Newest) < mostRefs {
			g.Newest = append(g.Newest, w.ref)
		}
	}
	return groups
}

// slot is the part of Lately in which something happened so long ago. What is in the future by the reader's clock belongs to the newest part.
func slot(ago time.Duration) int {
	return Slots - 1 - min(Slots-1, max(0, int(ago/(Lately/Slots))))
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
