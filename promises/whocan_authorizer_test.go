package promises

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/rbac"
)

// authorizer is the API server, as far as it decides who may do what.
type authorizer struct {
	*testing.T
	client *rest.RESTClient
	prefix string // of all names, because other tests share the cluster
	random *rand.Rand
	read   map[string]*rbac.Policy // by the lists that were read
}

func newAuthorizer(t *testing.T) authorizer {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", practiceKubeconfig(t))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return authorizer{t, client, strings.ToLower(random(t, 4)), rand.New(rand.NewPCG(seed, 0)), map[string]*rbac.Policy{}}
}

func (a authorizer) send(method, path string, body any) []byte {
	a.Helper()
	text, ok := body.([]byte)
	if !ok && body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			a.Fatal(err)
		}
	}
	got, err := a.client.Verb(method).RequestURI(path).SetHeader("Content-Type", "application/json").SetHeader("Accept", "application/json").Body(text).Do(context.Background()).Raw()
	if err != nil {
		a.Fatalf("%s %s: %v\n%s", method, path, err, got)
	}
	return got
}

// some are up to three of the words, at least one.
func (a authorizer) some(words ...string) []string {
	n := 1 + a.random.IntN(min(3, len(words)))
	chosen := slices.Clone(words)
	a.random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen[:n]
}

func (a authorizer) one(words ...string) string { return words[a.random.IntN(len(words))] }

func (a authorizer) rule() map[string]any {
	rule := map[string]any{
		"verbs":     a.some("update", "patch", "create", "delete", "deletecollection", "get", "*"),
		"apiGroups": a.some("", "apps", "*", "batch"),
		"resources": a.some("deployments", "deployments/scale", "deployments/*", "*/scale", "*/status", "configmaps", "nodes", "namespaces", "*"),
	}
	if a.random.IntN(3) == 0 {
		rule["resourceNames"] = a.some("web", "api", a.prefix+"-a", "node-1")
	}
	return rule
}

func (a authorizer) create(kind, namespace, name string, fields map[string]any) {
	a.Helper()
	list := rbac.List{Kind: kind, Namespace: namespace}.Path()
	fields["metadata"] = map[string]any{"name": name}
	a.send("POST", list, fields)
	if namespace == "" {
		a.Cleanup(func() { a.send("DELETE", list+"/"+name, nil) })
	}
}

func (a authorizer) subject() map[string]any {
	switch kind := a.one(rbac.User, rbac.Group, rbac.ServiceAccount); kind {
	case rbac.ServiceAccount:
		return map[string]any{"kind": kind, "name": a.one("web", "ci"), "namespace": a.one(a.prefix+"-a", a.prefix+"-b")}
	case rbac.User:
		return map[string]any{"kind": kind, "name": a.one(a.prefix+"-ada", a.prefix+"-ben", "system:serviceaccount:"+a.prefix+"-a:web"), "apiGroup": "rbac.authorization.k8s.io"}
	default:
		return map[string]any{"kind": kind, "name": a.one(a.prefix+"-dev", "system:serviceaccounts:"+a.prefix+"-b"), "apiGroup": "rbac.authorization.k8s.io"}
	}
}

// scatter makes roles and bindings by chance, in two namespaces and in the cluster. Some bindings are to roles that don't exist.
func (a authorizer) scatter() {
	a.Helper()
	spaces := []string{a.prefix + "-a", a.prefix + "-b"}
	for _, in := range spaces {
		a.send("POST", "/api/v1/namespaces", map[string]any{"metadata": map[string]any{"name": in}})
		a.Cleanup(func() { a.send("DELETE", "/api/v1/namespaces/"+in, nil) })
	}
	for i := range 12 {
		a.create(rbac.KindClusterRole, "", fmt.Sprintf("%s-r%d", a.prefix, i), map[string]any{"rules": []any{a.rule(), a.rule()}})
		for _, in := range spaces {
			a.create(rbac.KindRole, in, fmt.Sprintf("%s-r%d", a.prefix, i), map[string]any{"rules": []any{a.rule()}})
		}
	}
	for i := range 16 {
		role := map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": rbac.KindClusterRole, "name": fmt.Sprintf("%s-r%d", a.prefix, a.random.IntN(14))}
		if i%4 == 0 {
			a.create(rbac.KindClusterRoleBinding, "", fmt.Sprintf("%s-b%d", a.prefix, i), map[string]any{"roleRef": role, "subjects": []any{a.subject()}})
			continue
		}
		role["kind"] = a.one(rbac.KindRole, rbac.KindClusterRole)
		a.create(rbac.KindRoleBinding, a.one(spaces...), fmt.Sprintf("%s-b%d", a.prefix, i), map[string]any{"roleRef": role, "subjects": []any{a.subject(), a.subject()}})
	}
}

func (a authorizer) question() rbac.Question {
	q := rbac.Question{Verbs: []string{a.one("update", "patch", "create", "delete", "deletecollection")}, Name: a.one("web", "api", a.prefix+"-a", "node-1"), Apply: a.random.IntN(2) == 0}
	switch a.random.IntN(5) {
	case 0:
		q.Resource = a.one("nodes", "namespaces")
	case 1:
		q.Resource, q.Namespaced = "configmaps", true
	default:
		q.Group, q.Resource, q.Subresource, q.Namespaced = "apps", "deployments", a.one("", "", "scale", "status"), true
	}
	if q.Namespaced {
		q.Namespace = a.one(a.prefix+"-a", a.prefix+"-b")
	}
	return q
}

// policy has the roles and bindings for a question. They are read once, because nothing changes them after scatter.
func (a authorizer) policy(q rbac.Question) *rbac.Policy {
	a.Helper()
	lists := fmt.Sprint(q.Lists())
	if p, ok := a.read[lists]; ok {
		return p
	}
	p := &rbac.Policy{}
	a.read[lists] = p
	for _, l := range q.Lists() {
		if next, err := p.Take(l, a.send("GET", l.Path(), nil)); err != nil || next != "" {
			a.Fatal(err, next)
		}
	}
	return p
}

// TestWhoCanAgreesWithTheAuthorizer: for roles, bindings, subjects and questions made by chance, the roles and bindings that we read say the same as a
// SubjectAccessReview. A failure says the seed.
func TestWhoCanAgreesWithTheAuthorizer(t *testing.T) {
	a := newAuthorizer(t)
	a.scatter()
	const rounds = 500
	allowed := 0
	for range rounds {
		q := a.question()
		var s rbac.Subject
		as, err := json.Marshal(a.subject())
		if err == nil {
			err = json.Unmarshal(as, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		user, groups := s.Identity()
		verb := q.Verbs[0]
		body := a.send("POST", access.SubjectReviewPath, q.Attributes(verb).SubjectReview(user, groups))
		server, ok := access.ParseSubjectReview(body)
		if !ok {
			t.Fatal(string(body))
		}
		if got := a.policy(q).Who(q).Allows(verb, user, groups); got != server.Allowed {
			t.Errorf("%s for %s: %t, and the API server says %t (%s)", q, s, got, server.Allowed, server.Reason)
		}
		if server.Allowed {
			allowed++
		}
	}
	t.Logf("%d of %d requests are allowed", allowed, rounds)
	if allowed < rounds/20 || allowed > rounds*19/20 {
		t.Errorf("only %d of %d requests are allowed: the roles are too much alike to prove anything", allowed, rounds)
	}
}
