package census

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// picture is a visit of the page with many managers and types, in milliseconds from the start of the navigation.
type picture struct {
	Arrived  float64   `json:"arrived"` // the whole document
	Painted  float64   `json:"painted"`
	Ready    float64   `json:"ready"`
	Document float64   `json:"document"` // bytes
	Memory   float64   `json:"memory"`   // bytes of the program
	Keys     []float64 `json:"keys"`     // from each key to the frame that shows its result
	Computed []float64 `json:"computed"` // by the main thread, for each key
}

const (
	manyManagers  = 400
	manyTypes     = 150
	typesOfGroup  = 6
	objectsOfType = 16
	pictureVisits = 5
)

// measurePicture lets a page read a scripted API server, and opens the page in a real browser.
func measurePicture(ctx context.Context, l *lab.Lab, r *results) error {
	server := httptest.NewTLSServer(http.HandlerFunc(answerMany))
	defer server.Close()
	kubeconfig, err := l.WriteKubeconfig(server.URL, lab.AuthorityOf(server))
	if err != nil {
		return err
	}
	fieldmark, err := l.StartFieldmarkFor(ctx, kubeconfig)
	if err != nil {
		return err
	}
	defer l.StopLast()
	return browser.Run(ctx, &r.pictures, "census/picture", fieldmark.Origin, l.Token, managersPage, strconv.Itoa(pictureVisits))
}

// answerMany is as much of an API server as a census needs. It serves many types, and many managers write to them.
func answerMany(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var answer any
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/version":
		answer = map[string]any{"major": "1", "minor": "37", "gitVersion": "v1.37.1"}
	case r.URL.Path == "/api" || r.URL.Path == "/apis":
		w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
		answer = map[string]any{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": groupsBelow(r.URL.Path)}
	case len(parts) == 4 && strings.HasPrefix(parts[3], "things"):
		n, _ := strconv.Atoi(strings.TrimPrefix(parts[3], "things"))
		answer = map[string]any{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": objectsOf(n)}
	default:
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": http.StatusNotFound}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// groupsBelow are the groups of a root of discovery.
func groupsBelow(root string) []any {
	groups := []any{}
	for g := 0; root == "/apis" && g*typesOfGroup < manyTypes; g++ {
		var types []any
		for n := g * typesOfGroup; n < min((g+1)*typesOfGroup, manyTypes); n++ {
			kind := map[string]any{"group": groupName(g), "version": "v1", "kind": fmt.Sprintf("Thing%d", n)}
			types = append(types, map[string]any{"resource": fmt.Sprintf("things%d", n), "scope": "Cluster", "responseKind": kind, "verbs": []string{"get", "list", "patch", "update"}})
		}
		groups = append(groups, map[string]any{"metadata": map[string]any{"name": groupName(g)}, "versions": []any{map[string]any{"version": "v1", "resources": types}}})
	}
	return groups
}

func groupName(g int) string { return fmt.Sprintf("group%d.example.com", g) }

// objectsOf are the objects of a type. Two managers write to each of them, so each manager writes to a dozen types.
func objectsOf(n int) []any {
	names := []string{"argocd-controller", "helm", "kube-controller-manager", "kubectl-edit", "terraform", "widget-operator", "node-fetch", "deploy-bot"}
	var objects []any
	for i := range objectsOfType {
		var entries []any
		for half, operation := range []string{"Apply", "Update"} {
			m := (n*37 + i*13 + half*manyManagers/2) % manyManagers // 37 and 13 have no divisor in common with the number of managers, so all of them write
			fields := map[string]any{"f:spec": map[string]any{"f:size": map[string]any{}, "f:color": map[string]any{}}}
			entries = append(entries, map[string]any{
				"manager": fmt.Sprintf("%s-%d", names[m%len(names)], m), "operation": operation, "apiVersion": groupName(n/typesOfGroup) + "/v1",
				"time": "2026-11-01T12:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": fields,
			})
		}
		objects = append(objects, map[string]any{"metadata": map[string]any{"name": fmt.Sprintf("thing-%d", i), "managedFields": entries}})
	}
	return objects
}

func writePictures(b *strings.Builder, all []picture) {
	fmt.Fprintf(b, "The page of %d managers × %d types of a scripted API server, in Chromium; milliseconds, medians of %d visits with the range beside them. A key in the filter\n"+
		"is measured until the frame that shows its result. That includes the wait for the frame, which is 8 ms in the mean.\n\n| | | goal |\n|---|---|---|\n", manyManagers, manyTypes, len(all))
	line := func(what, goal string, of func(picture) float64) {
		fmt.Fprintf(b, "| %s | %s | %s |\n", what, figures.Median(all, of), goal)
	}
	var keys, computed []float64
	for _, p := range all {
		keys, computed = append(keys, p.Keys...), append(computed, p.Computed...)
	}
	line("kilobytes of the document", "", func(p picture) float64 { return p.Document / 1000 })
	line("painted, after the whole document has arrived", "≤ 50", func(p picture) float64 { return p.Painted - p.Arrived })
	line("painted, from the start of the navigation", "", func(p picture) float64 { return p.Painted })
	line("the page's program is ready", "", func(p picture) float64 { return p.Ready })
	fmt.Fprintf(b, "| a key in the filter: until its frame | %s | ≤ 16 |\n", figures.Spread("%.0f", keys))
	fmt.Fprintf(b, "| — what the page computes for it | %s | |\n", figures.Spread("%.0f", computed))
	line("megabytes (2²⁰) of the program's memory", "", func(p picture) float64 { return p.Memory / (1 << 20) })
	b.WriteString("\n")
}
