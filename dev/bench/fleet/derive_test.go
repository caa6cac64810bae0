package fleet

import (
	"math"
	"testing"

	"github.com/fieldmark/fieldmark/dev/bench/scale"
)

// truth are costs that the readings of a study are made from.
var truth = scale.Costs{
	Replica: scale.Cost{ReplicaMemory: 1e6, APIMemory: 1e8}, ReplicaSecond: scale.Cost{ReplicaCPU: 0.01, APICPU: 0.02, APIRequests: 1},
	SignIn: scale.Cost{ReplicaCPU: 0.001, ReplicaMemory: 100, APICPU: 0.002, APIRequests: 1}, FirstPage: scale.Cost{ReplicaCPU: 0.003, ReplicaMemory: 2000, APICPU: 0.004, APIRequests: 3},
	Page: scale.Cost{ReplicaCPU: 0.005, APICPU: 0.006, APIRequests: 2}, Socket: scale.Cost{ReplicaCPU: 0.0005, ReplicaMemory: 4000},
	SocketSecond: scale.Cost{ReplicaCPU: 0.00001}, Watch: scale.Cost{ReplicaCPU: 0.0002, ReplicaMemory: 3000, APICPU: 0.0003, APIMemory: 5000, APIRequests: 1},
	Reopening: scale.Cost{ReplicaCPU: 0.0008, APICPU: 0.0009, APIRequests: 1}, Tab: scale.Cost{ReplicaMemory: 700}, Event: scale.Cost{ReplicaCPU: 0.0001, APICPU: 0.00005},
	Write: scale.Cost{APICPU: 0.002}, Check: scale.Cost{ReplicaCPU: 0.0006, APICPU: 0.0017, APIRequests: 1}, Shared: scale.Cost{ReplicaMemory: 800},
	Cluster: scale.Cost{ReplicaMemory: 60}, ClusterPerson: scale.Cost{ReplicaMemory: 10}, Other: 3e7,
}

const readFor = 100 // seconds of each reading

// made is a reading of a replica that has this in memory, and for which so much was done beside what each second costs.
func made(memory, done scale.Cost) reading {
	all := done.Plus(truth.ReplicaSecond.Times(readFor))
	use := machineUse{cpu: all.ReplicaCPU, heap: memory.ReplicaMemory * 0.75, stacks: memory.ReplicaMemory * 0.25}
	use.resident = use.inUse() + scale.Garbage(use.inUse()) + truth.Other
	return reading{seconds: readFor, replicas: []machineUse{use}, apiServer: machineUse{cpu: all.APICPU, resident: memory.APIMemory}, requests: all.APIRequests}
}

// studied are the readings of 40 people with 2 subscriptions each, in two teams. Watches were opened again a different number of times in each reading.
func studied(sharing bool) *study {
	const people, watches, changed, delivered, reviewed, opened = 40, 80, 50, 1000, 300, 200
	c := truth
	s := &study{
		people: people, subscriptions: 2, sharing: sharing, company: &company{teams: []string{"a", "b"}},
		written: changed, changed: changed, delivered: delivered, reviewed: reviewed, opened: opened,
	}
	unused := c.Replica
	signedIn := unused.Plus(c.SignIn.Times(people))
	visited := signedIn.Plus(c.FirstPage.Times(people))
	sockets := visited.Plus(c.Socket.Times(people))
	open, again := c.SocketSecond.Times(people*readFor), func(n float64) scale.Cost { return c.Reopening.Times(n) }
	s.unused, s.signedIn, s.visited, s.paged = made(unused, scale.Cost{}), made(signedIn, scale.Cost{}), made(visited, scale.Cost{}), made(visited, scale.Cost{})
	s.signIn, s.firstPages = made(unused, c.SignIn.Times(people)), made(signedIn, c.FirstPage.Times(people))
	s.writes, s.pages, s.reviews = made(visited, c.Write.Times(changed)), made(visited, c.Page.Times(opened)), made(visited, c.Check.Times(reviewed))
	s.connect, s.sockets = made(visited, c.Socket.Times(people)), made(sockets, open)
	s.subscribe, s.following = made(sockets, open.Plus(c.Socket.Times(people)).Plus(c.Watch.Times(watches))), made(sockets.Plus(c.Watch.Times(watches)), open.Plus(again(300)))
	s.events = made(sockets.Plus(c.Watch.Times(watches)), open.Plus(again(420)).Plus(c.Write.Times(changed)).Plus(c.Event.Times(delivered)))
	fewer := c.Replica.Plus(c.SignIn.Plus(c.FirstPage).Times(people / tabsEach)).Plus(c.Socket.Times(people)).Plus(c.Watch.Times(watches / tabsEach))
	s.tabs = made(fewer.Plus(c.Tab.Times(watches-watches/tabsEach)), open.Plus(again(70)))
	joined := made(sockets.Plus(c.Watch.Times(4)).Plus(c.Shared.Times(watches-4)), open.Plus(again(4.0*readFor/scale.WatchSeconds)).Plus(c.Check.Times((watches-4)*readFor/scale.CheckSeconds)))
	s.shared = joined
	s.clusters = made(unused.Plus(c.Cluster.Times(manyClusters)), scale.Cost{})
	s.clusterPeople = made(visited.Plus(c.Cluster.Times(manyClusters)).Plus(c.ClusterPerson.Times(manyClusters*people)), scale.Cost{})
	return s
}

// TestCostsOfReadings makes readings from costs, and finds these costs again.
func TestCostsOfReadings(t *testing.T) {
	for _, sharing := range []bool{false, true} {
		got, want := studied(sharing).costs(), truth
		if !sharing {
			want.Shared = want.Tab
		}
		for name, pair := range map[string][2]scale.Cost{
			"a replica": {got.Replica, want.Replica}, "a second": {got.ReplicaSecond, want.ReplicaSecond}, "sign in": {got.SignIn, want.SignIn},
			"first page": {got.FirstPage, want.FirstPage}, "page": {got.Page, want.Page}, "socket": {got.Socket, want.Socket}, "open socket": {got.SocketSecond, want.SocketSecond},
			"watch": {got.Watch, want.Watch}, "reopening": {got.Reopening, want.Reopening}, "tab": {got.Tab, want.Tab}, "open tab": {got.TabSecond, want.TabSecond},
			"event": {got.Event, want.Event}, "write": {got.Write, want.Write}, "check": {got.Check, want.Check}, "shared": {got.Shared, want.Shared},
			"cluster": {got.Cluster, want.Cluster}, "person's cluster": {got.ClusterPerson, want.ClusterPerson}, "other": {{ReplicaMemory: got.Other}, {ReplicaMemory: want.Other}},
		} {
			if !same(pair[0], pair[1]) {
				t.Errorf("%s (sharing: %v): %+v, want %+v", name, sharing, pair[0], pair[1])
			}
		}
		if sharing != (got.SharedBy == "a Fieldmark that shares") {
			t.Errorf("sharing is %v, and shared by %q", sharing, got.SharedBy)
		}
	}
}

// same allows what rounding does to sums of large and small numbers.
func same(a, b scale.Cost) bool {
	d := a.Minus(b)
	return math.Abs(d.ReplicaCPU) < 1e-7 && math.Abs(d.ReplicaMemory) < 1e-2 && math.Abs(d.APICPU) < 1e-7 && math.Abs(d.APIMemory) < 1 && math.Abs(d.APIRequests) < 1e-6
}
