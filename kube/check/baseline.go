package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Kinds of the documents that check writes.
const (
	ReportKind   = "Check"
	ContextsKind = "CheckContexts"
)

// Baseline is what an earlier check found: how often it found what, by context. A check of one context is below the empty name.
type Baseline map[string]map[string]int

// baselineReason says why a finding of the baseline is expected.
const baselineReason = "The baseline has this finding, too."

// ParseBaseline reads the JSON of an earlier check.
func ParseBaseline(text []byte) (Baseline, error) {
	var of struct {
		APIVersion string    `json:"apiVersion"`
		Kind       string    `json:"kind"`
		Findings   []Finding `json:"findings"`
		Items      []struct {
			Context  string    `json:"context"`
			Findings []Finding `json:"findings"`
		} `json:"items"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, fmt.Errorf("this is no JSON of a check: %w. Make one with fieldmark check -o json", err)
	}
	if of.APIVersion != APIVersion || of.Kind != ReportKind && of.Kind != ContextsKind {
		return nil, fmt.Errorf("this is no JSON of a check, but of kind %q. Make one with fieldmark check -o json", of.Kind)
	}
	b := Baseline{}
	if of.Kind == ReportKind {
		b[""] = counted(of.Findings)
	}
	for _, c := range of.Items {
		b[c.Context] = counted(c.Findings)
	}
	return b, nil
}

func counted(findings []Finding) map[string]int {
	n := map[string]int{}
	for _, f := range findings {
		n[f.known()]++
	}
	return n
}

// Covers tells whether the baseline is about one context, or about several, as the check is.
func (b Baseline) Covers(several bool) bool {
	_, one := b[""]
	return one != several
}

// Expect sets Expected of the findings that the baseline has, too, and that no rule expects. It returns how many findings of the baseline are gone.
func (b Baseline) Expect(context string, findings []Finding) (gone int) {
	left := map[string]int{}
	for name, n := range b[context] {
		left[name], gone = n, gone+n
	}
	for i := range findings {
		f := &findings[i]
		if left[f.known()] == 0 {
			continue
		}
		left[f.known()]--
		gone--
		if f.Expected == nil {
			f.Expected = &Excuse{Reason: baselineReason}
		}
	}
	return gone
}

// known tells findings of two checks apart. A field that conflicts with another manager than before is a new finding. Values and lines may change.
func (f Finding) known() string {
	owners := make([]string, len(f.Owners))
	for i, o := range f.Owners {
		owners[i] = o.Name + "\x01" + o.Subresource
	}
	slices.Sort(owners)
	return f.Fingerprint() + " " + strings.Join(slices.Compact(owners), "\x00")
}

// Fingerprint is the same for a finding in all checks, as long as it is about the same field of the same object. Values, lines and owners may change.
func (f Finding) Fingerprint() string {
	parts := []string{string(f.Kind), f.Object.APIVersion, f.Object.Kind, f.Object.Namespace, f.Object.Name, f.Path}
	if f.Object.Name == "" {
		parts = append(parts, f.File, f.Why)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
