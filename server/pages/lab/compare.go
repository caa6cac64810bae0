package lab

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/lab/compare"
)

// patienceForTwo is how long the page of two servers waits for both, so that a server that doesn't respond doesn't hide the other one.
const patienceForTwo = 10 * time.Second

// compare is the page that sends one request to two clusters. The server sends a GET that only reads. The browser sends all other requests.
func (v making) compare() (page.Page, error) {
	choices := v.choices()
	var slugs []string
	for _, c := range choices {
		slugs = append(slugs, c.Slug)
	}
	m := compare.Parse(v.Cluster().Slug(), slugs, v.Request().URL.Query())
	var both pair
	if err := v.LoadSurroundings(func() { both.askBothServers(v, m) }); err != nil {
		return nil, err
	}
	m.Frame, m.Versions = v.Frame().With(m.Problem), both.versions
	m.Shell.Unlisted -= len(choices) - len(m.Shell.Clusters)
	m.Shell.Clusters = choices
	if m.Opens() {
		m.Result = m.Settle(both.calls, both.notices)
	}
	return m, nil
}

// choices are the clusters that the page offers: those that all documents list, and the one in the address.
func (v making) choices() []shell.Cluster {
	var all []shell.Cluster
	for _, c := range v.Listed() {
		all = append(all, visit.ShellCluster(c))
	}
	with, ok := v.Site().ClustersOf(v.Request()).Get(v.Request().URL.Query().Get(compare.QueryWith))
	if ok && !slices.Contains(all, visit.ShellCluster(with)) {
		all = append(all, visit.ShellCluster(with))
	}
	return all
}

// pair has what two servers responded.
type pair struct {
	versions compare.Pair
	calls    [2]call.Call
	notices  [2]*components.Notice
}

// askBothServers asks both servers for their versions, and sends the request to both, all at the same time.
func (b *pair) askBothServers(v making, m compare.Model) {
	m.Shell.Cluster.Slug = v.Cluster().Slug()
	other, err := v.other(m.Other)
	defer other.End()
	var wg rescue.Group
	for i, one := range []making{v, other} {
		b.calls[i], b.versions[i] = m.Request(i), compare.VersionOf(0, nil)
		if one == other && err != nil {
			_, notice := other.Cannot(err)
			b.notices[i] = &notice
			continue
		}
		wg.Go(func() { b.versions[i] = one.version() })
		if m.Opens() {
			wg.Go(func() { b.calls[i], b.notices[i] = one.exchange(b.calls[i]) })
		}
	}
	wg.Wait()
}

// version is the server's version in its own words.
func (v making) version() string {
	ctx, cancel := context.WithTimeout(v.Context(), patienceForTwo)
	defer cancel()
	answer, _, err := v.Client().Exchange(ctx, api.Request{Path: compare.VersionPath, MaxBytes: compare.MostOpened})
	if err != nil {
		return compare.VersionOf(0, nil)
	}
	return compare.VersionOf(answer.Status, answer.Body)
}

// other is a visit of another cluster. An error says why no request can be sent to it.
func (v making) other(slug string) (making, error) {
	c, ok := v.Site().ClustersOf(v.Request()).Get(slug)
	if !ok {
		c = v.Cluster() // the list of clusters has just changed
	}
	visited, err := v.Site().Begin(v.Request(), c, apipath.Path{})
	return making{visited}, err
}

// exchange makes a call on the server. A notice says why there is no response.
func (v making) exchange(x call.Call) (call.Call, *components.Notice) {
	ctx, cancel := context.WithTimeout(v.Context(), patienceForTwo)
	defer cancel()
	began := v.Now()
	accept := request.Field(x.Header, "Accept")
	if accept == "" {
		accept = "*/*"
	}
	answer, whole, err := v.Client().Exchange(ctx, api.Request{Method: x.Method, Path: x.Path, Accept: accept, MaxBytes: compare.MostOpened})
	x.Took = v.Now().Sub(began)
	if err != nil {
		_, notice := visit.Explain(err)
		x.State = call.CutOff
		return x, &notice
	}
	x.State, x.Status, x.Kept, x.Bytes = call.Whole, answer.Status, answer.Body, int64(len(answer.Body))
	if !whole {
		x.State = call.CutOff
	}
	for name, values := range answer.Header {
		for _, value := range values {
			x.Answer = append(x.Answer, request.Header{Name: strings.ToLower(name), Value: value})
		}
	}
	return x, nil
}
