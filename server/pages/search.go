package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/survey/search"
)

// namesBytes bounds a response with names: a chunk of a list, with managedFields. A hundred of them may be under way: four in each context. A longer one
// counts as a type that couldn't be listed, and the page says so.
const namesBytes = 4 << 20

// Search is the page that searches all clusters at the same time, each with the search of the palette.
func (p *Pages) Search(w http.ResponseWriter, r *http.Request) {
	m := search.Model{Frame: page.Frame{Kind: search.Kind, Shell: p.Shell(r, web.OfKind(search.Kind).Title)}, Query: search.ParseQuery(r.URL.Query())}
	all := p.ClustersOf(r).List()
	found := matching(all, m.Query.Contexts)
	slices.SortStableFunc(found, func(a, b *cluster.Cluster) int { return place(a) - place(b) })
	m.Total, m.Matching = len(all), len(found)
	m.Query.From = min(m.Query.From, max(0, len(found)-1))
	if m.Query.Searches() {
		m.Clusters = p.searchAll(r, found[m.Query.From:min(len(found), m.Query.From+search.MostClusters)], m.Query)
		servers := visit.Servers(all)
		for i, c := range found[m.Query.From : m.Query.From+len(m.Clusters)] {
			m.Clusters[i].Same, m.Clusters[i].Others = components.First(servers.Others(c), clusters.MostSame)
		}
	}
	p.Render(w, r, http.StatusOK, m)
}

// searchAll searches clusters at the same time. None of them takes longer than search.Patience.
func (p *Pages) searchAll(r *http.Request, shown []*cluster.Cluster, q search.Query) []search.Cluster {
	all := make([]search.Cluster, len(shown))
	var wg rescue.Group
	for i, c := range shown {
		wg.Go(func() { all[i] = p.searchOne(r, c, q, len(shown) > 1) })
	}
	wg.Wait()
	return all
}

// searchOne searches a cluster. Beside others, it has only the best hits.
func (p *Pages) searchOne(r *http.Request, c *cluster.Cluster, q search.Query, beside bool) search.Cluster {
	one := search.Cluster{Cluster: visit.ShellCluster(c)}
	v, err := p.Begin(r, c, apipath.Path{})
	defer v.End()
	if err != nil {
		return untold(one, v, err)
	}
	ctx, cancel := context.WithTimeout(v.Context(), search.Patience)
	defer cancel()
	catalog, err := c.Catalog(ctx, v.Client())
	switch {
	case ctx.Err() != nil && r.Context().Err() == nil:
		one.Trouble = &components.Notice{
			Tone: components.Bad, Title: fmt.Sprintf("The API server has not responded within %d seconds", int(search.Patience/time.Second)), Words: "So Fieldmark doesn’t know whether this cluster has what you search.",
			Links: []components.Link{{Text: "Open the cluster", Href: web.Cluster(c.Slug())}},
		}
		return one
	case err != nil:
		return untold(one, v, err)
	}
	frame := shell.Model{Cluster: one.Cluster, Catalog: catalog, Preferences: visit.PreferencesOf(r)}
	frame.Path.Namespace = cmp.Or(q.Namespace, c.Info().Namespace)
	f, late := names(ctx, v.Client(), frame, q)
	one.Late, one.More, one.Looked, one.Notes, one.Ahead = late, f.More, f.Looked, f.Notes, f.Ahead
	for _, e := range f.Entries {
		one.Hits = append(one.Hits, hit(c.Slug(), e))
	}
	if beside && len(one.Hits) > search.MostHits {
		one.More += len(one.Hits) - search.MostHits
		one.Hits = one.Hits[:search.MostHits]
	}
	return one
}

// untold is a cluster that can't be asked.
func untold(one search.Cluster, v *visit.Visit, err error) search.Cluster {
	_, notice := v.Cannot(err)
	one.Trouble = &notice
	return one
}

// names runs the search of the palette, and sends its requests. late tells that the context ended before the search did.
func names(ctx context.Context, client *api.Client, frame shell.Model, q search.Query) (f palette.Finding, late bool) {
	m, commands := palette.Search(frame, q.Words, q.Further)
	heard := make(chan page.Response)
	var wg rescue.Group
	defer wg.Wait()
	for under := 0; ; {
		for _, one := range commands {
			if call, is := one.(page.Call); is {
				under++
				wg.Go(func() {
					response := sent(ctx, client, call)
					select {
					case heard <- response:
					case <-ctx.Done():
					}
				})
			}
		}
		if under == 0 {
			return m.Finding(), false
		}
		select {
		case response := <-heard:
			under--
			m, commands = m.Update(response)
		case <-ctx.Done():
			return m.Finding(), true
		}
	}
}

// sent is the response to a request of the palette.
func sent(ctx context.Context, client *api.Client, call page.Call) page.Response {
	accept := call.Header[0].Value // page.Get sends only this one
	answer, err := client.Do(ctx, api.Request{Path: call.Path, Accept: accept, MaxBytes: namesBytes})
	response := page.Response{ID: call.ID, Status: http.StatusOK, Body: answer.Body}
	if refused, is := errors.AsType[*api.Error](err); is {
		response.Status = refused.Status.Code
	} else if err != nil {
		response.Status = 0
	}
	return response
}

func hit(slug string, e palette.Entry) search.Hit {
	h := search.Hit{Name: e.Text, Href: e.Href}
	switch e.Kind {
	case palette.Object:
		h.Beside, h.What, h.Path = e.Beside, e.Detail, strings.TrimPrefix(e.Href, web.Cluster(slug))
	case palette.Namespace:
		h.What = "namespace"
	default:
		h.What = "resource type, " + e.Detail
	}
	return h
}
