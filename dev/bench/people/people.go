// Package people measures what people cost one shared Fieldmark, and what one person can do to others.
package people

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/socket"
)

// The parts of this family.
var (
	People = lab.Of(measurePeople)
	Flood  = lab.Of(measureFlood)
)

// peopleCosts are what people cost a shared Fieldmark while nothing changes, and what signing in adds to their requests.
type peopleCosts struct {
	crowds []gathering
	added  signInCost
}

// gathering is a number of people with open pages. Each person has an own token of the API server.
type gathering struct {
	name   string
	people int
	pages  int      // of each person
	each   int      // subscriptions of a page
	args   []string // of Fieldmark, besides those of each gathering
	cost   lab.Weight
	// upkeep is what the silent watches take while nothing happens.
	upkeep upkeep
}

// gatherings differ in one thing at a time.
func gatherings(people int) []gathering {
	return []gathering{
		{name: "a page without subscriptions", people: people, pages: 1},
		{name: "a page", people: people, pages: 1, each: len(socket.Quiet)},
		{name: "16 pages", people: people / socket.Shared, pages: socket.Shared, each: len(socket.Quiet)},
		{name: "a page that shares watches", people: people, pages: 1, each: len(socket.Quiet), args: []string{"--" + lab.ShareFlag}},
	}
}

const (
	peopleNamespace = "people"
	maxPerPerson    = 150 // kB: the goal
	maxAdded        = 5   // ms that signing in may add to a request: the goal
)

// measurePeople weighs a shared Fieldmark with many people, and times what signing in adds.
func measurePeople(ctx context.Context, l *lab.Lab) (peopleCosts, error) {
	var all peopleCosts
	tokens, err := invite(ctx, l, l.Plan.Sessions)
	if err != nil {
		return all, err
	}
	unused := &unusedHouse{}
	for _, g := range gatherings(l.Plan.Sessions) {
		lab.Say(fmt.Sprintf("%d people with %s, %d subscriptions each", g.people, g.name, g.each))
		if err := weighGathering(ctx, l, &g, tokens, unused); err != nil {
			return all, fmt.Errorf("%d people with %s: %w", g.people, g.name, err)
		}
		lab.Say(fmt.Sprintf("%.1f kB of heap and %.1f kB of stacks a person", g.of(g.cost.Heap)/1000, g.of(g.cost.Stacks)/1000))
		all.crowds = append(all.crowds, g)
	}
	lab.Say("what signing in adds to a request")
	all.added, err = measureSignIn(ctx, l)
	return all, err
}

