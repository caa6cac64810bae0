package whocan

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/rbac"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// result is the answer of one cluster.
type result struct {
	rbac.Answer
	context   string
	field     string // its path; empty: none was asked for
	owners    []owner
	decisions map[rbac.Subject]decision
	unasked   string // why the API server's decisions are missing, for all or some subjects; empty: they aren't
	workloads map[rbac.Subject][]string
}

// owner is an owner of the field, with the subjects that it could be.
type owner struct {
	manager.Owner
	could []rbac.Likely
}

// decision is what the API server says about a subject: the verbs that it allows, and those that it doesn't allow although a rule does.
type decision struct {
	otherwise []string
	reason    string
}

// findings tells whether something in the answer must be doubted.
func (r result) findings() bool {
	return len(r.Unread) > 0 || slices.ContainsFunc(r.Holders(), func(h rbac.Holder) bool { return len(r.decisions[h.Subject].otherwise) > 0 })
}

// asking asks one cluster.
type asking struct {
	options
	ctx      context.Context
	cluster  *ask.Cluster
	requests *ask.Requests
}

func (o options) ofCluster(ctx context.Context, cluster *ask.Cluster, a asked) (result, error) {
	requests, err := cluster.Requests()
	if err != nil {
		return result{}, err
	}
	by := asking{o, ctx, cluster, requests}
	t, err := by.find(a)
	if err != nil {
		return result{}, err
	}
	q := rbac.Question{Verbs: a.verbs, Apply: a.apply, Group: t.Group, Resource: t.Resource, Subresource: o.subresource, Namespaced: t.Namespaced, Name: a.name}
	if t.Namespaced && !o.everywhere {
		if q.Namespace, _, err = cluster.Namespace(); err != nil {
			return result{}, err
		}
	}
	r := result{context: cluster.Context()}
	r.Answer = by.policy(q).Who(q)
	if o.field != "" {
		if err := by.readOwners(&r, t); err != nil {
			return result{}, err
		}
	}
	if o.ask {
		by.compare(&r)
	}
	if o.workloads {
		by.readWorkloads(&r)
	}
	return r, nil
}

// find finds the type that a word means.
func (by asking) find(a asked) (discovery.Type, error) {
	catalog, err := by.cluster.Catalog()
	if err != nil {
		return discovery.Type{}, err
	}
	found := catalog.Find(a.kind)
	if len(found) == 0 {
		var names []string
		for _, t := range catalog.Preferred() {
			names = append(names, t.Resource)
		}
		return discovery.Type{}, fmt.Errorf("the cluster doesn’t serve a type %q.%s", a.kind, typed.DidYouMean(a.kind, names))
	}
	t := found[0]
	if _, has := t.Subresource(by.subresource); by.subresource != "" && !has && len(t.Subresources) > 0 {
		return t, fmt.Errorf("%s have no subresource %q; they have %s", t.FullName(), by.subresource, t.Parts())
	}
	return t, nil
}

// get makes a request. why says why there is no body.
func (by asking) get(target, as string) (body []byte, why string) {
	body, no := by.requests.Get(by.ctx, target, as)
	if no != nil {
		return nil, cmp.Or(no.Message, no.String())
	}
	return body, ""
}

// policy reads the roles and bindings that matter for a question, each kind at the same time.
func (by asking) policy(q rbac.Question) *rbac.Policy {
	lists := q.Lists()
	parts := make([]*rbac.Policy, len(lists))
	var wg sync.WaitGroup
	for i, l := range lists {
		wg.Go(func() {
			parts[i] = rbac.Read(l, func(target string) ([]byte, string) { return by.get(target, "application/json") })
		})
	}
	wg.Wait()
	return rbac.Join(parts...)
}

// readOwners finds the owners of the field.
func (by asking) readOwners(r *result, t discovery.Type) error {
	return by.cluster.Objects(by.ctx, ask.Which{}, nil, []string{t.Resource + "." + t.Version + "." + t.Group + "/" + r.Question.Name}, func(one object.Object) error {
		kind := schema.FromAPIVersionAndKind(one.APIVersion(), one.Kind())
		s, found, err := by.cluster.Schema(kind)
		known := &s
		if err != nil || !found {
			known = nil
		}
		path, owners, err := blame.FieldOwners(one, known, by.field)
		if err != nil {
			return err
		}
		r.field = path
		for _, o := range owners {
			r.owners = append(r.owners, owner{o, r.Candidates(o.Name)})
		}
		return nil
	})
}

