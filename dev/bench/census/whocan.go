package census

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// whoCan is what it takes to say who can change something where there are many bindings, in milliseconds.
type whoCan struct {
	verb, unasked, page []float64
}

const (
	bindings      = 5000
	rolesOfSpace  = 50
	bindingsSpace = "bench-bindings"
	whoCanPage    = "/c/" + lab.ContextName + "/-/who-can?path=/apis/apps/v1/namespaces/" + bindingsSpace + "/deployments"
	whoCanRounds  = 9
)

// measureWho makes many bindings in a namespace, half of which let somebody change Deployments, and asks who can.
func measureWho(ctx context.Context, l *lab.Lab, r *results) error {
	if err := makeBindings(ctx, l); err != nil {
		return err
	}
	ask := []string{"fieldmark", "who-can", "change", "deployments", "-n", bindingsSpace, "-o", "json"}
	for round := range whoCanRounds + 1 {
		asked, _, err := l.Once(ctx, ask...)
		if err != nil {
			return err
		}
		unasked, _, err := l.Once(ctx, append(ask, "--ask-server=false")...)
		if err != nil {
			return err
		}
		begun := time.Now()
		if _, _, err := l.Fieldmark.Send(ctx, http.MethodGet, whoCanPage, nil, false); err != nil {
			return err
		}
		if round > 0 { // the first one fills caches
			r.who.verb, r.who.unasked, r.who.page = append(r.who.verb, asked), append(r.who.unasked, unasked), append(r.who.page, figures.MS(time.Since(begun)))
		}
	}
	return nil
}

// makeBindings makes roles in a namespace, and bindings of them to accounts.
func makeBindings(ctx context.Context, l *lab.Lab) error {
	lab.Say(fmt.Sprintf("making %d bindings", bindings))
	if err := l.MakeNamespace(ctx, bindingsSpace); err != nil {
		return err
	}
	const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + bindingsSpace
	for n := range rolesOfSpace {
		verb := []string{"patch", "get"}[n%2]
		if err := l.Create(ctx, path+"/roles", fmt.Sprintf(`{"metadata":{"name":"role-%d"},"rules":[{"apiGroups":["apps"],"resources":["deployments","statefulsets"],"verbs":[%q]}]}`, n, verb)); err != nil {
			return err
		}
	}
	var all []int
	for n := range bindings {
		all = append(all, n)
	}
	return lab.Each(ctx, all, func(ctx context.Context, n int) error {
		return l.Create(ctx, path+"/rolebindings", fmt.Sprintf(`{"metadata":{"name":"binding-%d"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"role-%d"},`+
			`"subjects":[{"kind":"ServiceAccount","name":"account-%d","namespace":%q}]}`, n, n%rolesOfSpace, n, bindingsSpace))
	})
}

func (w whoCan) write(b *strings.Builder) {
	fmt.Fprintf(b, "Who can change Deployments in a namespace with %d bindings; milliseconds, medians of %d times with the range beside them, discovery cached.\n\n| | time | goal |\n|---|---|---|\n", bindings, len(w.verb))
	fmt.Fprintf(b, "| `fieldmark who-can change deployments`, from start to end | %s | ≤ 1,000 |\n", figures.Spread("%.0f", w.verb))
	fmt.Fprintf(b, "| — without SubjectAccessReviews (`--ask-server=false`) | %s | |\n", figures.Spread("%.0f", w.unasked))
	fmt.Fprintf(b, "| the page, whole | %s | ≤ 1,000 |\n", figures.Spread("%.0f", w.page))
}
