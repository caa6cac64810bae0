package aggregated

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
)

// watchLimit is how long a watch lasts that asks for no other time.
const watchLimit = 30 * time.Minute

// scopeOf is the scope that a query selects of a type.
func scopeOf(query url.Values, t target) (scope, error) {
	of := scope{resource: t.resource, namespace: t.namespace}
	var err error
	if of.labels, err = labels.Parse(query.Get("labelSelector")); err != nil {
		return of, apierrors.NewBadRequest("labelSelector: " + err.Error())
	}
	if of.fields, err = fields.ParseSelector(query.Get("fieldSelector")); err != nil {
		return of, apierrors.NewBadRequest("fieldSelector: " + err.Error())
	}
	for _, r := range of.fields.Requirements() {
		if r.Field != "metadata.name" && r.Field != "metadata.namespace" {
			return of, apierrors.NewBadRequest("fieldSelector: this server does not support the field " + r.Field)
		}
	}
	return of, nil
}

// event is one line of a watch.
type event struct {
	Type   watch.EventType `json:"type"`
	Object any             `json:"object"`
}

// stream is one watch.
type stream struct {
	w     http.ResponseWriter
	of    scope
	store *store
	// version is that of the last change that was sent or left out.
	version int64
}

// watch sends changes after a version. Without a version (or with "0"), it
// begins with all existing objects.
func (h *handler) watch(w http.ResponseWriter, r *http.Request, t target) error {
	query := r.URL.Query()
	of, err := scopeOf(query, t)
	if err != nil {
		return err
	}
	if query.Has("sendInitialEvents") {
		return status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "sendInitialEvents: this server does not support it")
	}
	version, err := strconv.ParseInt("0"+query.Get("resourceVersion"), 10, 64)
	if err != nil {
		return apierrors.NewBadRequest("resourceVersion: not a version of this server")
	}
	s := &stream{w: w, of: of, store: h.store, version: version}
	if version > 0 {
		if _, _, err := h.store.since(version); err != nil {
			return err
		}
	}
	end := time.NewTimer(duration(query.Get("timeoutSeconds")))
	defer end.Stop()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	s.sendEvents(r, end.C)
	return nil
}

func duration(seconds string) time.Duration {
	n, err := strconv.Atoi(seconds)
	if err != nil || n <= 0 || n > int(watchLimit/time.Second) {
		return watchLimit
	}
	return time.Duration(n) * time.Second
}

// sendEvents sends events until the client disconnects or the time is over.
func (s *stream) sendEvents(r *http.Request, end <-chan time.Time) {
	if s.version == 0 {
		s.sendInitialEvents()
	}
	for {
		changes, next, err := s.store.since(s.version)
		if err != nil { // the client is so slow that changes it needs were dropped
			s.writeEvent(watch.Error, statusOf(err))
			return
		}
		for _, c := range changes {
			s.version = c.version
			if s.of.has(c.resource, c.object) {
				s.writeEvent(c.kind, c.resource.whole(c.object))
			}
		}
		if err := http.NewResponseController(s.w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return
		}
		select {
		case <-next:
		case <-end:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// sendInitialEvents sends the existing objects.
func (s *stream) sendInitialEvents() {
	items, version := s.store.listObjects(s.of)
	s.version = version
	for _, o := range items {
		s.writeEvent(watch.Added, s.of.resource.whole(o))
	}
}

// writeEvent writes one line. Flushing the lines returns the errors.
func (s *stream) writeEvent(kind watch.EventType, object any) {
	_ = json.NewEncoder(s.w).Encode(event{kind, object})
}
