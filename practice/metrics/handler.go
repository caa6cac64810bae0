package metrics

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// The group that this package serves.
const (
	Group   = "metrics.k8s.io"
	Version = "v1beta1"
	// Types is how many types it has.
	Types = 2
)

const root = "/apis/" + Group

// handler serves requests of the API server, which has checked the user's permissions already.
type handler struct{ meter meter }

// NewHandler returns a handler for all paths of the group.
func NewHandler(client kubernetes.Interface, now func() time.Time) http.Handler {
	h := &handler{meter{client, now}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, group()) })
	mux.HandleFunc("GET "+root+"/"+Version, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, resources()) })
	for _, path := range []string{"/pods", "/namespaces/{namespace}/pods", "/namespaces/{namespace}/pods/{name}", "/nodes", "/nodes/{name}"} {
		mux.HandleFunc("GET "+root+"/"+Version+path, h.serve)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			refuse(w, apierrors.NewMethodNotSupported(metricsv1beta1.Resource(""), strings.ToLower(r.Method)))
			return
		}
		refuse(w, apierrors.NewGenericServerResponse(http.StatusNotFound, "get", metricsv1beta1.Resource(""), "", "", 0, true))
	})
	return mux
}

// serve responds with one object or with a list.
func (h *handler) serve(w http.ResponseWriter, r *http.Request) {
	if watch := r.URL.Query().Get("watch"); watch == "1" || watch == "true" {
		refuse(w, apierrors.NewMethodNotSupported(metricsv1beta1.Resource(kindOf(r).name), "watch"))
		return
	}
	all, err := h.measure(r.Context(), r)
	if err != nil {
		refuse(w, err)
		return
	}
	list := metav1.ListMeta{}
	switch name := r.PathValue("name"); {
	case wantsTable(r.Header.Values("Accept")):
		respond(w, http.StatusOK, tableOf(list, all, include(cmp.Or(r.URL.Query().Get("includeObject"), string(includeMetadata)))))
	case name != "":
		respond(w, http.StatusOK, all[0].object)
	default:
		respond(w, http.StatusOK, map[string]any{
			"kind": kindOf(r).kind + "List", "apiVersion": Group + "/" + Version, "metadata": list, "items": objects(all),
		})
	}
}

// measure finds the objects of a request, in the order of their names.
func (h *handler) measure(ctx context.Context, r *http.Request) ([]measurement, error) {
	selects, err := selection(r)
	if err != nil {
		return nil, err
	}
	var all []measurement
	if kindOf(r).name == "nodes" {
		all, err = h.meter.nodes(ctx, r.PathValue("name"))
	} else {
		all, err = h.meter.podsIn(ctx, r.PathValue("namespace"), r.PathValue("name"))
	}
	all = slices.DeleteFunc(all, func(m measurement) bool { return !selects(m.meta) })
	slices.SortFunc(all, func(a, b measurement) int {
		return cmp.Or(strings.Compare(a.meta.Namespace, b.meta.Namespace), strings.Compare(a.meta.Name, b.meta.Name))
	})
	return all, err
}

// selection reads the selectors of a list. A request for one object has none.
func selection(r *http.Request) (func(metav1.ObjectMeta) bool, error) {
	query := r.URL.Query()
	byLabel, err := labels.Parse(query.Get("labelSelector"))
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the label selector can't be read: %v", err))
	}
	byField, err := fields.ParseSelector(query.Get("fieldSelector"))
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the field selector can't be read: %v", err))
	}
	for _, one := range byField.Requirements() {
		if one.Field != "metadata.name" && one.Field != "metadata.namespace" {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("field label not supported: %s", one.Field))
		}
	}
	single := r.PathValue("name") != ""
	return func(o metav1.ObjectMeta) bool {
		return single || byLabel.Matches(labels.Set(o.Labels)) &&
			byField.Matches(fields.Set{"metadata.name": o.Name, "metadata.namespace": o.Namespace})
	}, nil
}

func objects(all []measurement) []runtime.Object {
	found := make([]runtime.Object, len(all))
	for i, m := range all {
		found[i] = m.object
	}
	return found
}

// wantsTable tells whether a Table is the first form that a client accepts and that this server has.
func wantsTable(accept []string) bool {
	for clause := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, parameters, _ := strings.Cut(strings.TrimSpace(clause), ";")
		switch {
		case media != "application/json" && media != "application/*" && media != "*/*":
		case strings.Contains(parameters, "as=Table") && strings.Contains(parameters, "g=meta.k8s.io"):
			return true
		case !strings.Contains(parameters, "as="):
			return false
		}
	}
	return false
}

func respond(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client has disconnected
}

// refuse responds with a Status.
func refuse(w http.ResponseWriter, err error) {
	var told apierrors.APIStatus
	if !errors.As(err, &told) {
		told = apierrors.NewInternalError(err)
	}
	s := told.Status()
	s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	respond(w, int(s.Code), s)
}
