package fleet

import (
	"fmt"
	"runtime"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/scale"
)

// machine is what the costs are measured on.
func machine() string {
	return fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

// rate is the cost of each second of a reading, without memory.
func rate(r reading) scale.Cost {
	return scale.Cost{ReplicaCPU: r.replica().cpu, APICPU: r.apiServer.cpu, APIRequests: r.requests}.Times(1 / r.seconds)
}

// held is the memory in use in a reading.
func held(r reading) scale.Cost {
	return scale.Cost{ReplicaMemory: r.replica().inUse(), APIMemory: r.apiServer.resident}
}

// beyond is what a reading has cost, without what its time costs anyway.
func beyond(r reading, otherwise scale.Cost) scale.Cost {
	return rate(r).Minus(otherwise).Times(r.seconds)
}

// costs computes the costs from the readings. Each is the difference of two readings, for one of the things that differ.
func (s *study) costs() scale.Costs {
	people, watches := float64(s.people), float64(s.people*s.subscriptions)
	write := beyond(s.writes, rate(s.visited)).Times(1 / float64(s.written))
	c := scale.Costs{
		Measured: time.Now().UTC().Format(time.DateOnly), Machine: machine(), Version: s.version, People: s.people,

		Replica: held(s.unused), ReplicaSecond: rate(s.unused),
		SignIn:       beyond(s.signIn, rate(s.unused)).Plus(held(s.signedIn).Minus(held(s.unused))).Times(1 / people),
		FirstPage:    beyond(s.firstPages, rate(s.signedIn)).Plus(held(s.visited).Minus(held(s.signedIn))).Times(1 / people),
		Page:         beyond(s.pages, rate(s.visited)).Times(1 / float64(s.opened)),
		Socket:       beyond(s.connect, rate(s.paged)).Plus(held(s.sockets).Minus(held(s.paged))).Times(1 / people),
		SocketSecond: rate(s.sockets).Minus(rate(s.paged)).Times(1 / people),
		Write:        write,
		Check:        beyond(s.reviews, rate(s.unused)).Times(1 / float64(s.reviewed)),
	}
	// Watches that were opened at about the same time are opened again at about the same time. So what a second costs depends on when it is read, and
	// what a request costs doesn't.
	reopenings := rate(s.following).Minus(rate(s.sockets))
	c.Reopening = reopenings.Times(1 / reopenings.APIRequests)
	beside := rate(s.events).Minus(rate(s.sockets))
	delivering := beside.Minus(c.Reopening.Times(beside.APIRequests)).Times(s.events.seconds)
	c.Event = delivering.Minus(write.Times(float64(s.changed))).Times(1 / float64(s.delivered))
	c.Watch = beyond(s.subscribe, rate(s.sockets)).Minus(beyond(s.connect, rate(s.paged))).Plus(held(s.following).Minus(held(s.sockets))).Times(1 / watches)
	busy := s.events.replica()
	c.Other = max(busy.resident-busy.inUse()-scale.Garbage(busy.inUse()), 0)
	s.tabCosts(&c)
	s.sharedCosts(&c)
	s.clusterCosts(&c)
	c.SignIn.APIMemory, c.FirstPage.APIMemory, c.Socket.APIMemory = 0, 0, 0 // garbage: an API server keeps nothing of them
	return c.Positive()
}

// tabCosts computes what a subscription costs for which the person has a watch already.
func (s *study) tabCosts(c *scale.Costs) {
	people := s.people / tabsEach
	more := float64(people * (tabsEach - 1) * s.subscriptions)
	known := c.Replica.Plus(c.SignIn.Plus(c.FirstPage).Times(float64(people))).Plus(c.Socket.Times(float64(people * tabsEach))).Plus(c.Watch.Times(float64(people * s.subscriptions)))
	c.Tab = scale.Cost{ReplicaMemory: (s.tabs.replica().inUse() - known.ReplicaMemory) / more}
	second := c.ReplicaSecond.Plus(c.SocketSecond.Times(float64(people * tabsEach))).Plus(reopened(c, s.tabs))
	c.TabSecond = rate(s.tabs).Minus(second).Times(1 / more)
}

// reopened is the cost of the requests of each second of a reading, if all are reopenings.
func reopened(c *scale.Costs, r reading) scale.Cost {
	return c.Reopening.Times(rate(r).APIRequests - c.ReplicaSecond.APIRequests)
}

// sharedCosts computes what a subscription costs for which another person has a watch. If Fieldmark can't share yet, it costs as much as another
// tab of the same person, and a check as much as a question about rights.
func (s *study) sharedCosts(c *scale.Costs) {
	c.Shared, c.SharedBy = c.Tab, "a tab, and a question about rights through Fieldmark"
	if !s.sharing {
		return
	}
	leaders := float64(len(s.company.teams) * s.subscriptions)
	joined := float64(s.people*s.subscriptions) - leaders
	known := c.Replica.Plus(c.SignIn.Plus(c.FirstPage).Plus(c.Socket).Times(float64(s.people))).Plus(c.Watch.Times(leaders))
	c.Shared = scale.Cost{ReplicaMemory: (s.shared.replica().inUse() - known.ReplicaMemory) / joined}
	second := c.ReplicaSecond.Plus(c.SocketSecond.Times(float64(s.people))).Plus(c.Reopening.Times(leaders / scale.WatchSeconds))
	c.Check = rate(s.shared).Minus(second).Times(scale.CheckSeconds / joined)
	c.SharedBy = "a Fieldmark that shares"
}

// clusterCosts computes what a cluster costs that nobody uses.
func (s *study) clusterCosts(c *scale.Costs) {
	c.Cluster = scale.Cost{ReplicaMemory: (s.clusters.replica().inUse() - c.Replica.ReplicaMemory) / manyClusters}
	more := (s.clusterPeople.replica().inUse() - s.clusters.replica().inUse()) / float64(s.people)
	c.ClusterPerson = scale.Cost{ReplicaMemory: (more - c.SignIn.ReplicaMemory - c.FirstPage.ReplicaMemory) / manyClusters}
}
