package check

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Object identifies the object that a finding is about.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// Way is a way out of a finding, as text to paste.
type Way struct {
	Way  string `json:"way"`
	Text string `json:"text"`
	// NotTried tells that no dry run showed that the way leads out of the refusal.
	NotTried bool `json:"notTried,omitempty"`
	// Trial is the dry run that shows it; nil: none can, or the way isn't out of a refusal.
	Trial *Trial `json:"-"`
}

// Words names the way in outputs. It says if the way was not tried.
func (w Way) Words() string {
	if w.NotTried {
		return w.Way + " (not tried)"
	}
	return w.Way
}

// The ways out.
const (
	WayGiveUp    = "give-up"   // leave the field to its owner: delete its lines
	WayShare     = "share"     // put the live value into the manifest
	WayOverwrite = "overwrite" // apply with force
	WayHandOver  = "hand-over" // move ownership from one manager to the other
	WayRule      = "rule"      // tell a tool that the difference is expected
	WayCorrect   = "correct"   // change the manifest or the request
)

// wayTitles name the ways out for people.
var wayTitles = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		WayGiveUp: "Give up the field", WayShare: "Share the field", WayOverwrite: "Overwrite", WayHandOver: "Hand the field over", WayRule: "Tell a tool to ignore the difference",
	}
}}

// WayTitle names a way out of a finding for people; empty: it isn't one of those above, or it depends on the command what the way corrects.
func WayTitle(w Way) string { return wayTitles.Get()[w.Way] }

// Excuse says why a finding is expected.
type Excuse struct {
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"` // the last day on which the rule holds
}

// Finding is one result of a check: something that the apply would do, or that prevents it.
type Finding struct {
	Kind   Kind   `json:"finding"`
	Object Object `json:"object"`
	Path   string `json:"path"` // in structured-merge-diff's notation; empty: the whole object
	File   string `json:"file"`
	Line   int    `json:"line"`
	// Live and Stated are the values on the server and in the manifest; nil: there is none.
	Live     json.RawMessage   `json:"live,omitempty"`
	Stated   json.RawMessage   `json:"stated,omitempty"`
	Owners   []ownership.Owner `json:"owners"`
	Why      string            `json:"why"`
	Ways     []Way             `json:"ways"`
	Expected *Excuse           `json:"expected,omitempty"` // a rule expects this finding
	// Folder is that of the kustomization from which the manifest was built. File is then the file that kustomize read, or the folder if that isn't known,
	// and there is no line.
	Folder string `json:"-"`
	// Lacks is the namespace that the object needs and that doesn't exist; see Lacking.
	Lacks string `json:"-"`

	field // only while the document is judged
}

// field is the field of a finding, without the ambiguity of its path. Names of fields can have dots.
type field struct {
	parts     []string       // the steps that lead to the field; nil if only the path is known
	node      *manifest.Node // the field in the manifest; nil if only the path is known
	around    *manifest.Node // the innermost field of the manifest that has the field or would have it; nil if it isn't known
	ambiguous bool           // other fields have the same path
}

// placeIn replaces the place in the text of a built document, which is in no file, with the file that the document comes from.
func (f *Finding) placeIn(d Document) {
	if d.Built && f.Folder == "" && f.File == d.File {
		f.Folder, f.File, f.Line = d.File, d.shownFile(), 0
	}
}

// Sort sorts findings, the worst first. Equal ones keep their order.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Kind.Rank(), b.Kind.Rank()) })
}
