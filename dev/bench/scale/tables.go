package scale

import (
	"fmt"
	"math"
	"strings"
)

// Usual is what a person does in the tables: two tabs with four subscriptions each, a page a minute, twenty people who follow the same, and a change
// of what a tab shows every ten seconds.
var Usual = Load{Tabs: 2, Subscriptions: 4, Followers: 20, Pages: 1.0 / 60, Events: 0.1, Visits: RememberedSeconds / 60, Clusters: 1, Replicas: 2, Design: Tabs}

// Needs is a table: replicas and API servers, for numbers of people and of clusters.
func Needs(c Costs) string {
	var b strings.Builder
	b.WriteString("| people | clusters | who shares a watch | replicas | with affinity | memory of all replicas | watches at each API server | requests/s | processor | memory |\n" +
		"|---|---|---|---|---|---|---|---|---|---|\n")
	for _, people := range []float64{100, 10_000, 1_000_000} {
		for _, clusters := range []float64{1, 100, 10_000} {
			for _, one := range Designs[1:] {
				l := Usual
				l.People, l.Clusters, l.Design = people, clusters, one.Design
				b.WriteString(needsRow(c, l, one.Name))
			}
		}
	}
	return b.String()
}

func needsRow(c Costs, l Load, name string) string {
	all := []string{Count(l.People), Count(l.Clusters), name, replicasCell(c, l)}
	l.Affinity = true
	all = append(all, replicasCell(c, l))
	n, _, ok := Replicas(c, l, Standard)
	if !ok {
		return "| " + strings.Join(append(all, "–", "–", "–", "–", "–"), " | ") + " |\n"
	}
	l.Replicas = n
	need := Predict(c, l)
	all = append(all, Bytes(n*need.Replica.Resident), Count(need.Added.Watches), Count(need.Added.Requests), coresCell(need.Added.Cores), Bytes(need.Added.Memory))
	return "| " + strings.Join(all, " | ") + " |\n"
}

// replicasCell is a number of replicas, with what decides it.
func replicasCell(c Costs, l Load) string {
	n, by, ok := Replicas(c, l, Standard)
	if !ok {
		return "none is enough: " + by
	}
	return Count(n) + " (" + by + ")"
}

func coresCell(n float64) string {
	if n < 0.1 {
		return "< 0.1 cores"
	}
	return Count(n) + " cores"
}

// Count writes a number with two digits that count.
func Count(n float64) string {
	if n <= 0 {
		return "0"
	}
	if n < 1 {
		return "< 1"
	}
	unit := math.Pow(10, max(math.Floor(math.Log10(n))-1, 0))
	digits := fmt.Sprintf("%.0f", math.Round(n/unit)*unit)
	if n < 10 && digits != fmt.Sprint(n) {
		return fmt.Sprintf("%.1f", n)
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// breaking is a limit, and how a Need tells that it holds.
type breaking struct {
	name  string
	holds func(Need) bool
}

var breakings = []breaking{
	{"memory of a replica: 1 GiB", func(n Need) bool { return n.Replica.Resident <= Standard.Memory }},
	{"processor of a replica: one core", func(n Need) bool { return n.Replica.Cores <= Standard.Cores }},
	{"sockets of a replica: 4,000", func(n Need) bool { return n.Replica.Sockets <= Standard.Sockets }},
	{"sessions that a replica remembers: 5,000", func(n Need) bool { return n.Replica.Sessions <= Standard.Sessions }},
	{"processor of the API server: 16 cores", func(n Need) bool { return n.Added.Cores <= Server.Cores }},
	{"memory of the API server: 64 GiB", func(n Need) bool { return n.Added.Memory <= Server.Memory }},
	{"requests in progress at the API server: 400, if each takes 5 ms", func(n Need) bool { return n.Added.Requests*requestSeconds <= Server.Requests }},
}

// Breaks is a table: how many people reach each limit, with one replica or one API server, for each design. The API server's limits have enough
// replicas before them, and each person is always at the same one.
func Breaks(c Costs) string {
	var b strings.Builder
	b.WriteString("| limit |")
	for _, one := range Designs {
		b.WriteString(" " + one.Name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(Designs)) + "\n")
	for i, limit := range breakings {
		b.WriteString("| " + limit.name + " |")
		for _, one := range Designs {
			l := Usual
			l.Design, l.Affinity, l.Replicas = one.Design, true, 1
			if i >= 4 {
				l.Replicas = 100
			}
			b.WriteString(" " + Count(Most(c, l, limit.holds)) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Chart is a table: how many people bring a replica of the chart to its settings. The autoscaler's target is a share of the requested processor.
func Chart(c Costs) string {
	const processor, target, requested, limit = 0.1, 0.7, 256 << 20, 1 << 30
	l := Usual
	l.Affinity, l.Replicas = true, 1
	var b strings.Builder
	b.WriteString("| setting | people at a replica | its processor then | its memory then |\n|---|---|---|---|\n")
	for _, one := range []breaking{
		{"`autoscaling.targetCPUUtilizationPercentage` 70 of `resources.requests.cpu` 100m", func(n Need) bool { return n.Replica.Cores <= target*processor }},
		{"`resources.requests.memory` 256Mi", func(n Need) bool { return n.Replica.Resident <= requested }},
		{"70 % of `resources.limits.memory` 1Gi", func(n Need) bool { return n.Replica.Resident <= room*limit }},
		{"70 % of `quotas.process.sockets` 4000", func(n Need) bool { return n.Replica.Sockets <= room*Standard.Sockets }},
	} {
		l.People = Most(c, l, one.holds)
		r := Predict(c, l).Replica
		fmt.Fprintf(&b, "| %s | %s | %.0fm | %s |\n", one.name, Count(l.People), 1000*r.Cores, Bytes(r.Resident))
	}
	return b.String()
}

// ManyClusters is a table: what a replica needs for clusters that it only knows, without people and with a thousand people that work with one of
// them each.
func ManyClusters(c Costs) string {
	var b strings.Builder
	b.WriteString("| clusters | memory of a replica, without people | with 1,000 people at it | of that, for clusters |\n|---|---|---|---|\n")
	for _, clusters := range []float64{1, 100, 1000, 10_000} {
		l := Usual
		l.Clusters, l.Affinity, l.Replicas = clusters, true, 1
		without := Predict(c, l).Replica.Memory
		l.People = 1000
		with := Predict(c, l).Replica.Memory
		known := c.Cluster.Times(clusters).Plus(c.ClusterPerson.Times(clusters * l.People)).ReplicaMemory
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", Count(clusters), Bytes(without), Bytes(with), Bytes(known))
	}
	return b.String()
}

// CostRows is a table of the costs.
func CostRows(c Costs) string {
	return "| | replica: processor | memory | API server: processor | memory | requests |\n|---|---|---|---|---|---|\n" + strings.Join(Rows(c), "\n") + "\n"
}
