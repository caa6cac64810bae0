package scale

import (
	"math"
	"reflect"
	"testing"
)

// plain are costs with which results can be computed by hand.
var plain = Costs{
	Replica: Cost{ReplicaMemory: 1000, APIMemory: 500}, ReplicaSecond: Cost{ReplicaCPU: 0.01, APICPU: 0.02, APIRequests: 3},
	SignIn: Cost{ReplicaMemory: 1}, FirstPage: Cost{ReplicaCPU: 0.3, ReplicaMemory: 2}, Page: Cost{ReplicaCPU: 0.1, APICPU: 0.2, APIRequests: 2},
	Socket: Cost{ReplicaMemory: 10}, SocketSecond: Cost{ReplicaCPU: 0.001},
	Watch: Cost{ReplicaMemory: 100, APIMemory: 50}, Reopening: Cost{ReplicaCPU: 0.23, APICPU: 0.46, APIRequests: 11.5},
	Tab: Cost{ReplicaMemory: 5}, Shared: Cost{ReplicaMemory: 7}, Check: Cost{ReplicaCPU: 0.02, APICPU: 0.04, APIRequests: 1},
	Event: Cost{ReplicaCPU: 0.001, APICPU: 0.002}, Write: Cost{APICPU: 0.1},
	Cluster: Cost{ReplicaMemory: 3}, ClusterPerson: Cost{ReplicaMemory: 4}, Other: 11,
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func TestPredict(t *testing.T) {
	one := Load{People: 10, Clusters: 1, Tabs: 2, Subscriptions: 3, Followers: 5, Replicas: 1, Visits: 30, Affinity: true}
	with := func(change func(*Load)) Load { l := one; change(&l); return l }
	for name, c := range map[string]struct {
		load                            Load
		memory, cores, server, requests float64
		watches                         float64
	}{
		"nobody":           {with(func(l *Load) { l.People = 0 }), 1003, 0.01, 0.02, 3, 0},
		"own watches":      {one, 1003 + 10*(1+2+4) + 20*10 + 60*100, 0.01 + 20*0.001 + 60*0.01, 0.02 + 60*0.02, 3 + 30, 60},
		"tabs share":       {with(func(l *Load) { l.Design = Tabs }), 1003 + 70 + 200 + 30*100 + 30*5, 0.01 + 0.02 + 0.3, 0.02 + 0.6, 3 + 15, 30},
		"people share":     {with(func(l *Load) { l.Design = Verified }), 1003 + 70 + 200 + 6*100 + 24*7 + 30*5, 0.03 + 0.06 + 24*0.001, 0.02 + 0.12 + 24*0.002, 3 + 3 + 1.2, 6},
		"pages":            {with(func(l *Load) { l.Design, l.Pages = Tabs, 0.5 }), 4423, 0.33 + 0.5, 0.62 + 1, 18 + 10, 30},
		"events":           {with(func(l *Load) { l.Design, l.Events = Tabs, 2 }), 4423, 0.33 + 0.04, 0.62 + 0.04, 18, 30},
		"writes":           {with(func(l *Load) { l.Design, l.Writes = Tabs, 2 }), 4423, 0.33, 0.82, 18, 30},
		"two clusters":     {with(func(l *Load) { l.Design, l.Clusters = Tabs, 2 }), 4423 + 3 + 40, 0.33, 0.02 + 0.3, 3 + 7.5, 15},
		"two replicas":     {with(func(l *Load) { l.Design, l.Replicas = Tabs, 2 }), 1003 + 3420.0/2, 0.01 + 0.32/2, 0.62, 18, 30},
		"two, round robin": {with(func(l *Load) { l.Design, l.Replicas, l.Affinity, l.Visits = Tabs, 2, false, 1 }), 1003 + (70+200+45*100+15*5)/2.0, 0.01 + 0.47/2, 0.92, 3 + 22.5, 45},
		"cold pages":       {with(func(l *Load) { l.Design, l.Tabs, l.Replicas, l.Affinity, l.Visits, l.Pages = Tabs, 1, 2, false, 1, 1 }), 1003 + (70+100+3000)/2.0, 0.01 + (0.01+0.3+10*(0.1+0.2/2))/2, 0.62 + 1, 18 + 10, 30},
		"shared, two, robin": {with(func(l *Load) {
			l.Design, l.Tabs, l.Followers, l.Replicas, l.Affinity, l.Visits = Verified, 1, 2, 2, false, 1
		}), 1003 + (70+100+22.5*100+7.5*7)/2, 0.01 + (0.01+0.225+7.5*0.001)/2, 0.02 + 0.45 + 7.5*0.002, 3 + 11.25 + 7.5/20, 22.5},
	} {
		n := Predict(plain, c.load)
		r, s := n.Replica, n.Server
		if !near(r.Memory, c.memory) || !near(r.Cores, c.cores) || !near(s.Cores, c.server) || !near(s.Requests, c.requests) || !near(s.Watches, c.watches) {
			t.Errorf("%s: replica %+v, server %+v; want memory %v, cores %v; server's cores %v, requests %v, watches %v", name, r, s, c.memory, c.cores, c.server, c.requests, c.watches)
		}
		if !near(r.Resident, r.Memory+4*r.Memory+11) {
			t.Errorf("%s: %v resident", name, r.Resident)
		}
		if !near(s.Cores-n.Added.Cores, 0.02) || !near(s.Memory-n.Added.Memory, 500) || !near(s.Requests-n.Added.Requests, 3) {
			t.Errorf("%s: of %+v, %+v was added", name, s, n.Added)
		}
	}
}

func TestGarbage(t *testing.T) {
	const mib = 1 << 20
	for inUse, want := range map[float64]float64{0: 0, 10 * mib: 40 * mib, 16 * mib: 64 * mib, 40 * mib: 64 * mib, 64 * mib: 64 * mib, 500 * mib: 500 * mib} {
		if got := Garbage(inUse); got != want {
			t.Errorf("%v MiB in use: %v MiB of garbage, want %v", inUse/mib, got/mib, want/mib)
		}
	}
}

// TestReplicas looks for the smallest number that is enough: with one fewer, the limit that is named is exceeded.
func TestReplicas(t *testing.T) {
	l := Load{People: 1000, Clusters: 1, Tabs: 2, Subscriptions: 3, Followers: 5, Visits: 30, Pages: 0.01, Design: Tabs}
	large := Size{Cores: 1e6, Memory: 1e12, Sockets: 1e9, Sessions: 1e9}
	with := func(change func(*Size)) Size { s := large; change(&s); return s }
	for name, c := range map[string]struct {
		size     Size
		affinity bool
		want     float64
		by       string
	}{
		"nothing is scarce": {large, true, 2, "availability"},
		"sockets":           {with(func(s *Size) { s.Sockets = 100 }), true, 29, "sockets"}, // 2,000 of 70 each
		"sessions":          {with(func(s *Size) { s.Sessions = 100 }), true, 15, "sessions"},
		"processor":         {with(func(s *Size) { s.Cores = 1 }), true, 48, "processor"},       // 33 cores, with 0.69 free in each
		"sessions, robin":   {with(func(s *Size) { s.Sessions = 1000 }), false, 26, "sessions"}, // 1 − (1 − 1/26)^30 is less than 0.7
	} {
		l.Affinity = c.affinity
		n, by, ok := Replicas(plain, l, c.size)
		if !ok || n != c.want || by != c.by {
			t.Errorf("%s: %v by %s (%v), want %v by %s", name, n, by, ok, c.want, c.by)
		}
	}
	if n, by, ok := Replicas(plain, l, Size{Memory: 100}); ok || by != "memory" {
		t.Errorf("without room for an unused replica: %v by %s (%v)", n, by, ok)
	}
}

func TestMost(t *testing.T) {
	l := Load{Clusters: 1, Tabs: 1, Subscriptions: 1, Followers: 1, Replicas: 1, Affinity: true}
	if got := Most(plain, l, func(n Need) bool { return n.Added.Watches <= 12345 }); got != 12345 {
		t.Errorf("%v people have 12,345 watches", got)
	}
	if got := Most(plain, l, func(Need) bool { return false }); got != 0 {
		t.Errorf("%v people are within a limit that nothing is within", got)
	}
}

// TestMeasured holds that the costs that are published are complete, and that the text of costs is what Parse reads.
func TestMeasured(t *testing.T) {
	c, err := Measured()
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]float64{
		"memory of a replica": c.Replica.ReplicaMemory, "of a session": c.SignIn.ReplicaMemory + c.FirstPage.ReplicaMemory, "of a watch": c.Watch.ReplicaMemory,
		"of a watch at the API server": c.Watch.APIMemory, "processor of a page": c.Page.ReplicaCPU, "of a reopening": c.Reopening.ReplicaCPU,
		"of a reopening at the API server": c.Reopening.APICPU, "of an event": c.Event.ReplicaCPU, "of a check": c.Check.APICPU,
		"of a write": c.Write.APICPU, "requests of a page": c.Page.APIRequests, "requests of a reopening": c.Reopening.APIRequests, "of a check's requests": c.Check.APIRequests,
	} {
		if value <= 0 {
			t.Errorf("%s isn't known", name)
		}
	}
	text, err := c.Text()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Parse(text); err != nil || !reflect.DeepEqual(again, c) {
		t.Errorf("read again: %+v (%v)", again, err)
	}
	if _, err := Parse([]byte("{")); err == nil {
		t.Error("half a file was read")
	}
}

func TestPositive(t *testing.T) {
	noisy := plain
	noisy.Tab, noisy.Page.APIMemory = Cost{-1, 2, -3, 4, -5}, -1
	want := plain
	want.Tab, want.Page.APIMemory = Cost{0, 2, 0, 4, 0}, 0
	if got := noisy.Positive(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.123: "< 1", 1: "1", 2.34: "2.3", 9: "9", 10: "10", 87.6: "88", 123: "120", 4567: "4,600", 1e6: "1,000,000", 12_345_678: "12,000,000"} {
		if got := Count(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
	for n, want := range map[float64]string{1234: "1.2 kB", 999_600: "1 MB", 25e6: "25 MB", 2.55e9: "2.5 GB", 999.6e6: "1.0 GB", 27.25e12: "27.2 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
	for n, want := range map[float64]string{12e-6: "12 µs", 1.25e-3: "1.2 ms", 0.5: "0.50 s"} {
		if got := micros(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}
