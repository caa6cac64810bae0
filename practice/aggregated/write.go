package aggregated

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/validation"
)

// bodyLimit is the size that a body may have.
const bodyLimit = 256 << 10

func (h *handler) create(w http.ResponseWriter, r *http.Request, t target) error {
	try, err := dryRun(r.URL.Query()["dryRun"])
	if err != nil {
		return err
	}
	o := &Object{}
	if err := decodeBody(w, r, o); err != nil {
		return err
	}
	if err := complete(o, t); err != nil {
		return err
	}
	if err := h.mayHold(r.Context(), t.namespace); err != nil {
		return err
	}
	made, err := h.store.create(t.resource, o, try)
	if err == nil {
		answer(w, http.StatusCreated, t.resource.whole(made))
	}
	return err
}

// complete fills in the fields that the path has, and refuses a body that contradicts the path.
func complete(o *Object, t target) error {
	meant := t.resource.typeMeta("")
	switch {
	case t.namespace == "":
		return apierrors.NewBadRequest("objects of this type must be created in a namespace")
	case o.Kind != "" && o.Kind != meant.Kind, o.APIVersion != "" && o.APIVersion != meant.APIVersion:
		return apierrors.NewBadRequest(fmt.Sprintf("the body must be a %s of %s, not a %s of %s", meant.Kind, meant.APIVersion, o.Kind, o.APIVersion))
	case o.Namespace != "" && o.Namespace != t.namespace:
		return apierrors.NewBadRequest("the namespace of the body is not the namespace of the path")
	}
	o.Namespace = t.namespace
	if o.Name == "" && o.GenerateName != "" {
		o.Name = o.GenerateName + rand.String(5)
	}
	if wrong := validation.IsDNS1123Subdomain(o.Name); len(wrong) > 0 {
		return status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "metadata.name: "+strings.Join(wrong, "; "))
	}
	return nil
}

func (h *handler) delete(w http.ResponseWriter, r *http.Request, t target) error {
	options := metav1.DeleteOptions{}
	if err := decodeBody(w, r, &options); err != nil {
		return err
	}
	try, err := dryRun(append(r.URL.Query()["dryRun"], options.DryRun...))
	if err != nil {
		return err
	}
	o, err := h.store.remove(key(t), options.Preconditions, try)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess,
		Details: &metav1.StatusDetails{Name: o.Name, Group: Group, Kind: t.resource.name, UID: o.UID},
	})
	return nil
}

// dryRun tells whether the request is a dry run.
func dryRun(said []string) (bool, error) {
	if slices.ContainsFunc(said, func(s string) bool { return s != metav1.DryRunAll }) {
		return false, apierrors.NewBadRequest("dryRun must be All")
	}
	return len(said) > 0, nil
}

// decodeBody decodes a body; an empty one changes nothing.
func decodeBody(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return apierrors.NewRequestEntityTooLargeError("the body is larger than this server accepts")
	case err != nil:
		return apierrors.NewBadRequest(err.Error())
	case len(body) == 0:
		return nil
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return status(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, "this server reads plain JSON only (application/json)")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return apierrors.NewBadRequest("the body can't be read: " + err.Error())
	}
	return nil
}
