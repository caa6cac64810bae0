package scale

import "math"

// Design says who shares a watch of an API server.
type Design int

// The designs.
const (
	Own      Design = iota // nobody: each subscription of each page has a watch
	Tabs                   // the tabs of one person, at the same replica; this is what Fieldmark does
	Verified               // everybody who follows the same at the same replica, and is checked again and again (--share-watches)
)

// Designs are all designs, with their names for people.
var Designs = []struct {
	Design Design
	Name   string
}{{Own, "a watch for each page"}, {Tabs, "a person’s tabs share"}, {Verified, "verified sharing"}}

// Load is what people do, all at the same time.
type Load struct {
	People        float64
	Clusters      float64 // people are spread evenly over them
	Tabs          float64 // of each person
	Subscriptions float64 // of each tab; all tabs of a person have the same
	Followers     float64 // people who follow the same collection; at least 1
	Pages         float64 // that each person opens, a second
	Events        float64 // that arrive at each tab, a second
	Writes        float64 // a second, of everybody else, at each API server
	// Visits are the requests of a person in the time for which a replica remembers a session: pages, and sockets.
	Visits   float64
	Replicas float64
	Affinity bool // all requests of a person go to one replica
	Design   Design
}

// Need is what a load needs.
type Need struct {
	Replicas float64
	Replica  Part // each of them
	Server   Part // the API server of each cluster, with what it needs when nobody uses Fieldmark
	Added    Part // the same, without that
}

// Part is what one replica, or one API server, needs.
type Part struct {
	Cores    float64 // on average
	Memory   float64 // bytes: in use at a replica, resident at an API server
	Resident float64 // bytes that a replica takes from the system at most
	Requests float64 // a second, at an API server
	Watches  float64
	Sockets  float64
	Sessions float64 // that a replica remembers
}

// Predict computes what a load needs.
func Predict(c Costs, l Load) Need {
	t := l.totals()
	second := c.Page.Plus(c.FirstPage.Minus(c.Page).Times(l.cold())).Times(l.People * l.Pages).
		Plus(c.SocketSecond.Times(t.sockets)).Plus(c.Reopening.Times(t.watches / WatchSeconds)).Plus(c.TabSecond.Times(t.tabs)).
		Plus(c.Check.Times(t.joined / CheckSeconds)).Plus(t.events(c, l)).Plus(c.Write.Times(l.Writes * l.Clusters))
	memory := c.SignIn.Plus(c.FirstPage).Plus(c.ClusterPerson.Times(l.Clusters)).Times(t.sessions).
		Plus(c.Socket.Times(t.sockets)).Plus(c.Watch.Times(t.watches)).Plus(c.Tab.Times(t.tabs)).Plus(c.Shared.Times(t.joined))
	n := Need{Replicas: l.Replicas, Replica: Part{
		Cores:   second.ReplicaCPU/l.Replicas + c.ReplicaSecond.ReplicaCPU,
		Memory:  memory.ReplicaMemory/l.Replicas + c.Replica.ReplicaMemory + c.Cluster.ReplicaMemory*l.Clusters,
		Watches: t.watches / l.Replicas, Sockets: t.sockets / l.Replicas, Sessions: t.sessions / l.Replicas,
	}}
	n.Replica.Resident = n.Replica.Memory + Garbage(n.Replica.Memory) + c.Other
	n.Added = Part{Cores: second.APICPU / l.Clusters, Memory: memory.APIMemory / l.Clusters, Requests: second.APIRequests / l.Clusters, Watches: t.watches / l.Clusters}
	n.Server = n.Added
	n.Server.Cores += c.ReplicaSecond.APICPU
	n.Server.Memory += c.Replica.APIMemory
	n.Server.Requests += c.ReplicaSecond.APIRequests
	return n
}

// totals are numbers of things at all replicas together.
type totals struct {
	sockets, sessions     float64
	watches, tabs, joined float64 // subscriptions: with a watch of their own, and with one of the same person, or of another person
}

func (l Load) totals() totals {
	t := totals{sockets: l.People * l.Tabs, sessions: l.People * l.met(l.Visits)}
	all := t.sockets * l.Subscriptions
	own := l.People * l.Subscriptions * l.met(l.Tabs) // if only tabs of a person share
	switch l.Design {
	case Own:
		t.watches = all
	case Tabs:
		t.watches, t.tabs = own, all-own
	case Verified:
		collections := l.People * l.Subscriptions / l.Followers
		t.watches = collections * l.anywhere(l.Followers*l.met(l.Tabs))
		t.joined, t.tabs = own-t.watches, all-own
	}
	return t
}

// met is how many replicas a person meets with so many requests.
func (l Load) met(requests float64) float64 {
	if l.Affinity {
		return 1
	}
	return l.anywhere(requests)
}

// anywhere is how many replicas get at least one of so many requests, on average.
func (l Load) anywhere(requests float64) float64 {
	return l.Replicas * (1 - math.Pow(1-1/l.Replicas, requests))
}

// cold is the share of pages that are the person's first at their replica.
func (l Load) cold() float64 {
	if l.Affinity {
		return 0
	}
	return math.Pow(1-1/l.Replicas, l.Visits)
}

// events are the costs of events in each second. A replica delivers each event to each tab. The API server sends it over each watch.
func (t totals) events(c Costs, l Load) Cost {
	delivered := l.Events * t.sockets
	all := c.Event.Times(delivered)
	if subscriptions := t.sockets * l.Subscriptions; subscriptions > 0 {
		all.APICPU *= t.watches / subscriptions
	}
	return all
}

// Garbage is how much garbage a replica has at most, in bytes, before it is collected. Fieldmark lets 64 MiB of it be, or as much as is in use if
// that is more, but never more than four times of that.
func Garbage(inUse float64) float64 { return min(max(64<<20, inUse), 4*inUse) }
