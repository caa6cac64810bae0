package inquiry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/status"
)

// search finds the objects of conflicts that name no object.
type search struct {
	reader  ownership.Reader
	matters []*matter
	types   int // types of which objects were compared, also if only some
	objects int
	leftOut []string // types that were not searched, and why
	within  string   // the namespace of types that couldn't be listed in all namespaces
}

// unseen are types that are not searched: nobody applies their objects, and there are many.
var unseen = []string{"events", "leases", "endpointslices", "controllerrevisions"}

// beginSearch requests all objects that conflicts without a name may be about.
func (q *Inquiry) beginSearch() {
	s := &q.search
	for _, m := range q.matters {
		if m.no.Reason != refusal.Conflict || len(m.no.Holdings()) == 0 {
			continue
		}
		if slices.ContainsFunc(m.found, func(f *found) bool { return f.told || f.matches }) {
			continue
		}
		m.searched, m.found = true, nil
		s.matters = append(s.matters, m)
	}
	if len(s.matters) == 0 {
		return
	}
	for _, f := range q.Catalog.Failures {
		if !slices.ContainsFunc(s.matters, func(m *matter) bool { return unreadFor(f, m.no) }) {
			continue
		}
		s.leftOut = append(s.leftOut, f.Of()+" (its types can't be read: "+strings.TrimSuffix(f.Why, ".")+")")
	}
	for _, t := range q.Catalog.Listable() {
		if slices.Contains(unseen, t.Resource) || !slices.ContainsFunc(s.matters, func(m *matter) bool { return possible(t, m.no) }) {
			continue
		}
		q.requestChunk(t, "", "", 0)
	}
}

// possible tells whether a conflict can be about an object of this type.
func possible(t discovery.Type, no refusal.Refusal) bool {
	return inGroup(t.Group, no) && !slices.ContainsFunc(no.Objects, func(o refusal.Object) bool {
		return o.Kind != "" && o.Kind != t.Kind || o.Resource != "" && o.Resource != t.Resource || o.Group != "" && o.Group != t.Group
	})
}

func inGroup(group string, no refusal.Refusal) bool {
	groups := groupsOf(no)
	return len(groups) == 0 || slices.Contains(groups, group)
}

// unreadFor tells whether a conflict can be about an object of a type that couldn't be read.
func unreadFor(f discovery.Failure, no refusal.Refusal) bool {
	groups := groupsOf(no)
	return len(groups) == 0 || slices.ContainsFunc(groups, f.Covers)
}

// requestChunk requests a chunk of the objects of a type.
func (q *Inquiry) requestChunk(t discovery.Type, namespace, token string, seen int) {
	query := url.Values{"limit": {chunk}}
	if token != "" {
		query.Set("continue", token)
	}
	q.waiting = append(q.waiting, Ask{
		Path: apipath.Collection(t.Group, t.Version, namespace, t.Resource), Query: query, Accept: accept.MetadataList + accept.OrJSON,
		take: func(h Heard) { q.listed(t, namespace, token, seen, h) },
	})
}

func (q *Inquiry) listed(t discovery.Type, namespace, token string, seen int, h Heard) {
	s := &q.search
	if h.No != nil {
		if h.No.Is(status.Forbidden) && t.Namespaced && namespace == "" && q.Namespace != "" {
			s.within = q.Namespace
			q.requestChunk(t, q.Namespace, "", 0)
			return
		}
		s.leaveOutType(t, h.No.Message)
		return
	}
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(h.Body, &list); err != nil {
		s.leaveOutType(t, "the response isn't a list")
		return
	}
	for _, item := range list.Items {
		s.matchObject(t, item, q.Namespace)
	}
	if token == "" {
		s.types++
	}
	seen += len(list.Items)
	s.objects += len(list.Items)
	switch next := list.Metadata.Continue; {
	case next == "":
	case seen >= mostPerType, s.objects >= mostSearched, len(list.Items) == 0, next == token:
		s.leaveOutType(t, fmt.Sprintf("only the first %d objects were searched", seen))
	default:
		q.requestChunk(t, namespace, next, seen)
	}
}

func (s *search) leaveOutType(t discovery.Type, why string) {
	s.leftOut = append(s.leftOut, t.FullName()+" ("+strings.TrimSuffix(why, ".")+")")
}

// matchObject compares one object with the conflicts.
func (s *search) matchObject(t discovery.Type, item json.RawMessage, usual string) {
	text := string(item)
	if !slices.ContainsFunc(s.matters, func(m *matter) bool { return strings.Contains(text, findable(m.no)) }) {
		return // its managers are in no conflict
	}
	var fields map[string]any
	if err := json.Unmarshal(item, &fields); err != nil {
		return
	}
	metadata, _ := fields["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	record := s.reader.Parse(fields)
	for _, m := range s.matters {
		if !possible(t, m.no) || !matchesName(m.no, namespace, name) || !s.fit(record, m) {
			continue
		}
		f := &found{of: t, namespace: namespace, name: name, matches: true, written: writtenBy(record, m.no)}
		if namespace == usual {
			f.rank++
		}
		if slices.ContainsFunc(record.Entries, func(e ownership.Entry) bool { return e.Name == applierOf(m.no) && e.Operation == ownership.Apply }) {
			f.rank += 2
		}
		m.addCandidate(f)
	}
}

// findable is the name of a manager of a conflict, as it is written in JSON; empty if JSON can write it in several ways.
func findable(no refusal.Refusal) string {
	name := no.Holdings()[0].Name
	if strings.ContainsFunc(name, func(c rune) bool { return c >= 0x7f || c < ' ' || strings.ContainsRune(`"\<>&/`, c) }) {
		return ""
	}
	return `"` + name + `"`
}

// matchesName tells whether an object has the name and namespace of a conflict, as far as the conflict has them.
func matchesName(no refusal.Refusal, namespace, name string) bool {
	return !slices.ContainsFunc(no.Objects, func(o refusal.Object) bool {
		return o.Name != "" && o.Name != name || o.Namespace != "" && o.Namespace != namespace
	})
}

// fit tells whether each manager of a conflict owns its fields in a record of ownership.
func (s *search) fit(record ownership.Record, m *matter) bool {
	holdings := m.no.Holdings()
	for _, h := range holdings {
		if !slices.ContainsFunc(record.Entries, func(e ownership.Entry) bool { return e.Same(h.Manager) }) {
			return false
		}
	}
	blame := record.On(manifest.Tree(map[string]any{}), nil)
	for _, h := range holdings {
		has := map[string]bool{}
		for _, held := range blame.Holdings(h.Manager) {
			has[held.Path] = true
		}
		if slices.ContainsFunc(h.Paths, func(path string) bool { return !has[path] }) {
			return false
		}
	}
	return len(holdings) > 0
}

func writtenBy(record ownership.Record, no refusal.Refusal) string {
	last := ""
	for _, h := range no.Holdings() {
		for _, e := range record.Entries {
			if e.Same(h.Manager) {
				last = max(last, e.Time)
			}
		}
	}
	return last
}

// addCandidate adds an object, and keeps only the best ones.
func (m *matter) addCandidate(f *found) {
	m.fits++
	m.found = append(m.found, f)
	slices.SortStableFunc(m.found, func(a, b *found) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.written, a.written), cmp.Compare(a.of.Kind, b.of.Kind), cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
	if len(m.found) > mostShown {
		m.found = m.found[:mostShown]
	}
}

// complete tells whether everything was searched.
func (s *search) complete() bool { return len(s.leftOut) == 0 && s.within == "" }
