package fleet

import (
	"context"
	"fmt"

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
	if err := lab.Each(ctx, c.teams, func(ctx context.Context, team string) error { return makeTeam(ctx, l, team) }); err != nil {
		return nil, err
	}
	for i := range n {
		c.people = append(c.people, &person{team: c.teams[i/teamSize], name: fmt.Sprintf("person-%02d", i%teamSize), jar: map[string]string{}})
	}
	return c, lab.Each(ctx, c.people, func(ctx context.Context, p *person) (err error) {
		p.token, err = l.MakeAccount(ctx, p.team, p.name)
		return err
	})
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
		if err := l.Create(ctx, one.path, one.body); err != nil {
			return err
		}
	}
	return nil
}

// configMap is one of a team's ConfigMaps, after so many changes.
func configMap(i, changes int) string {
	return fmt.Sprintf(`{"metadata":{"name":"changing-%d"},"data":{"changes":"%d"}}`, i, changes)
}
