// Package removal knows which API versions Kubernetes drops, and in which release.
//
//	lifecycle.tsv  what the source of one release says about each kind; dev/removals makes it
//	older.tsv      kinds that are no longer in that source, by hand
//
// The source also names removals that are planned for later releases. Plans change, so Of says for which release the table was made.
package removal

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/release"
)

// Guide is the page of Kubernetes that says what to change in manifests for each removal.
const Guide = "https://kubernetes.io/docs/reference/using-api/deprecation-guide/"

//go:embed lifecycle.tsv
var lifecycle string

//go:embed older.tsv
var older string

// Removal is a kind in a version of its group that Kubernetes drops, or will drop.
type Removal struct {
	Group, Version, Kind string
	Deprecated           release.Version // in which release it became deprecated
	Removed              release.Version // the first release that doesn't serve it; unknown: no release is planned
	// Replacement is the apiVersion to use instead, with the kind if that is another one. It is empty if Kubernetes names none.
	Replacement string
	// Source is where the row comes from.
	Source string
}

// APIVersion is the apiVersion that is dropped.
func (r Removal) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// Table has the removals.
type Table struct {
	MadeFor release.Version // of which release the source was read
	rows    map[key]Removal
	order   []key
}

type key struct{ group, version, kind string }

// Of is the table. Rows that can't be read are an error, which a test prevents.
func Of() (Table, error) {
	t := Table{rows: map[key]Removal{}}
	for _, text := range []string{older, lifecycle} {
		if err := t.read(text); err != nil {
			return Table{}, err
		}
	}
	return t, nil
}

// Find finds a kind in a version of its group.
func (t Table) Find(group, version, kind string) (Removal, bool) {
	r, found := t.rows[key{group, version, kind}]
	return r, found
}

// All are the removals, in the order of the files.
func (t Table) All() []Removal {
	all := make([]Removal, 0, len(t.order))
	for _, k := range t.order {
		all = append(all, t.rows[k])
	}
	return all
}

// Knows tells whether the table can say what a release drops. It can't for releases after the one that it was made for: it has only plans.
func (t Table) Knows(v release.Version) bool { return v.Known() && v <= t.MadeFor }

// Until is the last release for which the table has something: a plan, or the release after the one that it was made for.
func (t Table) Until() release.Version {
	last := t.MadeFor + 1
	for _, r := range t.rows {
		last = max(last, r.Removed)
	}
	return last
}

// read adds the rows of a file. Its comments say what it was made for, and from what.
func (t *Table) read(text string) error {
	source := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if said, ok := strings.CutPrefix(line, "# made for\t"); ok {
			t.MadeFor = release.Of(said)
		}
		if said, ok := strings.CutPrefix(line, "# from\t"); ok {
			source = said
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 6 {
			return fmt.Errorf("the table of removals has a row with %d cells instead of 6: %q", len(cells), line)
		}
		k := key{cells[0], cells[1], cells[2]}
		if _, twice := t.rows[k]; !twice {
			t.order = append(t.order, k)
		}
		t.rows[k] = Removal{Group: k.group, Version: k.version, Kind: k.kind, Deprecated: release.Of(cells[3]), Removed: release.Of(cells[4]), Replacement: cells[5], Source: source}
	}
	return nil
}
