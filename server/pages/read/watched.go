package read

import (
	"errors"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	watches "github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	objectpage "github.com/fieldmark/fieldmark/web/read/object"
	history "github.com/fieldmark/fieldmark/web/read/timeline"
	"github.com/fieldmark/fieldmark/web/read/watched"
)

// watched lists the objects that the session watches in a cluster, and begins or ends one. Both change only the state of this server.
func (p Pages) watched(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	if _, known := p.ClustersOf(r).Get(slug); !known {
		p.UnknownCluster(w, r, slug)
		return
	}
	session := p.Session(r)
	switch accepted := r.Header.Get("Accept"); {
	case r.Method == http.MethodPost && r.PostFormValue(web.WatchAct) == web.WatchStop:
		p.Watches.Stop(session, slug, r.PostFormValue(web.WatchPath))
		p.watchedNow(w, r, slug)
	case r.Method == http.MethodPost:
		p.startWatching(w, r, slug, tool)
	case accepted == web.WatchedList:
		if r.URL.Query().Get(watched.QueryLook) != "" {
			p.Watches.Looked(session, slug, "")
		}
		p.sendWatched(w, r, slug)
	case accepted == web.WatchedRecording:
		p.sendRecording(w, r, slug)
	default:
		p.Page(w, r, slug, apipath.Path{}, tool, maker(func(v making) (page.Page, error) { return v.watchedObjects(nil) }))
	}
}

// startWatching begins to watch the object that the form names.
func (p Pages) startWatching(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	path, err := apipath.Parse(r.PostFormValue(web.WatchPath))
	if err != nil {
		path = apipath.Path{}
	}
	p.Visiting(w, r, slug, path, tool, func(of *visit.Visit) {
		v := making{of}
		err := v.startWatching(path)
		switch {
		case err == nil:
			p.watchedNow(w, r, slug)
		case r.Header.Get("Accept") == web.WatchedList:
			w.Header().Set("Vary", "Accept")
			http.Error(w, components.Sentence(err.Error()), unwatched(err))
		default:
			v.Path, v.Code = apipath.Path{}, unwatched(err)
			v.Answer(v.watchedObjects(&components.Notice{Tone: components.Warn, Title: "The object isn’t watched", Words: components.Sentence(err.Error())}))
		}
	})
}

var errNotWatchable = errors.New("the API server doesn’t serve the verb watch for this type")

func (v making) startWatching(path apipath.Path) error {
	if path.Kind != apipath.KindObject {
		return watches.ErrNoPath
	}
	t, known, err := v.Cluster().Type(v.Context(), v.Client(), path.Group, path.Version, path.Resource)
	if err != nil {
		return err
	}
	if !known || !t.Watchable() {
		return errNotWatchable
	}
	return v.Site().Watches.Start(v.Session(), v.Cluster().Slug(), path, t.Kind)
}

// unwatched is the status code of a refusal to watch.
func unwatched(err error) int {
	switch {
	case errors.Is(err, watches.ErrSession), errors.Is(err, watches.ErrPerson):
		return http.StatusConflict
	case errors.Is(err, watches.ErrServer), errors.Is(err, watches.ErrOver):
		return http.StatusServiceUnavailable
	default:
		return http.StatusBadRequest
	}
}

// watchedNow responds to a form that was carried out: with the list, or by leading back to where the form was.
func (p Pages) watchedNow(w http.ResponseWriter, r *http.Request, slug string) {
	if r.Header.Get("Accept") == web.WatchedList {
		p.sendWatched(w, r, slug)
		return
	}
	back := r.PostFormValue(web.WatchBack)
	if !web.Local(back) {
		back = web.Tool(slug, web.Watched)
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// sendWatched sends the list alone.
func (p Pages) sendWatched(w http.ResponseWriter, r *http.Request, slug string) {
	p.SendJSON(w, r, web.WatchedList, p.Watches.List(p.Session(r), slug))
}

// sendRecording sends what is kept of one object.
func (p Pages) sendRecording(w http.ResponseWriter, r *http.Request, slug string) {
	path := r.URL.Query().Get(web.WatchPath)
	var text []byte
	ok := p.Watches.Recording(p.Session(r), slug, path, func(kept *timeline.Recording) {
		text = kept.Write(timeline.Origin{Cluster: slug, Path: path, Written: p.Now().UTC()})
	})
	w.Header().Set("Vary", "Accept")
	if !ok {
		http.Error(w, "This object is not watched.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", web.WatchedRecording)
	_, _ = w.Write(text) // if it fails, the reader has gone
}

// watchedObjects is the page with the list. Who sees it has looked.
func (v making) watchedObjects(problem *components.Notice) (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	session, slug := v.Session(), v.Cluster().Slug()
	m := watched.Model{Objects: v.Site().Watches.List(session, slug), Bounds: watchBounds(), Now: v.Now()}
	v.Site().Watches.Looked(session, slug, "")
	m.Frame = v.Frame().With(problem)
	return m, nil
}

func watchBounds() watched.Bounds {
	return watched.Bounds{Session: watches.MaxSession, Hours: int(watches.Lasts / time.Hour), Versions: watches.MaxVersions, Megabytes: watches.MaxBytes >> 20}
}

// remember tells the page of an object what the server recorded of the object. Who sees the page has looked.
func (v making) remember(m *objectpage.Model) {
	session, slug, path := v.Session(), v.Cluster().Slug(), v.Path.String()
	for _, w := range v.Site().Watches.List(session, slug) {
		if w.Object.Path == path {
			m.Watched = &w
		}
	}
	if m.Watched == nil {
		return
	}
	v.Site().Watches.Looked(session, slug, path)
	if m.Tab == objectpage.Timeline {
		v.Site().Watches.Recording(session, slug, path, func(kept *timeline.Recording) { m.Kept = history.KeptOf(kept) })
	}
}