// Bounds of the SubjectAccessReviews of one question.
const (
	mostReviews   = 100
	reviewsAtOnce = 4
)

// compare asks the API server about the subjects that were found.
func (by asking) compare(r *result) {
	var all []reviewed
	for _, h := range r.Holders() {
		for _, review := range r.Reviews(h) {
			all = append(all, reviewed{subject: h.Subject, review: review})
		}
	}
	if len(all) > mostReviews {
		all = all[:mostReviews]
		r.unasked = fmt.Sprintf("Fieldmark asked the API server about the first subjects only, with %d SubjectAccessReviews.", mostReviews)
	}
	send := func(at int) { all[at].answer, all[at].no = by.review(all[at].review) }
	var group errgroup.Group
	group.SetLimit(reviewsAtOnce)
	for at := range all {
		if at == 0 {
			send(at) // who may not ask isn't refused a hundred times
		} else if all[0].no == nil {
			group.Go(func() error {
				send(at)
				return nil
			})
		}
	}
	_ = group.Wait() // no function returns an error
	r.decide(all)
}

// reviewed is a review with its response.
type reviewed struct {
	subject rbac.Subject
	review  rbac.Review
	answer  access.Answer
	no      *status.Status
}

// decide takes the responses up to the first one that is missing.
func (r *result) decide(all []reviewed) {
	r.decisions = map[rbac.Subject]decision{}
	for _, a := range all {
		if a.no != nil {
			r.unasked = "The API server’s own decisions are missing: " + strings.TrimSuffix(cmp.Or(a.no.Message, a.no.String()), ".") + "."
			return
		}
		d := r.decisions[a.subject]
		if !a.answer.Allowed {
			d.otherwise, d.reason = append(d.otherwise, a.review.Verb), cmp.Or(a.answer.Reason, a.answer.Error)
		}
		r.decisions[a.subject] = d
	}
}

func (by asking) review(of rbac.Review) (access.Answer, *status.Status) {
	path, query, _ := strings.Cut(access.SubjectReviewPath, "?")
	p, _ := apipath.Parse(path) // a constant
	values, _ := url.ParseQuery(query)
	body, no := by.requests.Send(by.ctx, inquiry.Ask{Path: p, Query: values, Accept: "application/json", Method: http.MethodPost, ContentType: "application/json", Body: of.Body()})
	if no != nil {
		return access.Answer{}, no
	}
	answer, ok := access.ParseSubjectReview(body)
	if !ok {
		return answer, &status.Status{Message: "the response is no SubjectAccessReview"}
	}
	return answer, nil
}

// Bounds of the search for workloads.
const (
	mostAccounts = 30
	mostPods     = "50"
)

// readWorkloads lists the pods of the service accounts, and names what owns them.
func (by asking) readWorkloads(r *result) {
	r.workloads = map[rbac.Subject][]string{}
	for _, h := range r.Holders() {
		namespace, name, ok := h.Subject.Account()
		if !ok || len(r.workloads) >= mostAccounts {
			continue
		}
		query := url.Values{"fieldSelector": {"spec.serviceAccountName=" + name}, "limit": {mostPods}}
		body, why := by.get(apipath.Collection("", "v1", namespace, "pods").String()+"?"+query.Encode(), accept.MetadataList)
		if why != "" {
			r.workloads[h.Subject] = []string{"its pods couldn’t be read: " + why}
			continue
		}
		r.workloads[h.Subject] = workloadsOf(body)
	}
}

// workloadsOf names the owners of pods, and pods without an owner.
func workloadsOf(body []byte) []string {
	var list struct {
		Items []struct {
			Metadata struct {
				Name            string
				OwnerReferences []struct{ Kind, Name string }
			}
		}
	}
	if json.Unmarshal(body, &list) != nil {
		return []string{"its pods couldn’t be read: the response is no list"}
	}
	all := []string{}
	for _, i := range list.Items {
		of := "Pod " + i.Metadata.Name
		if owners := i.Metadata.OwnerReferences; len(owners) > 0 {
			of = owners[0].Kind + " " + owners[0].Name
		}
		if !slices.Contains(all, of) {
			all = append(all, of)
		}
	}
	return all
}
