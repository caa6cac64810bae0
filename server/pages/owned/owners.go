// Package owned searches for what objects own. The API has no request for that, so it reads the owner references of all objects.
package owned

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// SearchTime bounds a search, and what else a page reads beside it.
const SearchTime = 3 * time.Second

// Bounds of the search for owned objects.
const (
	searchAtOnce  = 8
	searchChunk   = "500"
	searchPerType = 5000 // objects; if a type has more, only the first are searched, and the page says so
	searchDepth   = 6    // generations
)

// asRows asks for a Table, whose rows have the states of objects and their metadata. A server without Tables sends metadata.
const asRows = accept.Table + "," + accept.MetadataList + accept.OrJSON

// Dependent is an object with the fields that are about ownership.
type Dependent struct {
	of    discovery.Type
	meta  Meta
	state dependents.State
}

// Meta is the part of an object's metadata that is about ownership and deletion.
type Meta struct {
	Name              string    `json:"name"`
	Namespace         string    `json:"namespace"`
	UID               string    `json:"uid"`
	CreationTimestamp time.Time `json:"creationTimestamp"`
	Finalizers        []string  `json:"finalizers"`
	OwnerReferences   []struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		UID        string `json:"uid"`
		Controller bool   `json:"controller"`
		Blocks     bool   `json:"blockOwnerDeletion"`
	} `json:"ownerReferences"`
}

// Of is what an object owns, with what it owns in turn, and what was searched for it: the owner references of all objects that could be owned.
func Of(v *visit.Visit, o object.Object, catalog discovery.Catalog) ([]dependents.Ref, dependents.Search) {
	namespace := o.Meta("namespace")
	types := ownable(catalog, namespace)
	s := Search(v, types, namespace)
	told := s.Summary(types, namespace, Unlisted(catalog, func(discovery.Failure) bool { return true }))
	told.At = v.Now()
	return descend(v.Cluster().Slug(), s.byOwner, o.Meta("uid"), 0, map[string]bool{}), told
}

// ownable are the types whose objects the object could own: an owner in a namespace owns only there,
// a cluster-scoped one anywhere. Events are never owned, and there are many of them.
func ownable(catalog discovery.Catalog, namespace string) []discovery.Type {
	var types []discovery.Type
	for _, t := range catalog.Listable() {
		if t.Resource == "events" || (namespace != "" && !t.Namespaced) {
			continue
		}
		types = append(types, t)
	}
	return types
}

// mostHeld is the most objects of a finalizer whose paths are kept.
const mostHeld = 100

// Held are the objects with a finalizer.
type Held struct {
	Objects int            // their number
	First   []apipath.Path // the first of them that were found
}

// Searched is what a search finds.
type Searched struct {
	mu       sync.Mutex
	byOwner  map[string][]Dependent
	byType   map[string]int // the number of objects, by the full name of the type
	held     map[string]Held
	objects  int
	leftOut  []string
	finished bool
}

// Objects is the number of objects of a type.
func (s *Searched) Objects(t discovery.Type) int { return s.byType[t.FullName()] }

// Held are the objects that each finalizer holds, by its name.
func (s *Searched) Held() map[string]Held { return s.held }

// Summary says what was searched. The lines of unlisted are about types that could not be. Call it once.
func (s *Searched) Summary(types []discovery.Type, namespace string, unlisted []string) dependents.Search {
	searched := len(types) - len(s.leftOut)
	s.leftOut = append(s.leftOut, unlisted...)
	slices.Sort(s.leftOut)
	where := "in all namespaces"
	if namespace != "" {
		where = "in the namespace " + namespace
	}
	return dependents.Search{
		Types: searched, Objects: s.objects, Where: where, LeftOut: s.leftOut, Finished: s.finished,
	}
}

// Search reads the owner references of all objects of the types.
func Search(v *visit.Visit, types []discovery.Type, namespace string) *Searched {
	ctx, cancel := context.WithTimeout(v.Context(), SearchTime)
	defer cancel()
	s := &Searched{byOwner: map[string][]Dependent{}, byType: map[string]int{}, held: map[string]Held{}}
	places := make(chan struct{}, searchAtOnce)
	var wg rescue.Group
	for _, t := range types {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if err := s.readType(ctx, v, t, namespace); err != nil {
				s.leaveOutType(ctx, t, err)
			}
		})
	}
	wg.Wait()
	s.finished = ctx.Err() == nil
	return s
}

// partly says that only the first objects of a type were looked at.
type partly struct {
	seen    int
	endless bool // the API server repeats chunks, so the list never ends
}

func (p partly) Error() string {
	if p.endless {
		return fmt.Sprintf("Fieldmark searched only the first %d objects, because the API server’s list never ends", p.seen)
	}
	return fmt.Sprintf("Fieldmark searched only the first %d objects", p.seen)
}

