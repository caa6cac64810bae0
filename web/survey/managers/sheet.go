package managers

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

// Sheet is a census in the form that documents and scripts get. It says each way to write once, and packs the cells, because a large cluster has
// thousands of them.
type Sheet struct {
	Namespaces []string     `json:"namespaces,omitempty"`
	Phase      report.Phase `json:"phase"`
	Began      time.Time    `json:"began"`
	Ended      time.Time    `json:"ended,omitzero"`
	Types      []Type       `json:"types"`
	Managers   []Manager    `json:"managers"`
	Ways       []Way        `json:"ways"`
	// Cells has for each cell: how many managers it is after the cell before, its type, objects, and how many entries follow. Each entry has its way,
	// how many of the objects it isn't in, its fields, and the seconds from its last write to that of its manager; unknown if it has no time. All are
	// varints, and most are small.
	Cells    []byte           `json:"cells"`
	Findings []report.Finding `json:"findings"`
	More     int              `json:"more,omitempty"` // findings that are left out
	Folded   int              `json:"folded,omitempty"`
}

// unknown stands for a time that an entry doesn't have.
const unknown = -1 << 40

// MostFindings is how many findings a page has. An export has all of them.
const MostFindings = 30

// mostMet is how many others a manager has in a sheet.
const mostMet = 3

