package aggregated

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	// remembered is how many past changes a watch can start from.
	remembered = 1000
	// capacity bounds how many objects clients can create.
	capacity = 5000
)

// store keeps the objects in memory. Objects in it are never changed.
type store struct {
	now func() time.Time

	mu       sync.Mutex
	version  int64
	objects  map[key]*Object
	changes  []change
	oldest   int64         // a watch may begin here or later
	happened chan struct{} // closed at the next change
}

type key struct {
	resource        *resource
	namespace, name string
}

type change struct {
	kind     watch.EventType
	resource *resource
	object   *Object
	version  int64
}

// newStore returns a store with the starter objects. Versions begin at the
// current time, so they are greater than those of earlier starts.
func newStore(now func() time.Time) *store {
	s := &store{now: now, version: now().UnixMilli(), objects: map[key]*Object{}, happened: make(chan struct{})}
	for r, objects := range starter() {
		for _, o := range objects {
			s.objects[keyOf(r, o)] = s.born(o)
		}
	}
	s.oldest = s.version
	return s
}

func keyOf(r *resource, o *Object) key { return key{r, o.Namespace, o.Name} }

// born sets the fields that only the server sets.
func (s *store) born(o *Object) *Object {
	s.version++
	return &Object{Spec: o.Spec, ObjectMeta: metav1.ObjectMeta{
		Name: o.Name, Namespace: o.Namespace, Labels: o.Labels, Annotations: o.Annotations,
		UID: uuid.NewUUID(), ResourceVersion: versionText(s.version), CreationTimestamp: metav1.NewTime(s.now().Truncate(time.Second)),
	}}
}

// listObjects returns the objects of a scope in the order of their names, and the version at which they were so.
func (s *store) listObjects(of scope) ([]*Object, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []*Object{}
	for k, o := range s.objects {
		if of.has(k.resource, o) {
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b *Object) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return found, s.version
}

func (s *store) get(k key) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, there := s.objects[k]
	if !there {
		return nil, apierrors.NewNotFound(k.resource.group(), k.name)
	}
	return o, nil
}

// create stores a new object, unless it is only tried.
func (s *store) create(r *resource, o *Object, try bool) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := keyOf(r, o)
	if _, there := s.objects[k]; there {
		return nil, apierrors.NewAlreadyExists(r.group(), o.Name)
	}
	if len(s.objects) >= capacity {
		return nil, apierrors.NewForbidden(r.group(), o.Name, fmt.Errorf("this server keeps at most %d objects", capacity))
	}
	made := s.born(o)
	if try {
		made.ResourceVersion = ""
		return made, nil
	}
	s.objects[k] = made
	s.recordChange(change{watch.Added, r, made, s.version})
	return made, nil
}

// remove deletes an object if it is the one that is meant, unless it is only tried.
func (s *store) remove(k key, meant *metav1.Preconditions, try bool) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, there := s.objects[k]
	if !there {
		return nil, apierrors.NewNotFound(k.resource.group(), k.name)
	}
	if err := isMeant(o, meant); err != nil {
		return nil, apierrors.NewConflict(k.resource.group(), k.name, err)
	}
	if try {
		return o, nil
	}
	delete(s.objects, k)
	s.version++
	last := *o
	last.ResourceVersion = versionText(s.version)
	s.recordChange(change{watch.Deleted, k.resource, &last, s.version})
	return o, nil
}

func isMeant(o *Object, meant *metav1.Preconditions) error {
	switch {
	case meant == nil:
	case meant.UID != nil && *meant.UID != o.UID:
		return fmt.Errorf("the object with the UID %s was deleted; the object with this name now has the UID %s", *meant.UID, o.UID)
	case meant.ResourceVersion != nil && *meant.ResourceVersion != o.ResourceVersion:
		return fmt.Errorf("its resource version is %s, not %s", o.ResourceVersion, *meant.ResourceVersion)
	}
	return nil
}

// recordChange wakes all watches, and drops the oldest changes.
func (s *store) recordChange(c change) {
	s.changes = append(s.changes, c)
	if surplus := len(s.changes) - remembered; surplus > 0 {
		s.oldest = s.changes[surplus-1].version
		s.changes = slices.Delete(s.changes, 0, surplus)
	}
	close(s.happened)
	s.happened = make(chan struct{})
}

// since returns the changes after a version, and a channel that is closed at the next change.
func (s *store) since(version int64) ([]change, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case version < s.oldest:
		return nil, nil, apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", version, s.oldest))
	case version > s.version:
		return nil, nil, apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", version, s.version), 1)
	}
	first, _ := slices.BinarySearchFunc(s.changes, version+1, func(c change, v int64) int { return cmp.Compare(c.version, v) })
	return slices.Clone(s.changes[first:]), s.happened, nil
}
