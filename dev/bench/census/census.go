// Package census measures the questions about a whole cluster: the pass over all objects, its picture, and who can change something.
//
//	fill: ConfigMaps, straight in the store ──▶ the pass of a page, alone and beside a reader ──▶ the verb managers
//	                                        └─▶ the same chunks in each format
//	a scripted API server ──▶ the picture of many managers, in Chromium
//	many bindings         ──▶ who can: the verb and the page
package census

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// Census is the only part of this family.
var Census = lab.Of(measureCensus)

const (
	// namespace has the ConfigMaps, and space is where they are.
	namespace = "bench-census"
	space     = "/api/v1/namespaces/" + namespace + "/configmaps"
)

// managers write to each ConfigMap: a GitOps tool, kubectl before it, and a person. So the pass finds something, and looks at each object for the
// move to server-side apply, too.
func managers() []string {
	return []string{"kustomize-controller", "kubectl-client-side-apply", "kubectl-edit"}
}

// results are what was measured.
type results struct {
	filled   time.Duration
	alone    []pass
	beside   pass // with a reader of another page
	verb     verb
	formats  []format
	chunks   int           // that were asked for in each format
	chunk    time.Duration // what Fieldmark takes for a chunk of JSON
	pictures []picture
	who      whoCan
}

// measureCensus measures all of it in one cluster.
func measureCensus(ctx context.Context, l *lab.Lab) (r results, err error) {
	begun := time.Now()
	if err := l.MakeOwned(ctx, "census", namespace, l.Plan.Large, managers()); err != nil {
		return r, err
	}
	if err := l.Until(ctx, func() bool { return listable(ctx, l) }); err != nil {
		return r, fmt.Errorf("the ConfigMaps can't be listed: %w", err)
	}
	r.filled = time.Since(begun)
	lab.Say(fmt.Sprintf("filled in %.0f s", r.filled.Seconds()))
	for _, measure := range []func(context.Context, *lab.Lab, *results) error{measurePasses, measureVerb, measureFormats, measurePicture, measureWho} {
		if err := measure(ctx, l, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// listable tells whether the API server's memory has all that is in the store. It is some seconds behind after a fill. Meanwhile the server reads the
// first chunk of a list from the store, and refuses the second one.
func listable(ctx context.Context, l *lab.Lab) bool {
	_, body, err := l.Bare.Do(ctx, http.MethodGet, "/api/v1/configmaps?limit=1", nil)
	if err != nil {
		return false
	}
	listed, _ := walk.List(body, func([]byte) {})
	_, _, err = l.Bare.Do(ctx, http.MethodGet, "/api/v1/configmaps?limit=1&continue="+url.QueryEscape(listed.Continue), nil)
	return err == nil
}

// WriteSection implements lab.Findings.
func (r results) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "%d ConfigMaps with three managers each, which a Scenario (`fill` with `managers`) stores in etcd directly: **%.0f s** (goal ≤ 180 s).\n\n",
		p.Large, r.filled.Seconds())
	writePasses(b, r)
	writeFormats(b, r)
	writePictures(b, r.pictures)
	r.who.write(b)
}
