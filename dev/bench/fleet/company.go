package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// company is people in teams. Each team has a namespace, in which its people may read everything, and nobody else may. A person is a service account
// with a token of its own.
type company struct {
	people []*person
	teams  []string // namespaces
}

// teamSize is the number of people of a team.
const teamSize = 20

// changing is the number of ConfigMaps of a team that a writer changes in turn.
const changing = 5

// hire makes so many people, with their teams. Names begin with the prefix.
func hire(ctx context.Context, l *lab.Lab, prefix string, n int) (*company, error) {
	lab.Say(fmt.Sprintf("making %d people", n))
	c := &company{}
	for i := range (n + teamSize - 1) / teamSize {
		c.teams = append(c.teams, fmt.Sprintf("%s-%03d", prefix, i))
	}
	if err := each(ctx, c.teams, func(ctx context.Context, team string) error { return makeTeam(ctx, l, team) }); err != nil {
		return nil, err
	}
	for i := range n {
		c.people = append(c.people, &person{team: c.teams[i/teamSize], name: fmt.Sprintf("person-%02d", i%teamSize), jar: map[string]string{}})
	}
	return c, each(ctx, c.people, func(ctx context.Context, p *person) error { return makePerson(ctx, l, p) })
}

// each calls do for all things, eight at a time, and returns the first error.
func each[T any](ctx context.Context, all []T, do func(context.Context, T) error) error {
	const atOnce = 8
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for _, one := range all {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			if err := do(ctx, one); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}

// makeTeam makes a namespace with its ConfigMaps, and the role of its people.
func makeTeam(ctx context.Context, l *lab.Lab, team string) error {
	const api = "rbac.authorization.k8s.io"
	rbac := "/apis/" + api + "/v1/namespaces/" + team
	all := []struct{ path, body string }{
		{"/api/v1/namespaces", fmt.Sprintf(`{"metadata":{"name":%q}}`, team)},
		{rbac + "/roles", `{"metadata":{"name":"team"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["get","list","watch"]}]}`},
		{rbac + "/rolebindings", fmt.Sprintf(`{"metadata":{"name":"team"},"roleRef":{"apiGroup":%q,"kind":"Role","name":"team"},`+
			`"subjects":[{"apiGroup":%q,"kind":"Group","name":"system:serviceaccounts:%s"}]}`, api, api, team)},
	}
	for i := range changing {
		all = append(all, struct{ path, body string }{"/api/v1/namespaces/" + team + "/configmaps", configMap(i, 0)})
	}
	for _, one := range all {
		if _, _, err := l.Bare.Do(ctx, http.MethodPost, one.path, strings.NewReader(one.body)); err != nil {
			return err
		}
	}
	return nil
}

// configMap is one of a team's ConfigMaps, after so many changes.
func configMap(i, changes int) string {
	return fmt.Sprintf(`{"metadata":{"name":"changing-%d"},"data":{"changes":"%d"}}`, i, changes)
}

// makePerson makes a service account with a token.
func makePerson(ctx context.Context, l *lab.Lab, p *person) error {
	path := "/api/v1/namespaces/" + p.team + "/serviceaccounts"
	if _, _, err := l.Bare.Do(ctx, http.MethodPost, path, strings.NewReader(fmt.Sprintf(`{"metadata":{"name":%q}}`, p.name))); err != nil {
		return err
	}
	_, body, err := l.Bare.Do(ctx, http.MethodPost, path+"/"+p.name+"/token", strings.NewReader(`{"spec":{"expirationSeconds":28800}}`))
	if err != nil {
		return err
	}
	var made struct {
		Status struct {
			Token string `json:"token"`
		} `json:"status"`
	}
	if err := json.Unmarshal(body, &made); err != nil || made.Status.Token == "" {
		return fmt.Errorf("the token of %s: %w", p.name, err)
	}
	p.token = made.Status.Token
	return nil
}
