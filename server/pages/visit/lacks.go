package visit

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
)

// LacksPatience is how long a page waits to hear which features the server lacks. A page that hears it too late is complete without, and the
// next one says it.
const LacksPatience = 300 * time.Millisecond

// needsOf are the features that a page needs, as its profile says.
func needsOf(of web.Profile) []feature.Feature {
	var all []feature.Feature
	for _, need := range of.Needs {
		for _, f := range feature.All() {
			switch {
			case f.ID == need.Feature && need.Then != "":
				all = append(all, f.Then(need.Then))
			case f.ID == need.Feature:
				all = append(all, f)
			}
		}
	}
	return all
}

// lacks are the features that the page does without.
type lacks struct {
	mu  sync.Mutex
	all []feature.Feature
}

func (l *lacks) addFeature(f feature.Feature) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, f)
}

// sorted are they in the order in which features are shown.
func (l *lacks) sorted() []feature.Feature {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sorted []feature.Feature
	for _, known := range feature.All() {
		if at := slices.IndexFunc(l.all, func(f feature.Feature) bool { return f.ID == known.ID }); at >= 0 {
			sorted = append(sorted, l.all[at])
		}
	}
	return sorted
}

// Without is for LoadSurroundings: it asks which of the features the server lacks, so that the page says so. What is found out about a server is known
// to all its pages, so the requests are not those of this page.
func (v *Visit) Without(features ...feature.Feature) func() {
	return func() {
		ctx, cancel := context.WithTimeout(v.Context(), LacksPatience)
		defer cancel()
		var wg rescue.Group
		for _, f := range features {
			wg.Go(func() {
				if v.cluster.Offers(ctx, nil, f.ID) == cluster.No {
					v.lacks.addFeature(f)
				}
			})
		}
		wg.Wait()
	}
}

// WithoutTypes adds the features whose types discovery doesn't list. If it couldn't read them, the page says so, and not that they are absent.
func (v *Visit) WithoutTypes(catalog discovery.Catalog, features ...feature.Feature) {
	for _, f := range features {
		of := typesOf[f.ID]
		if _, served := catalog.Type(of.Group, of.Version, of.Resource); !served {
			v.lacks.addFeature(f.Unknown(unreadWords(catalog, of.Group, of.Version)))
		}
	}
}

// typesOf are the types that make a feature.
var typesOf = map[feature.ID]discovery.Type{
	feature.Autoscalers.ID: {Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
	feature.Budgets.ID:     {Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
}

// unreadWords say why discovery doesn't tell what a group version has; empty: it does.
func unreadWords(catalog discovery.Catalog, group, version string) string {
	if f, unread := catalog.Unread(group, version); unread {
		return f.Words()
	}
	return ""
}