// Type is a resource type of the census.
type Type struct {
	Name       string       `json:"name"` // in full: "deployments.apps"
	State      report.State `json:"state"`
	Code       int          `json:"code,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	Why        string       `json:"why,omitempty"`
	Objects    int          `json:"objects,omitempty"`
	Left       int64        `json:"left,omitempty"`
	Unrecorded int          `json:"unrecorded,omitempty"`
}

// Manager is all that writes under one name. Its fields have short names, because a large cluster has hundreds of managers.
type Manager struct {
	Name    string      `json:"n"`
	Writer  writer.Kind `json:"w,omitempty"`
	Others  bool        `json:"others,omitempty"`
	Objects int         `json:"o"`
	Fields  int         `json:"f"`
	Alone   int         `json:"a,omitempty"`
	Last    int64       `json:"l,omitempty"` // seconds since 1970; 0: not known
	Silent  bool        `json:"s,omitempty"` // a finding says that it stopped writing
	// Meets are the first of those that it meets on objects: for each, its index and the number of objects.
	Meets []int `json:"m,omitempty"`
	More  int   `json:"x,omitempty"` // others that Meets leaves out, as far as the census counts them
}

// met is another manager on the same objects.
type met struct {
	name    string
	objects int
}

// metBy are those that a manager meets.
func (s *Sheet) metBy(m Manager) (all []met) {
	for pair := range slices.Chunk(m.Meets, 2) {
		if len(pair) == 2 && pair[0] >= 0 && pair[0] < len(s.Managers) {
			all = append(all, met{s.Managers[pair[0]].Name, pair[1]})
		}
	}
	return all
}

// Way is how entries are written.
type Way struct {
	Operation   string `json:"operation"`
	Subresource string `json:"subresource,omitempty"`
	APIVersion  string `json:"apiVersion"`
	Unserved    bool   `json:"unserved,omitempty"`
}

// how is the way in short, without its API version: "Update, status".
func (w Way) how() string {
	return manager.Manager{Operation: w.Operation, Subresource: w.Subresource}.How()
}

// SheetOf makes the sheet of a census.
func SheetOf(r report.Report) *Sheet {
	s := &Sheet{Namespaces: r.Namespaces, Phase: r.Phase, Began: r.Began, Ended: r.Ended, Folded: r.Folded}
	for _, t := range r.Types {
		s.Types = append(s.Types, Type{
			Name: t.Name(), State: t.State, Code: t.Code, Reason: t.Reason, Why: t.Why, Objects: t.Objects, Left: t.Left, Unrecorded: t.Unrecorded,
		})
	}
	silent, places := map[string]bool{}, map[string]int{}
	for i, m := range r.Managers {
		places[m.Name] = i
	}
	for _, f := range r.Findings {
		if f.Problem == report.Silent {
			silent[f.Manager] = true
		}
	}
	for _, m := range r.Managers {
		short := Manager{Name: m.Name, Writer: m.Writer, Others: m.Others, Objects: m.Objects, Fields: m.Fields, Alone: m.Alone, Silent: silent[m.Name]}
		if !m.Last.IsZero() {
			short.Last = m.Last.Unix()
		}
		for _, with := range m.With {
			if place, known := places[with.Name]; known && len(short.Meets) < 2*mostMet {
				short.Meets = append(short.Meets, place, with.Objects)
			} else {
				short.More++
			}
		}
		s.Managers = append(s.Managers, short)
	}
	s.Findings = r.Findings[:min(len(r.Findings), MostFindings)]
	s.More = len(r.Findings) - len(s.Findings)
	s.putCells(r)
	return s
}

func (s *Sheet) putCells(r report.Report) {
	places, before := map[Way]int{}, 0
	put := func(numbers ...int) {
		for _, n := range numbers {
			s.Cells = binary.AppendVarint(s.Cells, int64(n))
		}
	}
	for _, c := range r.Cells {
		put(c.Manager-before, c.Type, c.Objects, len(c.Entries))
		before = c.Manager
		last := s.Managers[c.Manager].Last
		for _, e := range c.Entries {
			way := Way{Operation: e.Operation, Subresource: e.Subresource, APIVersion: e.APIVersion, Unserved: e.Unserved}
			place, known := places[way]
			if !known {
				place = len(s.Ways)
				places[way], s.Ways = place, append(s.Ways, way)
			}
			ago := unknown
			if !e.Last.IsZero() {
				ago = int(last - e.Last.Unix())
			}
			put(place, c.Objects-e.Objects, e.Fields, ago)
		}
	}
}

// cell is what one manager owns of one type, as far as the filter lets it through.
type cell struct {
	manager, typ    int
	objects, fields int
	last            int64 // seconds since 1970; 0: not known
	entries         []entry
}

// entry is a part of a cell that was written in one way.
type entry struct {
	*Way

	objects, fields int
	last            int64
}

// reader reads the numbers of a sheet. What comes from a server of another build may end early, or name what isn't there.
type reader struct {
	numbers []byte
	broken  bool
}

func (r *reader) next() int {
	n, size := binary.Varint(r.numbers)
	if size <= 0 {
		r.broken, r.numbers = true, nil
		return 0
	}
	r.numbers = r.numbers[size:]
	return int(n)
}

// within is a number as an index.
func (r *reader) within(at, n int) int {
	if at < 0 || at >= n {
		r.broken = true
		return 0
	}
	return at
}

// cells are the cells with the entries that match, in their order. An entry that doesn't match leaves its cell.
func (s *Sheet) cells(matches func(manager, typ int) func(entry) bool) []cell {
	var all []cell
	var entries []entry // of all cells, so that they take few allocations
	r, before := reader{numbers: s.Cells}, 0
	for len(r.numbers) > 0 {
		c := cell{manager: r.within(before+r.next(), len(s.Managers)), typ: r.within(r.next(), len(s.Types)), objects: r.next()}
		before = c.manager
		count, first, most := r.next(), len(entries), 0
		if r.broken {
			break
		}
		passes := matches(c.manager, c.typ)
		for range count {
			way := r.within(r.next(), len(s.Ways))
			objects, fields, ago := c.objects-r.next(), r.next(), r.next()
			if r.broken {
				return all
			}
			if passes == nil {
				continue
			}
			e := entry{Way: &s.Ways[way], objects: objects, fields: fields}
			if ago != unknown {
				e.last = s.Managers[c.manager].Last - int64(ago)
			}
			if !passes(e) {
				continue
			}
			entries = append(entries, e)
			c.fields += e.fields
			c.last = max(c.last, e.last)
			most += e.objects
		}
		if c.entries = slices.Clip(entries[first:]); len(c.entries) > 0 {
			c.objects = min(c.objects, most)
			all = append(all, c)
		}
	}
	return all
}

// cellsOf are the cells of the query's manager that match its filter, those with the most fields first.
func (s *Sheet) cellsOf(q Query, now time.Time) []cell {
	matches := s.matching(q, now)
	all := s.cells(func(manager, typ int) func(entry) bool {
		if of := s.Managers[manager]; of.Others || of.Name != q.Manager {
			return nil
		}
		return matches(manager, typ)
	})
	slices.SortStableFunc(all, func(a, b cell) int { return cmp.Compare(b.fields, a.fields) })
	return all
}

// state is the state of the pass that reads the census; nil: there is no census.
func (s *Sheet) state() *census.State {
	if s == nil {
		return nil
	}
	return &census.State{
		Phase: s.Phase, Began: s.Began, Ended: s.Ended, Namespaces: s.Namespaces, Types: len(s.Types),
		Done: s.count(report.Read, report.Partly, report.Refused), Refused: s.count(report.Refused), Objects: s.objects(),
	}
}

func (s *Sheet) objects() (n int) {
	for _, t := range s.Types {
		n += t.Objects
	}
	return n
}

// count is how many types are in a state.
func (s *Sheet) count(states ...report.State) (n int) {
	for _, t := range s.Types {
		if slices.Contains(states, t.State) {
			n++
		}
	}
	return n
}

// unrecorded tells whether objects were read, and none of them has managedFields.
func (s *Sheet) unrecorded() bool {
	without := 0
	for _, t := range s.Types {
		without += t.Unrecorded
	}
	return without > 0 && without == s.objects()
}
