package pages

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

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/web"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/words"
)

// Bounds of the search for owned objects.
const (
	searchTime    = 3 * time.Second
	searchAtOnce  = 8
	searchChunk   = "500"
	searchPerType = 5000 // objects; if a type has more, only the first are searched, and the page says so
	searchDepth   = 6    // generations
)

// asRows asks for a Table, whose rows have the states of objects and their metadata. A server without Tables sends metadata.
const asRows = accept.Table + "," + accept.MetadataList + accept.OrJSON

// dependent is an object with the fields that are about ownership.
type dependent struct {
	of    discovery.Type
	meta  ownedMeta
	state dependents.State
}

// ownedMeta is the part of an object's metadata that is about ownership and deletion.
type ownedMeta struct {
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

// owners fills in what owns the object, what it owns, and what else is connected with it.
func (v *visit) owners(m *objectpage.Model, catalog discovery.Catalog) {
	ctx, cancel := context.WithTimeout(v.context(), searchTime)
	defer cancel()
	var wg rescue.Group
	wg.Go(func() { m.Owners.Owners = v.above(ctx, m.Object, catalog) })
	wg.Go(func() { m.Owners.Owned, m.Owners.Search = v.owned(m.Object, catalog) })
	wg.Go(func() { m.Owners.Groups = v.connected(ctx, m.Object, m.Type, catalog) })
	wg.Wait()
	if t := m.Row.Table; len(t.Rows) > 0 {
		m.Owners.State = dependents.StateOf(t.Columns, t.Rows[0].Cells)
	}
}

// owned returns what an object owns. The API has no request for that, so Fieldmark reads the owner references of all objects that
// could be owned.
func (v *visit) owned(o object.Object, catalog discovery.Catalog) ([]dependents.Ref, dependents.Search) {
	namespace := o.Meta("namespace")
	types := ownable(catalog, namespace)
	s := v.search(types, namespace)
	told := s.searchSummary(types, namespace, unlisted(catalog, func(discovery.Failure) bool { return true }))
	told.At = v.pages.Now()
	return v.descend(s.byOwner, o.Meta("uid"), 0, map[string]bool{}), told
}

func splitAPIVersion(apiVersion string) (group, version string) {
	if group, version, found := strings.Cut(apiVersion, "/"); found {
		return group, version
	}
	return "", apiVersion
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

// searched gathers what a search finds.
type searched struct {
	mu       sync.Mutex
	byOwner  map[string][]dependent
	byType   map[string]int // the number of objects, by the full name of the type
	held     map[string]int // the number of objects, by finalizer
	objects  int
	leftOut  []string
	finished bool
}

func (s *searched) searchSummary(types []discovery.Type, namespace string, unlisted []string) dependents.Search {
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

// search reads the owner references of all objects of the types.
func (v *visit) search(types []discovery.Type, namespace string) *searched {
	ctx, cancel := context.WithTimeout(v.context(), searchTime)
	defer cancel()
	s := &searched{byOwner: map[string][]dependent{}, byType: map[string]int{}, held: map[string]int{}}
	places := make(chan struct{}, searchAtOnce)
	var wg rescue.Group
	for _, t := range types {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if err := v.searchType(ctx, s, t, namespace); err != nil {
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

func (s *searched) leaveOutType(ctx context.Context, t discovery.Type, err error) {
	_, notice := explain(err)
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

func (v *visit) searchType(ctx context.Context, s *searched, t discovery.Type, namespace string) error {
	path := apipath.Collection(t.Group, t.Version, namespace, t.Resource)
	query := url.Values{"limit": {searchChunk}}
	progress := watch.ProgressFrom("")
	for seen := 0; ; {
		answer, err := v.client.Do(ctx, api.Request{Path: withQuery(path, query), Accept: asRows})
		if err != nil {
			return err
		}
		items, token, err := readDependents(answer.Body, t, false)
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
func firstUID(items []dependent) string {
	if len(items) == 0 {
		return ""
	}
	return items[0].meta.UID
}

func (s *searched) addObjects(items []dependent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects += len(items)
	for _, d := range items {
		s.byType[d.of.FullName()]++
		for _, f := range d.meta.Finalizers {
			s.held[f]++
		}
		for _, o := range d.meta.OwnerReferences {
			s.byOwner[o.UID] = append(s.byOwner[o.UID], d)
		}
	}
}

// readDependents reads a list, which is a Table or has items. Objects without an owner have a state only if every is true.
func readDependents(body []byte, t discovery.Type, every bool) (items []dependent, token string, err error) {
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Columns []table.Column `json:"columnDefinitions"`
		Rows    []struct {
			Cells  []table.Cell `json:"cells"`
			Object struct {
				Metadata ownedMeta `json:"metadata"`
			} `json:"object"`
		} `json:"rows"`
		Items []struct {
			Metadata ownedMeta `json:"metadata"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, "", fmt.Errorf("reading the list of %s: %w", t.FullName(), err)
	}
	for _, row := range list.Rows {
		d := dependent{of: t, meta: row.Object.Metadata}
		if len(d.meta.OwnerReferences) > 0 || every {
			d.state = dependents.StateOf(list.Columns, row.Cells)
		}
		items = append(items, d)
	}
	for _, item := range list.Items {
		items = append(items, dependent{of: t, meta: item.Metadata})
	}
	return items, list.Metadata.Continue, nil
}

// descend lists what an object owns. Each object is followed by what it owns itself.
func (v *visit) descend(byOwner map[string][]dependent, uid string, depth int, seen map[string]bool) []dependents.Ref {
	if depth >= searchDepth || uid == "" || seen[uid] {
		return nil
	}
	seen[uid] = true
	children := make([]ownedRef, 0, len(byOwner[uid]))
	for _, d := range byOwner[uid] {
		children = append(children, ownedRef{v.ownedRef(d, uid, depth), d.meta.UID})
	}
	slices.SortStableFunc(children, func(a, b ownedRef) int { return dependents.Compare(a.ref, b.ref) })
	var refs []dependents.Ref
	for _, child := range children {
		refs = append(refs, child.ref)
		refs = append(refs, v.descend(byOwner, child.uid, depth+1, seen)...)
	}
	return refs
}

// ownedRef is a dependent to show, with its uid.
type ownedRef struct {
	ref dependents.Ref
	uid string
}

func (v *visit) ownedRef(d dependent, owner string, depth int) dependents.Ref {
	ref := dependents.Ref{
		Others: len(d.meta.OwnerReferences) - 1,
		Kind:   d.of.Kind, APIVersion: d.of.GroupVersion(), Namespace: d.meta.Namespace, Name: d.meta.Name,
		Created: d.meta.CreationTimestamp, Depth: depth, State: d.state,
		Href: web.Page(v.cluster.Slug(), apipath.Object(d.of.Group, d.of.Version, d.meta.Namespace, d.of.Resource, d.meta.Name).String()),
	}
	for _, o := range d.meta.OwnerReferences {
		if o.UID == owner {
			ref.Blocks = o.Blocks
		}
	}
	return ref
}
