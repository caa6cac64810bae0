package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
)

// contextsKind is the kind of the document about several contexts.
const contextsKind = "CheckContexts"

// baseline is what an earlier check found: how often it found what, by context. A check of one context is below the empty name.
type baseline map[string]map[string]int

// baselineReason says why a finding of the baseline is expected.
const baselineReason = "The baseline has this finding, too."

// parseBaseline reads the JSON of an earlier check.
func parseBaseline(text []byte) (baseline, error) {
	var of struct {
		APIVersion string          `json:"apiVersion"`
		Kind       string          `json:"kind"`
		Findings   []check.Finding `json:"findings"`
		Items      []struct {
			Context  string          `json:"context"`
			Findings []check.Finding `json:"findings"`
		} `json:"items"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, fmt.Errorf("this is no JSON of a check: %w. Make one with fieldmark check -o json", err)
	}
	if of.APIVersion != check.APIVersion || of.Kind != check.ReportKind && of.Kind != contextsKind {
		return nil, fmt.Errorf("this is no JSON of a check, but of kind %q. Make one with fieldmark check -o json", of.Kind)
	}
	b := baseline{}
	if of.Kind == check.ReportKind {
		b[""] = counted(of.Findings)
	}
	for _, c := range of.Items {
		b[c.Context] = counted(c.Findings)
	}
	return b, nil
}

func counted(findings []check.Finding) map[string]int {
	n := map[string]int{}
	for _, f := range findings {
		n[known(f)]++
	}
	return n
}

// covers tells whether the baseline is about one context, or about several, as the check is.
func (b baseline) covers(several bool) bool {
	_, one := b[""]
	return one != several
}

// expect sets Expected of the findings that the baseline has, too, and that no rule expects. It returns how many findings of the baseline are gone.
func (b baseline) expect(context string, findings []check.Finding) (gone int) {
	left := map[string]int{}
	for name, n := range b[context] {
		left[name], gone = n, gone+n
	}
	for i := range findings {
		f := &findings[i]
		if left[known(*f)] == 0 {
			continue
		}
		left[known(*f)]--
		gone--
		if f.Expected == nil {
			f.Expected = &check.Excuse{Reason: baselineReason}
		}
	}
	return gone
}

// known tells findings of two checks apart. A field that conflicts with another manager than before is a new finding. Values and lines may change.
func known(f check.Finding) string {
	owners := make([]string, len(f.Owners))
	for i, o := range f.Owners {
		owners[i] = o.Name + "\x01" + o.Subresource
	}
	slices.Sort(owners)
	return fingerprintOf(f) + " " + strings.Join(slices.Compact(owners), "\x00")
}

// fingerprintOf is the same for a finding in all checks, as long as it is about the same field of the same object. Values, lines and owners may change.
func fingerprintOf(f check.Finding) string {
	parts := []string{string(f.Kind), f.Object.APIVersion, f.Object.Kind, f.Object.Namespace, f.Object.Name, f.Path}
	if f.Object.Name == "" {
		parts = append(parts, f.File, f.Why)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
