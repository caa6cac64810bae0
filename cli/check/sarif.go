package check

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// These types are the parts of SARIF 2.1.0 that code scanning reads. docs/decisions/0045 says why no library has them for us.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Name    string       `json:"name"`
		Short   sarifMessage `json:"shortDescription"`
		Full    sarifMessage `json:"fullDescription"`
		Help    sarifMessage `json:"help"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	// sarifInvocation tells whether all documents could be judged, and if not, what went wrong.
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct {
		Rule         string             `json:"ruleId"`
		Index        int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifMessage       `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   *sarifProperties   `json:"properties,omitempty"`
	}
	sarifProperties struct {
		Ways []check.Way `json:"ways"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"` // nil: no file has the text
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	home        = "https://github.com/fieldmark/fieldmark"
	// fingerprint names the method that computes fingerprints. It changes when the method does.
	fingerprint = "fieldmarkFinding/v1"
)

func asSARIF(out io.Writer, r result) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}, Invocations: []sarifInvocation{r.invocation()}}
	run.Tool.Driver = sarifDriver{Name: "Fieldmark", Version: r.version, InformationURI: home, Rules: r.sarifRules()}
	same := map[string]int{}
	for _, f := range r.Findings {
		one := r.sarifResult(f)
		mine := one.Fingerprints[fingerprint]
		if same[mine]++; same[mine] > 1 { // for example two documents about one object
			one.Fingerprints[fingerprint] = fmt.Sprintf("%s:%d", mine, same[mine])
		}
		run.Results = append(run.Results, one)
	}
	return output.JSON(out, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func (r result) invocation() sarifInvocation {
	i := sarifInvocation{Successful: r.wrong == nil}
	if r.wrong != nil {
		for line := range strings.Lines(r.wrong.Error()) {
			i.Notifications = append(i.Notifications, sarifNotification{Level: "error", Message: sarifMessage{Text: plain.Text(strings.TrimSpace(line))}})
		}
	}
	for _, sentence := range r.Diff.sentences() {
		i.Notifications = append(i.Notifications, sarifNotification{Level: "note", Message: sarifMessage{Text: plain.Text(sentence)}})
	}
	return i
}

// level is error for findings that fail the check, so that a gate on errors agrees with the exit code.
func (r result) level(kind check.Kind) string {
	switch {
	case slices.Contains(r.failOn, kind):
		return "error"
	case kind.About().Severity >= check.Serious:
		return "warning"
	}
	return "note"
}

func (r result) sarifRules() []sarifRule {
	var rules []sarifRule
	for _, kind := range check.Kinds() {
		a := kind.About()
		rule := sarifRule{ID: string(kind), Name: string(kind), Short: sarifMessage{Text: a.Title + "."}, Full: sarifMessage{Text: a.Means}}
		rule.Help = sarifMessage{Text: a.Means + " " + a.Do, Markdown: a.Means + "\n\n**What to do:** " + a.Do}
		rule.Default.Level = r.level(kind)
		rules = append(rules, rule)
	}
	return rules
}

func (r result) sarifResult(f check.Finding) sarifResult {
	about := strings.TrimSpace(name(f.Object) + " " + plain.Text(f.Path))
	one := sarifResult{Rule: string(f.Kind), Index: f.Kind.Rank(), Level: r.level(f.Kind)}
	one.Message.Text = about + ": " + plain.Text(f.Why)
	if len(f.Live) > 0 || len(f.Stated) > 0 {
		live, stated := plain.Values(f.Live, f.Stated)
		one.Message.Text += fmt.Sprintf(" Live: %s. Stated: %s.", live, stated)
	}
	var at sarifLocation
	if f.File != f.Folder { // a folder is no place in a file
		at.Physical = &sarifPhysical{}
		at.Physical.Artifact.URI = fileURI(f.File)
		if f.Line > 0 {
			at.Physical.Region = &sarifRegion{Line: f.Line}
		}
	}
	at.Logical = []sarifLogical{{Name: strings.TrimSpace(plain.Text(f.Object.APIVersion) + " " + about), Kind: "object"}}
	one.Locations = []sarifLocation{at}
	one.Fingerprints = map[string]string{fingerprint: fingerprintOf(f)}
	if len(f.Ways) > 0 {
		one.Properties = &sarifProperties{}
	}
	for _, w := range f.Ways {
		one.Properties.Ways = append(one.Properties.Ways, check.Way{Way: w.Way, Text: plain.Lines(w.Text), NotTried: w.NotTried})
	}
	if f.Expected != nil {
		why := f.Expected.Reason
		if f.Expected.Until != "" {
			why += " (until " + f.Expected.Until + ")"
		}
		one.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: plain.Text(why)}}
	}
	return one
}

// fileURI is a file as a URI. It is relative to the working directory, unless the file's path is absolute.
func fileURI(file string) string {
	if file == "-" {
		return "stdin"
	}
	path := filepath.ToSlash(filepath.Clean(file))
	switch {
	case strings.HasPrefix(path, "/"):
		return (&url.URL{Scheme: "file", Path: path}).String()
	case filepath.IsAbs(file): // with a drive letter
		return (&url.URL{Scheme: "file", Path: "/" + path}).String()
	}
	return (&url.URL{Path: path}).String()
}
