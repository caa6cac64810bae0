package lab

import (
	"net/http"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/requests"
)

// requests shows the session's record of requests to a cluster.
func (p Pages) requests(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	if r.Header.Get("Accept") == requests.MediaType {
		p.entry(w, r, slug)
		return
	}
	p.Page(w, r, slug, apipath.Path{}, tool, maker(making.requests))
}

func (v making) requests() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	p, slug := v.Site(), v.Cluster().Slug()
	view := p.Tap.View(p.Session(v.Request()))
	m := requests.Model{
		Frame: v.Frame(), Query: requests.ParseQuery(v.Request().URL.Query()), Recording: view.Recording(), Most: p.Tap.Most(),
		At: p.Now().UnixMicro(),
	}
	if p.WhoIs(v.Request()).Person != nil {
		m.Since = view.Since()
	}
	m.Fill(view.Lines(slug, 0))
	if e, found := view.Entry(slug, m.Query.Entry); found {
		m.Detail = &e
	}
	return m, nil
}

// entry sends one request of the record.
func (p Pages) entry(w http.ResponseWriter, r *http.Request, slug string) {
	e, found := p.Tap.View(p.Session(r)).Entry(slug, requests.ParseQuery(r.URL.Query()).Entry)
	if !found {
		w.Header().Set("Vary", "Accept")
		http.Error(w, "the wire log has no request with this number", http.StatusNotFound)
		return
	}
	p.SendJSON(w, r, requests.MediaType, e)
}

// Archive sends the recorded requests that match the query, as an HTTP archive (HAR).
func (p Pages) Archive(w http.ResponseWriter, r *http.Request, slug string) {
	if _, ok := p.ClustersOf(r).Get(slug); !ok {
		p.UnknownCluster(w, r, slug)
		return
	}
	view, filter := p.Tap.View(p.Session(r)), requests.ParseQuery(r.URL.Query()).Filter
	var entries []record.Entry
	for _, l := range view.Lines(slug, 0) {
		if !filter.Passes(l) {
			continue
		}
		if e, found := view.Entry(slug, l.ID); found {
			entries = append(entries, e)
		}
	}
	name := "fieldmark-" + slug + "-" + p.Now().Format("20060102-150405") + ".har"
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if err := record.WriteHAR(w, p.Assets.Build(), entries); err != nil && r.Context().Err() == nil {
		p.Log.Error("sending an archive failed", "err", err)
	}
}
