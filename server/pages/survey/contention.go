package survey

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	scans "github.com/fieldmark/fieldmark/server/contention"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/contention"
)

// contention shows the session's scan of a cluster, and starts or stops it. Both change only the state of this
// server. A scan sends its requests on behalf of the session.
func (p Pages) contention(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	_, known := p.ClustersOf(r).Get(slug)
	switch {
	case known && r.Header.Get("Accept") == contention.MediaType:
		p.scan(w, r, slug)
	case known && r.Method == http.MethodPost && r.PostFormValue(contention.FieldAct) == contention.Stop:
		p.Scans.Stop(p.Session(r), slug)
		http.Redirect(w, r, web.Tool(slug, web.Contention), http.StatusSeeOther)
	default:
		p.Page(w, r, slug, apipath.Path{}, tool, maker(making.contention))
	}
}

// scan sends the scan alone; null where there is none.
func (p Pages) scan(w http.ResponseWriter, r *http.Request, slug string) {
	var body any
	if run, ok := p.Scans.Show(p.Session(r), slug); ok {
		body = run
	}
	p.SendJSON(w, r, contention.MediaType, body)
}

// contention is the page of the scan; a POST starts it first.
func (v making) contention() (page.Page, error) {
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	m := contention.Model{Form: v.wanted()}
	if v.Request().Method == http.MethodPost {
		err := v.start(m.Form, v.Catalog())
		if err == nil {
			return nil, visit.Elsewhere(web.Tool(v.Cluster().Slug(), web.Contention))
		}
		v.Code, m.Problem = unstarted(err, "The scan didn’t start")
	}
	if run, ok := v.Site().Scans.Show(v.Session(), v.Cluster().Slug()); ok {
		m.Run = &run
		if v.Code == http.StatusOK && v.Request().URL.RawQuery == "" {
			m.Form = contention.Form{Types: run.Types, Namespace: run.Namespace, Seconds: int(run.Lasts.Seconds())}
		}
	}
	m.Frame = v.Frame().With(m.Problem)
	return m, nil
}

// wanted is the form. Its values may also be in the URL, if another page links here.
func (v making) wanted() contention.Form {
	get := v.Request().URL.Query().Get
	if v.Request().Method == http.MethodPost {
		get = v.Request().PostFormValue
	}
	f := contention.Form{
		Types:     strings.TrimSpace(get(contention.FieldTypes)),
		Namespace: strings.TrimSpace(get(contention.FieldNamespace)),
		Seconds:   contention.Usual,
	}
	if n, err := strconv.Atoi(get(contention.FieldSeconds)); err == nil && slices.Contains(contention.Lengths, n) {
		f.Seconds = n
	}
	return f
}

func (v making) start(f contention.Form, catalog discovery.Catalog) error {
	if f.Namespace != "" && !isName(f.Namespace) {
		return badForm{fmt.Sprintf("%q is not a valid name of a namespace", f.Namespace)}
	}
	types, err := chosen(catalog, f)
	if err != nil {
		return err
	}
	return v.Site().Scans.Start(v.Session(), v.Cluster().Slug(), scans.Plan{
		Types: types, Named: f.Types, Namespace: f.Namespace, Lasts: time.Duration(f.Seconds) * time.Second, Served: catalog.Serves,
	})
}

// isName tells whether a namespace can be called so.
func isName(s string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return len(s) <= 63
}

// badForm is an error in the form's values.
type badForm struct{ words string }

func (b badForm) Error() string { return b.words }

// chosen are the types that the form names, or all that can be listed and watched.
func chosen(catalog discovery.Catalog, f contention.Form) ([]discovery.Type, error) {
	fits := func(t discovery.Type) bool {
		return t.Listable() && t.Watchable() && (t.Namespaced || f.Namespace == "")
	}
	words := strings.FieldsFunc(f.Types, func(c rune) bool { return c == ',' || c == ' ' || c == ';' })
	if len(words) == 0 {
		return slices.DeleteFunc(catalog.Listable(), func(t discovery.Type) bool { return !fits(t) }), nil
	}
	var all []discovery.Type
	for _, word := range words {
		found := slices.DeleteFunc(catalog.Find(word), func(t discovery.Type) bool { return !fits(t) })
		if len(found) == 0 {
			return nil, badForm{fmt.Sprintf("no resource type %q can be listed and watched here", word)}
		}
		for _, t := range found {
			if !slices.ContainsFunc(all, func(o discovery.Type) bool { return o.Group == t.Group && o.Resource == t.Resource }) {
				all = append(all, t)
			}
		}
	}
	return all, nil
}

// unstarted tells why a scan or a census did not begin.
func unstarted(err error, title string) (int, *components.Notice) {
	n := &components.Notice{Tone: components.Warn, Title: title, Words: components.Sentence(err.Error())}
	switch {
	case errors.Is(err, errand.ErrRuns), errors.Is(err, errand.ErrBusy), errors.Is(err, errand.ErrPerson):
		return http.StatusConflict, n
	case errors.Is(err, errand.ErrFull), errors.Is(err, errand.ErrOver):
		return http.StatusServiceUnavailable, n
	default:
		return http.StatusBadRequest, n
	}
}
