package aggregated

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// handler serves requests of the API server, which has checked the user's
// permissions already.
type handler struct {
	store *store
	// mayHold says why a namespace takes no new objects.
	mayHold func(ctx context.Context, namespace string) error
}

// target is what a path names.
type target struct {
	resource        *resource
	namespace, name string
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !acceptsJSON(r.Header.Values("Accept")) {
		refuse(w, notAcceptable())
		return
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if document := discoveryDocument(parts); document != nil {
		h.discover(w, r, document)
		return
	}
	t, ok := targetOf(parts)
	if !ok {
		refuse(w, notFound())
		return
	}
	if err := h.serve(w, r, t); err != nil {
		refuse(w, err)
	}
}

// discoveryDocument is the document at a path, if one is there.
func discoveryDocument(parts []string) any {
	switch {
	case slices.Equal(parts, []string{"apis"}):
		return apiGroups()
	case slices.Equal(parts, []string{"apis", Group}):
		return apiGroup()
	case slices.Equal(parts, []string{"apis", Group, Version}):
		return apiResources()
	}
	return nil
}

func (h *handler) discover(w http.ResponseWriter, r *http.Request, document any) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, notAllowed(r.Method))
		return
	}
	answer(w, http.StatusOK, document)
}

// targetOf reads a path below the group.
func targetOf(parts []string) (t target, ok bool) {
	if len(parts) < 4 || parts[0] != "apis" || parts[1] != Group || parts[2] != Version {
		return t, false
	}
	parts = parts[3:]
	if parts[0] == "namespaces" && len(parts) > 2 {
		t.namespace, parts = parts[1], parts[2:]
	}
	for _, r := range served {
		if r.name == parts[0] {
			t.resource = r
		}
	}
	if len(parts) == 2 {
		t.name = parts[1]
	}
	switch {
	case t.resource == nil, len(parts) > 2, t.namespace != "" && !t.resource.namespaced,
		t.name != "" && t.namespace == "" && t.resource.namespaced:
		return t, false
	}
	return t, true
}

// verbOf is the verb of a request.
func verbOf(r *http.Request, t target) string {
	switch {
	case r.Method == http.MethodPost && t.name == "":
		return "create"
	case r.Method == http.MethodDelete && t.name != "":
		return "delete"
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return ""
	case t.name != "":
		return "get"
	}
	switch r.URL.Query().Get("watch") {
	case "1", "true":
		return "watch"
	}
	return "list"
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, t target) error {
	verb := verbOf(r, t)
	if !t.resource.can(verb) {
		return apierrors.NewMethodNotSupported(t.resource.group(), strings.ToLower(r.Method))
	}
	switch verb {
	case "create":
		return h.create(w, r, t)
	case "delete":
		return h.delete(w, r, t)
	case "get":
		return h.get(w, t)
	case "watch":
		return h.watch(w, r, t)
	}
	return h.serveList(w, r, t)
}

func (h *handler) get(w http.ResponseWriter, t target) error {
	o, err := h.store.get(key(t))
	if err == nil {
		answer(w, http.StatusOK, t.resource.whole(o))
	}
	return err
}

// serveList returns all objects: a server may ignore limit.
func (h *handler) serveList(w http.ResponseWriter, r *http.Request, t target) error {
	of, err := scopeOf(r.URL.Query(), t)
	if err != nil {
		return err
	}
	items, version := h.store.listObjects(of)
	answer(w, http.StatusOK, List{TypeMeta: t.resource.typeMeta("List"), ListMeta: metav1.ListMeta{ResourceVersion: versionText(version)}, Items: items})
	return nil
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client has disconnected
}

// refuse responds with a Status.
func refuse(w http.ResponseWriter, err error) {
	s := statusOf(err)
	answer(w, int(s.Code), s)
}

func statusOf(err error) metav1.Status {
	var told apierrors.APIStatus
	if !errors.As(err, &told) {
		told = apierrors.NewInternalError(err)
	}
	s := told.Status()
	s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	return s
}

func status(code int32, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message}}
}

func notAcceptable() error {
	return status(http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, "this server responds with plain JSON only (application/json)")
}

func notFound() error {
	return status(http.StatusNotFound, metav1.StatusReasonNotFound, "the server could not find the requested resource")
}

func notAllowed(method string) error {
	return status(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, method+" is not allowed here")
}