func (s *Searched) leaveOutType(ctx context.Context, t discovery.Type, err error) {
	_, notice := visit.Explain(err)
	switch some := (partly{}); {
	case errors.As(err, &some):
		notice.Title = some.Error()
	case ctx.Err() != nil:
		notice.Title = words.OutOfTime
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leftOut = append(s.leftOut, t.FullName()+": "+notice.Title)
}

func (s *Searched) readType(ctx context.Context, v *visit.Visit, t discovery.Type, namespace string) error {
	path := apipath.Collection(t.Group, t.Version, namespace, t.Resource)
	query := url.Values{"limit": {searchChunk}}
	progress := watch.ProgressFrom("")
	for seen := 0; ; {
		answer, err := v.Client().Do(ctx, api.Request{Path: visit.WithQuery(path, query), Accept: asRows})
		if err != nil {
			return err
		}
		items, token, err := Read(answer.Body, t, false)
		if err != nil {
			return err
		}
		used, why := progress.Take(watch.Chunk{Items: len(items), First: firstUID(items), Next: token})
		if used {
			s.addObjects(items)
			seen += len(items)
		}
		switch {
		case why.Code != 0:
			return partly{seen, true}
		case token == "":
			return nil
		case seen >= searchPerType:
			return partly{seen, false}
		}
		query.Set("continue", token)
	}
}

// firstUID names the first of some objects.
func firstUID(items []Dependent) string {
	if len(items) == 0 {
		return ""
	}
	return items[0].meta.UID
}

func (s *Searched) addObjects(items []Dependent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects += len(items)
	for _, d := range items {
		s.byType[d.of.FullName()]++
		for _, f := range d.meta.Finalizers {
			held := s.held[f]
			if held.Objects++; len(held.First) < mostHeld {
				held.First = append(held.First, apipath.Object(d.of.Group, d.of.Version, d.meta.Namespace, d.of.Resource, d.meta.Name))
			}
			s.held[f] = held
		}
		for _, o := range d.meta.OwnerReferences {
			s.byOwner[o.UID] = append(s.byOwner[o.UID], d)
		}
	}
}

// Read reads a list of a type, which is a Table or has items. Objects without an owner have a state only if every is true.
func Read(body []byte, t discovery.Type, every bool) (items []Dependent, token string, err error) {
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Columns []table.Column `json:"columnDefinitions"`
		Rows    []struct {
			Cells  []table.Cell `json:"cells"`
			Object struct {
				Metadata Meta `json:"metadata"`
			} `json:"object"`
		} `json:"rows"`
		Items []struct {
			Metadata Meta `json:"metadata"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, "", fmt.Errorf("reading the list of %s: %w", t.FullName(), err)
	}
	for _, row := range list.Rows {
		d := Dependent{of: t, meta: row.Object.Metadata}
		if len(d.meta.OwnerReferences) > 0 || every {
			d.state = dependents.StateOf(list.Columns, row.Cells)
		}
		items = append(items, d)
	}
	for _, item := range list.Items {
		items = append(items, Dependent{of: t, meta: item.Metadata})
	}
	return items, list.Metadata.Continue, nil
}

// descend lists what an object owns. Each object is followed by what it owns itself.
func descend(slug string, byOwner map[string][]Dependent, uid string, depth int, seen map[string]bool) []dependents.Ref {
	if depth >= searchDepth || uid == "" || seen[uid] {
		return nil
	}
	seen[uid] = true
	children := make([]shownRef, 0, len(byOwner[uid]))
	for _, d := range byOwner[uid] {
		children = append(children, shownRef{d.Ref(slug, uid, depth), d.meta.UID})
	}
	slices.SortStableFunc(children, func(a, b shownRef) int { return dependents.Compare(a.ref, b.ref) })
	var refs []dependents.Ref
	for _, child := range children {
		refs = append(refs, child.ref)
		refs = append(refs, descend(slug, byOwner, child.uid, depth+1, seen)...)
	}
	return refs
}

// shownRef is a dependent to show, with its uid.
type shownRef struct {
	ref dependents.Ref
	uid string
}

// Ref is the dependent to show, at a depth below the owner that has the uid.
func (d Dependent) Ref(slug, owner string, depth int) dependents.Ref {
	ref := dependents.Ref{
		Others: len(d.meta.OwnerReferences) - 1,
		Kind:   d.of.Kind, APIVersion: d.of.GroupVersion(), Namespace: d.meta.Namespace, Name: d.meta.Name,
		Created: d.meta.CreationTimestamp, Depth: depth, State: d.state,
		Href: web.Page(slug, apipath.Object(d.of.Group, d.of.Version, d.meta.Namespace, d.of.Resource, d.meta.Name).String()),
	}
	for _, o := range d.meta.OwnerReferences {
		if o.UID == owner {
			ref.Blocks = o.Blocks
		}
	}
	return ref
}

// Unlisted are lines about types that can't be searched, because discovery couldn't list them.
func Unlisted(catalog discovery.Catalog, matters func(discovery.Failure) bool) (lines []string) {
	for _, f := range catalog.Failures {
		g, _ := catalog.Group(f.Group)
		if v, _ := g.Version(f.Version); len(v.Types) == 0 && matters(f) {
			lines = append(lines, "the types of "+f.Of()+" ("+strings.TrimSuffix(f.Why, ".")+")")
		}
	}
	return lines
}
