package read

import (
	"errors"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/whoami"
)

// whoami says who the reader is in a cluster and what the reader may do, and begins or ends a view as somebody else.
func (p Pages) whoami(w http.ResponseWriter, r *http.Request, slug string, tool web.Profile) {
	switch {
	case r.Method == http.MethodPost && r.PostFormValue(web.ViewAct) == web.ViewStop:
		p.stopViewing(w, r)
	case r.Method == http.MethodPost:
		p.Page(w, r, slug, apipath.Path{}, tool, maker(making.startViewing))
	default:
		p.Page(w, r, slug, apipath.Path{}, tool, maker(func(v making) (page.Page, error) {
			return v.whoAmI(whoami.Model{Query: whoami.ParseQuery(r.URL.Query())})
		}))
	}
}

// whoAmI is the page. The model has what the form had. A server that responds is worth the page, even if it lists no types: without them,
// the page has fewer links.
func (v making) whoAmI(m whoami.Model) (page.Page, error) {
	var refused int
	err := v.LoadSurroundings(func() { v.readUser(&m) }, func() { refused = v.readRules(&m) })
	if _, silent := errors.AsType[*upstream.Unreachable](err); silent && m.Unknown != nil {
		return nil, err
	}
	if v.Code == http.StatusOK {
		v.Code = refused
	}
	m.Login, m.Now = v.login(), v.Now()
	m.Frame = v.Frame().With(m.Problem)
	if m.User != nil {
		m.Shell.User = m.User.Name
	}
	return m, nil
}

// reviewBytes bounds the response to a review. The rules of somebody with thousands of bindings fit.
const reviewBytes = 8 << 20

func (v making) review(path string, body []byte) (api.Answer, error) {
	return review(v, v.Client(), path, body)
}

func review(v making, client *api.Client, path string, body []byte) (api.Answer, error) {
	return client.Do(v.Context(), api.Request{
		Method: http.MethodPost, Path: path, ContentType: "application/json", Body: body, MaxBytes: reviewBytes,
	})
}

// readUser asks the server who the reader is.
func (v making) readUser(m *whoami.Model) {
	answer, err := v.review(access.SelfPath, access.SelfReview())
	switch api.Code(err) {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		notice := components.Lacking(feature.SelfReview)
		m.Unknown = &notice
		return
	}
	if err != nil {
		_, notice := visit.Explain(err)
		m.Unknown = &notice
		return
	}
	user, ok := access.ParseSelf(answer.Body)
	if !ok {
		m.Unknown = &components.Notice{Tone: components.Bad, Title: "Fieldmark can’t read the response", Words: "The response is no SelfSubjectReview."}
		return
	}
	m.User = &user
}

// readRules asks the server what the reader may do. It returns the status code for the page.
func (v making) readRules(m *whoami.Model) int {
	answer, err := v.review(access.RulesReviewPath, access.RulesReview(m.Query.Namespace))
	if err != nil {
		code, notice := visit.Explain(err)
		m.Problem = &notice
		return code
	}
	rules, ok := access.ParseRules(answer.Body)
	if !ok {
		m.Problem = &components.Notice{Tone: components.Bad, Title: "Fieldmark can’t read the response", Words: "The response is no SelfSubjectRulesReview."}
		return http.StatusBadGateway
	}
	m.Rules = whoami.RulesOf(rules, m.Query)
	return http.StatusOK
}

func (p Pages) stopViewing(w http.ResponseWriter, r *http.Request) {
	if err := p.KeepView(w, r, identity.View{}); err != nil {
		http.Error(w, components.Sentence(err.Error()), http.StatusBadRequest)
		return
	}
	visit.GoBack(w, r, r.PostFormValue(web.ViewBack))
}

// startViewing tries whether the API server impersonates the user of the form, and then begins the view.
func (v making) startViewing() (page.Page, error) {
	r := v.Request()
	m := whoami.Model{Query: whoami.ParseQuery(r.URL.Query()), Asked: whoami.Asked{User: r.PostFormValue(web.ViewUser), Groups: r.PostFormValue(web.ViewGroups)}}
	wanted := identity.View{Cluster: v.Cluster().Slug(), As: impersonation(m.Asked)}
	v.Code = v.tryView(&m, wanted)
	if m.Refuse == nil {
		if err := v.KeepView(wanted); err != nil {
			v.Code, m.Refuse = http.StatusBadRequest, &components.Notice{Tone: components.Warn, Title: "This view isn’t possible", Words: components.Sentence(err.Error())}
		}
	}
	if m.Refuse != nil {
		return v.whoAmI(m)
	}
	return nil, visit.Elsewhere(visit.Local(r.PostFormValue(web.ViewBack)))
}

// tryView asks the server who the reader is as the other user. If the server refuses, the model says which rule is missing.
func (v making) tryView(m *whoami.Model, wanted identity.View) int {
	if wanted.As.Nobody() {
		return http.StatusBadRequest // setView says why
	}
	client, err := v.ClientAs(wanted.As)
	if err == nil {
		_, err = review(v, client, access.SelfPath, access.SelfReview())
	}
	code := api.Code(err)
	if err == nil || code == http.StatusNotFound {
		return http.StatusOK // an old server can impersonate, but doesn't say whom
	}
	status, notice := visit.Explain(err)
	m.Refuse = &notice
	if access.NotImpersonated(api.StatusOf(err)) {
		m.Missing = access.ToImpersonate(wanted.As.User, wanted.As.Groups)
		notice.Title, notice.Tone = "The API server doesn’t let you act as this user", components.Warn
		notice.Words = "You don’t have the permission to impersonate this user, or one of these groups."
		notice.Advice = "Ask an administrator of the cluster for the rules below, or choose somebody else."
	}
	return status
}

// impersonation is whom a form names. Commas and line breaks separate groups.
func impersonation(asked whoami.Asked) (as identity.Impersonation) {
	as.User = strings.TrimSpace(asked.User)
	for group := range strings.FieldsFuncSeq(asked.Groups, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if group = strings.TrimSpace(group); group != "" {
			as.Groups = append(as.Groups, group)
		}
	}
	return as
}
