package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// errRequest says which requests a reporter sends.
var errRequest = errors.New("data.request must be a list of the pods in this namespace")

// report sends the request that a ConfigMap tells it, as it is, and writes the names of the pods into the report. If the request fails, the
// names stay, and the report has the error.
func (r *runner) report(ctx context.Context, i int, p Reporter) error {
	if err := r.ensureNamespace(ctx, p.Namespace); err != nil {
		return err
	}
	return r.repeat(ctx, i, everySeconds(p.EverySeconds), func(ctx context.Context, _ int64) (act, error) {
		settings, err := r.settings(ctx, p.Namespace, p.Name)
		if err != nil {
			return nothing, err
		}
		names, failed := r.podsBy(ctx, p.Namespace, settings["request"])
		if ctx.Err() != nil {
			return nothing, failed
		}
		found := map[string]string{"error": ""}
		if failed != nil {
			found["error"] = failed.Error()
		} else {
			found["pods"] = strings.Join(names, ",")
		}
		done, err := r.note(ctx, p.Namespace, p.Name+"-report", p.Manager, found)
		return done, errors.Join(patient(failed), err)
	})
}

// podsBy returns the sorted names of the pods in the response to a request.
func (r *runner) podsBy(ctx context.Context, namespace, request string) ([]string, error) {
	if !listsPods(request, namespace) {
		return nil, fmt.Errorf("%w, not %q", errRequest, request)
	}
	result := r.typed.CoreV1().RESTClient().Get().RequestURI(request).SetHeader("Accept", "application/json").MaxRetries(0).Do(ctx)
	if err := result.Error(); err != nil {
		return nil, err
	}
	body, err := result.Raw()
	if err != nil {
		return nil, err
	}
	var list metav1.PartialObjectMetadataList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	names := make([]string, len(list.Items))
	for i := range list.Items {
		names[i] = list.Items[i].Name
	}
	slices.Sort(names)
	return names, nil
}

// listsPods tells whether a request is a list of the pods in a namespace. A watch has the same path, but never ends.
func listsPods(request, namespace string) bool {
	u, err := url.ParseRequestURI(request)
	return err == nil && u.Host == "" && u.EscapedPath() == "/api/v1/namespaces/"+namespace+"/pods" && !u.Query().Has("watch")
}
