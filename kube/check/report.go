package check

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/kube/ownership"
)

// APIVersion is the version of the documents that check writes and reads.
const APIVersion = "fieldmark.dev/v1"

// ReportKind is the kind of a Report.
const ReportKind = "Check"

// Report is the result of a check of several documents. Its JSON is a contract with scripts.
type Report struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Manager    string       `json:"manager"`
	Findings   []Finding    `json:"findings"`
	Counts     map[Kind]int `json:"counts"` // of findings that no rule expects
	Documents  int          `json:"documents"`
	Unjudged   int          `json:"unjudged"` // how many documents could not be judged, for example because a server can't be reached
}

// ReportOf makes the report of findings in a number of documents, checked as a manager.
func ReportOf(manager string, documents int, findings []Finding) Report {
	r := Report{APIVersion: APIVersion, Kind: ReportKind, Manager: manager, Findings: findings, Counts: map[Kind]int{}, Documents: documents}
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
	Sort(r.Findings)
	for _, f := range findings {
		if f.Expected == nil {
			r.Counts[f.Kind]++
		}
	}
	return r
}

// Groups puts findings together that say the same about several fields or objects, in the order of the first of each.
func Groups(findings []Finding) [][]Finding {
	type same struct {
		kind        Kind
		why, reason string
		expected    bool
	}
	var all [][]Finding
	at := map[same]int{}
	for _, f := range findings {
		k := same{kind: f.Kind, why: f.Why}
		if f.Expected != nil {
			k.expected, k.reason = true, f.Expected.Reason
		}
		if i, known := at[k]; known {
			all[i] = append(all[i], f)
			continue
		}
		at[k] = len(all)
		all = append(all, []Finding{f})
	}
	return all
}

// Expected is how many findings a rule expects.
func (r Report) Expected() int {
	unexpected := 0
	for _, n := range r.Counts {
		unexpected += n
	}
	return len(r.Findings) - unexpected
}

// Fails tells whether there is a finding of one of these kinds that no rule expects.
func (r Report) Fails(on []Kind) bool {
	for _, kind := range on {
		if r.Counts[kind] > 0 {
			return true
		}
	}
	return false
}

// MarshalJSON writes empty lists as [], not as null.
func (f Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	p := plain(f)
	if p.Owners == nil {
		p.Owners = []ownership.Owner{}
	}
	if p.Ways == nil {
		p.Ways = []Way{}
	}
	return json.Marshal(p)
}