// invite makes service accounts that may read everything, and returns their tokens.
func invite(ctx context.Context, l *lab.Lab, people int) ([]string, error) {
	lab.Say(fmt.Sprintf("making %d accounts", people))
	for path, body := range map[string]string{
		"/api/v1/namespaces": `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"` + peopleNamespace + `"}}`,
		"/apis/rbac.authorization.k8s.io/v1/clusterroles": `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"people"},
			"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["get","list","watch"]}]}`,
		"/apis/rbac.authorization.k8s.io/v1/clusterrolebindings": `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"people"},
			"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"people"},
			"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"system:serviceaccounts:` + peopleNamespace + `"}]}`,
	} {
		if _, _, err := l.Bare.Do(ctx, http.MethodPost, path, strings.NewReader(body)); err != nil {
			return nil, fmt.Errorf("making accounts: %w", err)
		}
	}
	tokens, failed := make([]string, people), make([]error, people)
	var wg sync.WaitGroup
	for first := range l.Plan.Connections {
		wg.Go(func() {
			for i := first; i < people && failed[first] == nil; i += l.Plan.Connections {
				tokens[i], failed[first] = account(ctx, l, fmt.Sprint("person-", i))
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("making accounts: %w", err)
		}
	}
	return tokens, nil
}

// account makes a service account, and returns a token that is good for hours.
func account(ctx context.Context, l *lab.Lab, name string) (string, error) {
	path := "/api/v1/namespaces/" + peopleNamespace + "/serviceaccounts"
	if _, _, err := l.Bare.Do(ctx, http.MethodPost, path, strings.NewReader(`{"metadata":{"name":"`+name+`"}}`)); err != nil {
		return "", err
	}
	_, text, err := l.Bare.Do(ctx, http.MethodPost, path+"/"+name+"/token", strings.NewReader(`{"spec":{"expirationSeconds":36000}}`))
	if err != nil {
		return "", err
	}
	var request struct {
		Status struct {
			Token string `yaml:"token"`
		} `yaml:"status"`
	}
	if err := yaml.Unmarshal(text, &request); err != nil || request.Status.Token == "" {
		return "", fmt.Errorf("the token of %s can't be read: %w", name, err)
	}
	return request.Status.Token, nil
}

// unusedHouse is what a shared Fieldmark takes that nobody has used.
type unusedHouse struct {
	known  bool
	weight lab.Weight
	upkeep upkeep
}

// weighGathering weighs a new shared Fieldmark after the people of a gathering have opened their pages, less what an unused one weighs.
func weighGathering(ctx context.Context, l *lab.Lab, g *gathering, tokens []string, unused *unusedHouse) error {
	house, err := startShared(ctx, l, l.Bare.Origin, l.Bare.Authority, g.args...)
	if err != nil {
		return err
	}
	defer l.StopLast()
	pid := l.PIDOfLast()
	if !unused.known {
		if unused.weight, err = l.WeightAt(ctx, house.monitor, pid); err != nil {
			return err
		}
		unused.known, unused.upkeep = true, upkeepOf(ctx, l, pid)
	}
	before := unused.weight
	open, err := house.openPages(ctx, g, tokens)
	defer func() { open.Close() }()
	if err != nil {
		return err
	}
	after, err := l.WeightAt(ctx, house.monitor, pid)
	if err != nil {
		return err
	}
	g.cost = after.Less(before)
	if g.each > 0 {
		g.upkeep = upkeepOf(ctx, l, pid).without(unused.upkeep)
	}
	return nil
}

// house is a shared Fieldmark with its cluster.
type house struct {
	*lab.Lab
	monitor lab.Target // has the metrics
}

// startShared starts a shared Fieldmark with one cluster, whose people sign in with tokens. more are further flags.
func startShared(ctx context.Context, l *lab.Lab, server, authority string, more ...string) (*house, error) {
	address, monitor, err := twoAddresses(ctx)
	if err != nil {
		return nil, err
	}
	keys, clusters, settings := filepath.Join(l.Folder, "keys"), filepath.Join(l.Folder, "clusters"), filepath.Join(l.Folder, "settings")
	kubeconfig, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config",
		"clusters": []any{map[string]any{"name": lab.ContextName, "cluster": map[string]any{"server": server, "certificate-authority-data": authority}}},
	})
	if err != nil {
		return nil, fmt.Errorf("the file of clusters: %w", err)
	}
	for file, text := range map[string]string{
		keys: "QSBrZXkgZm9yIG9uZSBtZWFzdXJlbWVudCwgbm90aGluZyBtb3Jl", clusters: string(kubeconfig),
		settings: "quotas: {person: {requestsPerSecond: 100000, burst: 100000}}\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("starting a shared Fieldmark: %w", err)
		}
	}
	p, err := l.StartProgram(ctx, "fieldmark", append([]string{
		"--shared", "--listen", address, "--public-url", "http://" + address, "--metrics-listen", monitor, "--allow-tokens", "--drain", "0s",
		"--session-keys", keys, "--clusters", clusters, "--shared-config", settings, "--log-level", "error",
	}, more...)...)
	if err != nil {
		return nil, err
	}
	origin, err := p.Await(func(line string) (string, bool) { return strings.CutPrefix(line, "Fieldmark is ready at ") })
	if err != nil {
		return nil, err
	}
	inside := *l
	inside.Fieldmark = lab.TargetAt("the shared Fieldmark", origin, "/clusters/"+lab.ContextName, "", l.Plan.Connections)
	return &house{&inside, lab.TargetAt("its metrics", "http://"+monitor, "", "", 1)}, nil
}

// openPages opens the pages of people, and waits until each page has everything that it follows.
func (h *house) openPages(ctx context.Context, g *gathering, tokens []string) (open socket.Sockets, err error) {
	for person := range g.people {
		cookie, err := h.enter(ctx, tokens[person])
		if err != nil {
			return open, err
		}
		for range g.pages {
			s, err := socket.Dial(ctx, h.Lab, cookie)
			if err != nil {
				return open, err
			}
			open = append(open, s)
			if err := s.FollowQuiet(g.each); err != nil {
				return open, err
			}
			go s.Receive(&socket.Arrivals{At: map[string]time.Time{}})
		}
	}
	return open, nil
}

// of is a person's part of a cost.
func (g gathering) of(cost float64) float64 { return cost / float64(g.people) }

func (all peopleCosts) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "People have signed in to `bin/fieldmark --shared` with tokens of their own, and their pages follow %d collections of the practice\n"+
		"cluster's shop, which don't change. Fieldmark is weighed after %d garbage collections. Each line is a Fieldmark that was started for it.\n"+
		"Goal: at most %d kB a person with a page of %d subscriptions, heap and stacks together.\n\n"+
		"| people | each has | subscriptions a page | heap a person | stacks a person | together | resident a person | goroutines a person |\n|---|---|---|---|---|---|---|---|\n",
		len(socket.Quiet), lab.Collections, maxPerPerson, len(socket.Quiet))
	for _, g := range all.crowds {
		fmt.Fprintf(b, "| %d | %s | %d | %.1f kB | %.1f kB | **%.1f kB** | %.0f kB | %.1f |\n", g.people, g.name, g.each, g.of(g.cost.Heap)/1000,
			g.of(g.cost.Stacks)/1000, g.of(g.cost.Heap+g.cost.Stacks)/1000, g.of(g.cost.Resident)/1000, g.of(g.cost.Goroutines))
	}
	b.WriteString("\n")
	all.writeUpkeep(b)
	all.added.writeCost(b)
}
