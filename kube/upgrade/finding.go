package upgrade

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
)

// Facts are what is known about a cluster before an upgrade.
type Facts struct {
	Target      release.Version
	Table       removal.Table
	Catalog     discovery.Catalog
	Census      report.Report
	Definitions []Definition
	Services    []APIService
	Hooks       []Hook
	Requested   []Request
	Missing     []Missing
}

// Missing is a part of the cluster that couldn't be read.
type Missing struct {
	What string // "the metrics of the API server"
	Why  string // a sentence
}

// Finding is something that an upgrade breaks, or that makes it harder.
type Finding struct {
	Kind       Kind   `json:"finding"`
	Type       string `json:"type,omitempty"`       // full name: "ingresses.networking.k8s.io"
	APIVersion string `json:"apiVersion,omitempty"` // that the finding is about
	Removed    string `json:"removed,omitempty"`    // the first release without it: "1.22"
	// Name is the object that the finding is about, or what couldn't be read.
	Name string `json:"name,omitempty"`
	// Manager is who has the entries. All of its parts are empty if the finding is about no manager.
	Manager manager.Manager `json:"manager,omitzero"`
	Objects int             `json:"objects"`
	Last    time.Time       `json:"last,omitzero"` // last write of these entries
	Why     string          `json:"why"`
	Ways    []check.Way     `json:"ways"`
}

// About is what the finding is about, in words.
func (f Finding) About() string {
	if f.Type != "" && f.Name == "" {
		return f.Type
	}
	return f.Name
}

// Findings are what the facts say, the worst first.
func (f Facts) Findings() []Finding {
	all := slices.Concat(f.entries(), f.requested(), f.target(), f.missing(), f.services(), f.stored())
	all = append(all, f.hooks(all)...)
	for i := range all {
		if all[i].Ways == nil {
			all[i].Ways = []check.Way{} // a list in JSON
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(a.Kind.Rank()-b.Kind.Rank(), b.Objects-a.Objects, cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Manager.Name, b.Manager.Name))
	})
	return all
}

// APIVersion and ReportKind begin the report of an upgrade check.
const (
	APIVersion = "fieldmark.dev/v1"
	ReportKind = "UpgradeCheck"
)

// Report is the result of an upgrade check of one or several clusters. Its JSON is a contract with scripts.
type Report struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Target     string    `json:"target"`
	MadeFor    string    `json:"madeFor"` // the release of Kubernetes that the table of removals was made for
	Clusters   []Cluster `json:"clusters"`
}

// Cluster is what a report says about one cluster.
type Cluster struct {
	Context  string       `json:"context"`
	Server   string       `json:"server,omitempty"` // its version
	Findings []Finding    `json:"findings"`
	Counts   map[Kind]int `json:"counts"`
	Problem  string       `json:"problem,omitempty"` // why nothing could be found out
}

// Counted is the cluster with its counts.
func (c Cluster) Counted() Cluster {
	c.Counts = map[Kind]int{}
	for _, f := range c.Findings {
		c.Counts[f.Kind]++
	}
	if c.Findings == nil {
		c.Findings = []Finding{}
	}
	return c
}

// Fails tells whether there is a finding of one of these kinds.
func (r Report) Fails(on []Kind) bool {
	return slices.ContainsFunc(r.Clusters, func(c Cluster) bool {
		return slices.ContainsFunc(on, func(k Kind) bool { return c.Counts[k] > 0 })
	})
}

// BlockedKind is the kind of a report of objects that can't be applied.
const BlockedKind = "Unappliable"

// BlockedReport has the objects of one or several clusters that can't be applied any more. Its JSON is a contract with scripts.
type BlockedReport struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Clusters   []BlockedCluster `json:"clusters"`
}

// BlockedCluster is what the report says about one cluster.
type BlockedCluster struct {
	Context string   `json:"context"`
	Objects []Record `json:"objects"`
	More    int      `json:"more,omitempty"` // how many more objects there are than Objects has
	// Findings say the same by manager and version, and what will be unappliable when a definition drops a version.
	Findings []Finding `json:"findings"`
	Problem  string    `json:"problem,omitempty"` // why nothing could be found out
}

// Fails tells whether an object can't be applied.
func (r BlockedReport) Fails() bool {
	return slices.ContainsFunc(r.Clusters, func(c BlockedCluster) bool { return len(c.Objects) > 0 })
}

// AboutApplies are the findings that say why objects can't be applied, or soon can't be, and what couldn't be read of them.
func AboutApplies(all []Finding) []Finding {
	return slices.DeleteFunc(all, func(f Finding) bool { return f.Kind != Unappliable && f.Kind != Fading && f.Kind != Unread })
}
