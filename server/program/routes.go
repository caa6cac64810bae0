package program

import (
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/static"
	"github.com/fieldmark/fieldmark/web"
)

// routing has the handlers for the router.
type routing struct {
	pages  *pages.Pages
	assets *static.Assets
	proxy  http.Handler
	relay  http.Handler
	// assistants speaks the Model Context Protocol.
	assistants http.Handler
	session    func(*http.Request) string // empty: the request has none
	metrics    *metrics                   // nil: they have no address here
	ready      func() (ok bool, words string)
	dev        bool // pages for people who work on Fieldmark
}

// router maps the addresses that package web lists to their handlers. Only this file knows echo.
func router(to routing) http.Handler {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) { notFound(to, err, c) }
	e.Use(to.known)
	read := []string{http.MethodGet, http.MethodHead}

	e.Match(read, web.Home, wrapHandler(to.pages.Home))
	e.Match(read, web.PageRoot+":cluster", onCluster(to.pages.Cluster))
	e.Match(read, web.PageRoot+":cluster/*", onCluster(to.pages.Cluster))
	e.Match(read, web.PageRoot+":cluster/-/"+web.Find, onCluster(to.pages.Find))
	e.Match(read, web.PageRoot+":cluster/-/"+web.KindSchema, onCluster(to.pages.KindSchema))
	e.Match(read, web.PageRoot+":cluster/-/"+web.Archive, onCluster(to.pages.Archive))
	for _, t := range web.Tools() {
		methods := read
		if t.Acts {
			methods = append([]string{http.MethodPost}, read...)
		}
		e.Match(methods, web.PageRoot+":cluster/-/"+t.Tool(), onCluster(to.pages.Tool(t)))
	}
	e.Match(read, web.Learn, wrapHandler(to.pages.Learn))
	e.Match(read, web.Glossary, wrapHandler(to.pages.Glossary))
	e.Match(read, web.Print, wrapHandler(to.pages.Handout))
	e.Match(read, web.Cases, wrapHandler(to.pages.Cases))
	e.Match(append([]string{http.MethodPost}, read...), web.Cases+"/:case", withParameter("case", to.pages.Case))
	e.Match(append([]string{http.MethodPost}, read...), web.Exam, wrapHandler(to.pages.Exam))
	e.Match(read, web.Learn+"/:lesson", withParameter("lesson", to.pages.Lesson))
	e.Match(append([]string{http.MethodPost}, read...), web.Learn+"/:lesson/task", withParameter("lesson", to.pages.Task))
	e.Match(read, web.Search, wrapHandler(to.pages.Search))
	e.Match(read, web.Contexts, wrapHandler(to.pages.Contexts))
	e.Match(append([]string{http.MethodPatch}, read...), web.Progress, wrapHandler(to.pages.Progress))
	e.POST(web.Theme, wrapHandler(to.pages.Theme))
	e.POST(web.Favorites, wrapHandler(to.pages.Favourite))
	if to.dev {
		e.Match(read, web.Gallery, wrapHandler(to.pages.Gallery))
	}

	e.Any(web.APIRoot+"*", echo.WrapHandler(to.proxy))
	e.Match(read, web.Socket, echo.WrapHandler(to.relay))
	e.Any(web.Assistants, echo.WrapHandler(to.assistants))

	e.Any(web.Static+"*", echo.WrapHandler(to.assets))
	e.Match(read, web.Healthz, wrapHandler(func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") }))
	e.Match(read, web.Readyz, wrapHandler(func(w http.ResponseWriter, _ *http.Request) { readiness(w, to.ready) }))
	if to.metrics != nil {
		e.Match(read, web.Metrics, echo.WrapHandler(to.metrics.handler()))
	}
	return e
}

// needsNoSession tells whether a route needs no session, because it says nothing about a cluster.
func needsNoSession(route string) bool {
	switch route {
	case web.Static + "*", web.Healthz, web.Readyz, web.Metrics:
		return true
	}
	return false
}

// known requires a session on every other route, and for unknown paths. The guard requires it already. This second check protects
// against paths that the guard and the router read differently.
func (to routing) known(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !needsNoSession(c.Path()) && to.session(c.Request()) == "" {
			answer(c.Response(), http.StatusUnauthorized, "You are not signed in.")
			return nil
		}
		return next(c)
	}
}

func wrapHandler(h http.HandlerFunc) echo.HandlerFunc { return echo.WrapHandler(h) }

// onCluster hands the cluster's slug to the handler.
func onCluster(h func(http.ResponseWriter, *http.Request, string)) echo.HandlerFunc {
	return withParameter("cluster", h)
}

// withParameter passes a parameter of the path to the handler: a cluster's slug, or a lesson's id. Both have only characters that need no
// escaping.
func withParameter(what string, h func(http.ResponseWriter, *http.Request, string)) echo.HandlerFunc {
	return func(c echo.Context) error {
		h(c.Response(), c.Request(), c.Param(what))
		return nil
	}
}

// notFound responds to requests that match no route, with a page of Fieldmark. Handlers return no errors.
func notFound(to routing, err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	if he, ok := err.(*echo.HTTPError); ok && he.Code == http.StatusMethodNotAllowed { //nolint:errorlint // echo's router returns it bare
		answer(c.Response(), http.StatusMethodNotAllowed, "This address accepts only GET and HEAD.")
		return
	}
	to.pages.NotFound(c.Response(), c.Request())
}

func readiness(w http.ResponseWriter, ready func() (bool, string)) {
	ok, words := ready()
	if !ok {
		answer(w, http.StatusServiceUnavailable, words)
		return
	}
	answer(w, http.StatusOK, words)
}

func answer(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, words+"\n")
}
