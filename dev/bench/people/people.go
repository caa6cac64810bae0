// Package people measures what people cost one shared Fieldmark, and what one person can do to others.
package people

import (
	"context"
	"fmt"
	"net/url"
	"strings"

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
	if err := l.MakeNamespace(ctx, peopleNamespace); err != nil {
		return nil, err
	}
	const api = "rbac.authorization.k8s.io"
	if err := l.Create(ctx, "/apis/"+api+"/v1/clusterroles", `{"metadata":{"name":"people"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["get","list","watch"]}]}`); err != nil {
		return nil, err
	}
	if err := l.Create(ctx, "/apis/"+api+"/v1/clusterrolebindings", fmt.Sprintf(`{"metadata":{"name":"people"},"roleRef":{"apiGroup":%q,"kind":"ClusterRole","name":"people"},`+
		`"subjects":[{"apiGroup":%q,"kind":"Group","name":"system:serviceaccounts:%s"}]}`, api, api, peopleNamespace)); err != nil {
		return nil, err
	}
	tokens, numbers := make([]string, people), make([]int, people)
	for i := range numbers {
		numbers[i] = i
	}
	return tokens, lab.Each(ctx, numbers, func(ctx context.Context, i int) (err error) {
		tokens[i], err = l.MakeAccount(ctx, peopleNamespace, fmt.Sprint("person-", i))
		return err
	})
}

// unusedHouse is what a shared Fieldmark takes that nobody has used.
type unusedHouse struct {
	known  bool
	weight lab.Weight
	upkeep upkeep
}

// weighGathering weighs a new shared Fieldmark after the people of a gathering have opened their pages, less what an unused one weighs.
func weighGathering(ctx context.Context, l *lab.Lab, g *gathering, tokens []string, unused *unusedHouse) error {
	house, err := openHouse(ctx, l, l.Bare.Origin, l.Bare.Authority, g.args...)
	if err != nil {
		return err
	}
	defer l.StopLast()
	if !unused.known {
		if unused.weight, err = lab.Weigh(ctx, house.Monitor, house.PID()); err != nil {
			return err
		}
		unused.known, unused.upkeep = true, upkeepOf(ctx, l, house.PID())
	}
	open, err := socket.OpenQuiet(ctx, house.Fieldmark, g.people, g.pages, g.each,
		func(i int) url.Values { return lab.SharedForm(tokens[i]) })
	defer func() { open.Close() }()
	if err != nil {
		return err
	}
	after, err := lab.Weigh(ctx, house.Monitor, house.PID())
	if err != nil {
		return err
	}
	g.cost = after.Less(unused.weight)
	if g.each > 0 {
		g.upkeep = upkeepOf(ctx, l, house.PID()).without(unused.upkeep)
	}
	return nil
}

// openHouse starts a shared Fieldmark with one cluster. Nobody reaches a limit there. args are further flags.
func openHouse(ctx context.Context, l *lab.Lab, server, authority string, args ...string) (*lab.Shared, error) {
	clusters, err := l.WriteClusters(server, authority, lab.ContextName)
	if err != nil {
		return nil, err
	}
	most := map[string]int{"requestsPerSecond": 100_000, "burst": 100_000}
	settings, err := l.WriteYAML("settings", map[string]any{"quotas": map[string]any{"person": most}})
	if err != nil {
		return nil, err
	}
	return l.StartShared(ctx, clusters, "", append([]string{"--shared-config", settings}, args...)...)
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
