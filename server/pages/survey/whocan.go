package survey

import (
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/rbac"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/whocan"
)

// Bounds of the requests of the page.
const (
	rbacBytes   = 32 << 20 // of one chunk of roles or bindings
	mostReviews = 24       // SubjectAccessReviews
	reviewsAt   = 4        // at the same time
)

// whoCan is the page that says who could change a type or an object. It reads roles and bindings on behalf of the session.
func (v making) whoCan() (page.Page, error) {
	var m whocan.Model
	m.Query, m.Target, m.Problem = whocan.ParseQuery(v.Request().URL.Query())
	if err := v.LoadSurroundings(); err != nil {
		return nil, err
	}
	if m.Target.Known() {
		m = v.answered(m)
	}
	m.Frame = v.Frame().With(m.Problem)
	m.Shell.Path.Namespace = m.Target.Path.Namespace
	return m, nil
}

// answered is the page with its answer.
func (v making) answered(m whocan.Model) whocan.Model {
	p := m.Target.Path
	t, known := v.Catalog().Type(p.Group, p.Version, p.Resource)
	if !known {
		v.Code, m.Problem = http.StatusNotFound, &components.Notice{
			Tone: components.Warn, Title: "This resource type doesn’t exist", Words: "The API server serves no " + (discovery.Type{Group: p.Group, Resource: p.Resource}).FullName() + ". The answer below is by the name alone.",
		}
		t.Namespaced = p.Namespace != ""
	}
	for _, s := range t.Subresources {
		m.Choices = append(m.Choices, s.Name)
	}
	q := m.Query.Question(m.Target, t.Namespaced)
	answer := v.policy(q).Who(q)
	m = m.Take(answer)
	v.askServer(&m, answer)
	return m
}

// policy reads the roles and bindings that matter for a question, each kind at the same time.
func (v making) policy(q rbac.Question) *rbac.Policy {
	lists := q.Lists()
	parts := make([]*rbac.Policy, len(lists))
	var wg rescue.Group
	for i, l := range lists {
		wg.Go(func() {
			parts[i] = rbac.Read(l, func(target string) ([]byte, string) {
				answer, err := v.Client().Do(v.Context(), api.Request{Path: target, Accept: "application/json", MaxBytes: rbacBytes})
				if err != nil {
					return nil, err.Error()
				}
				return answer.Body, ""
			})
		})
	}
	wg.Wait()
	return rbac.Join(slices.DeleteFunc(parts, func(p *rbac.Policy) bool { return p == nil })...)
}

// askServer asks the API server about the first of the subjects that the page shows. If it refuses the first review, it gets no other.
func (v making) askServer(m *whocan.Model, a rbac.Answer) {
	var reviews []rbac.Review
	for _, part := range m.Parts {
		for _, h := range part.Holders {
			reviews = append(reviews, a.Reviews(h)...)
		}
	}
	if len(reviews) > mostReviews {
		reviews = reviews[:mostReviews]
		m.Unasked = "Fieldmark asked the API server for its own decision about the first subjects only."
	}
	if len(reviews) == 0 {
		return
	}
	denied := make([]bool, len(reviews))
	var why string
	if denied[0], why = v.denied(reviews[0]); why != "" {
		m.Unasked = why
		return
	}
	var wg rescue.Group
	for at := range reviewsAt {
		wg.Go(func() {
			for i := 1 + at; i < len(reviews); i += reviewsAt {
				denied[i], _ = v.denied(reviews[i])
			}
		})
	}
	wg.Wait()
	for i, r := range reviews {
		if denied[i] {
			m.Asked = append(m.Asked, whocan.Disagrees{Subject: r.Subject, Verbs: []string{r.Verb}})
		}
	}
}

// denied tells whether the API server denies what roles and bindings allow. why says why it isn't known.
func (v making) denied(r rbac.Review) (denied bool, why string) {
	answer, err := v.Client().Do(v.Context(), api.Request{Method: http.MethodPost, Path: access.SubjectReviewPath, ContentType: "application/json", Body: r.Body()})
	if err != nil {
		_, notice := visit.Explain(err)
		return false, "The API server’s own decisions are missing, because Fieldmark couldn’t create a SubjectAccessReview. " + notice.Title + "."
	}
	review, ok := access.ParseSubjectReview(answer.Body)
	return ok && !review.Allowed, ""
}
