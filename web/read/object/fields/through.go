package fields

import (
	"slices"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
)

// through are the subresources through which the object can be written, in three groups:
//
//   - followed: their writes have their own entries in managedFields
//   - scales: their body is a Scale; the new number is recorded only if a manager already owns the number of replicas
//   - lost: their body isn't the object, so their writes are not recorded
func (m on) through() (followed, scales, lost []string) {
	for _, s := range m.Type.Subresources {
		switch {
		case !slices.ContainsFunc([]string{"create", "update", "patch"}, s.Can), apipath.SubresourceOf(m.Path, s.Name).Connects():
		case s.Kind == m.Type.Kind:
			followed = append(followed, s.Name)
		case s.Kind == "Scale":
			scales = append(scales, s.Name)
		default:
			lost = append(lost, s.Name)
		}
	}
	return followed, scales, lost
}

// subresourceWords say who owns fields that are written through subresources.
func (m on) subresourceWords() []string {
	followed, scales, lost := m.through()
	var words []string
	if len(followed) > 0 {
		words = append(words, "Writes through "+owners.And(followed)+" have their own entries, which name the subresource.")
	}
	if len(scales) > 0 {
		words = append(words, "Writes through "+owners.And(scales)+" are recorded only if a manager already owns the number of replicas. Otherwise nobody owns the new value.")
	}
	if len(lost) > 0 {
		words = append(words, "Writes through "+owners.And(lost)+" aren’t recorded. The body of such a request isn’t a "+m.Type.Kind+", so nobody owns the fields that it changes.")
	}
	return words
}
