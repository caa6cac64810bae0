package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Source is how Fieldmark learned of a fight.
type Source string

// The sources.
const (
	FromScan  Source = "scan"    // a contention scan
	FromWatch Source = "watched" // an object that the server watches
	FromPage  Source = "page"    // the recording of the page itself
)

// Known is a fight that was observed, not guessed, and how Fieldmark learned of it.
type Known struct {
	Fight
	From Source `json:"from"`
}

// MostKnown is how many fights a page knows of.
const MostKnown = 50

// KnownFor is how long a fight is known after its last return.
const KnownFor = time.Hour

// Merge returns each fight once, the worst first, and at most MostKnown. Of two reports about the same field, the one that saw more returns
// stays, with the later of the two times.
func Merge(all ...[]Known) []Known {
	var merged []Known
	for _, k := range slices.Concat(all...) {
		i := slices.IndexFunc(merged, func(other Known) bool {
			return other.Path == k.Path && other.Field == k.Field && other.Object.is(k.Object)
		})
		if i < 0 {
			merged = append(merged, k)
			continue
		}
		last := k.Last
		if merged[i].Last.After(last) {
			last = merged[i].Last
		}
		if k.Count > merged[i].Count {
			merged[i] = k
		}
		merged[i].Last = last
	}
	slices.SortStableFunc(merged, func(a, b Known) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.Path, b.Path))
	})
	return merged[:min(len(merged), MostKnown)]
}

// Of returns the fights over one object. The version in its path doesn't matter.
func Of(all []Known, path apipath.Path) []Known {
	var its []Known
	for _, k := range all {
		if k.Object.is(Object{Path: path.String()}) {
			its = append(its, k)
		}
	}
	return its
}

// Lately returns the fights that went on within KnownFor.
func Lately(all []Known, now time.Time) []Known {
	return slices.DeleteFunc(slices.Clone(all), func(k Known) bool { return now.Sub(k.Last) > KnownFor })
}

// is tells whether two values name the same object, perhaps in two versions of its type.
func (o Object) is(other Object) bool {
	if o.Path == other.Path {
		return true
	}
	if o.Path[strings.LastIndexByte(o.Path, '/')+1:] != other.Path[strings.LastIndexByte(other.Path, '/')+1:] {
		return false // their names differ, and paths take time to read
	}
	a, err := apipath.Parse(o.Path)
	if err != nil {
		return false
	}
	b, err := apipath.Parse(other.Path)
	return err == nil && a.Kind == b.Kind && a.Group == b.Group && a.Resource == b.Resource && a.Namespace == b.Namespace && a.Name == b.Name && a.Subresource == b.Subresource
}
