package object

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// through are the subresources that the object can be written through: those whose writes have entries of their own in
// managedFields, and those that ownership does not follow, because they take something else than the object. A Scale is the one
// exception: servers know which field it means.
func (m Model) through() (followed, lost []string) {
	for _, s := range m.Type.Subresources {
		switch {
		case !slices.ContainsFunc([]string{"create", "update", "patch"}, s.Can), apipath.SubresourceOf(m.Shell.Path, s.Name).Connects():
		case s.Kind == m.Type.Kind, s.Kind == "Scale":
			followed = append(followed, s.Name)
		default:
			lost = append(lost, s.Name)
		}
	}
	return followed, lost
}

// subresourceWords say what becomes of ownership where the object is written through its subresources.
func (m Model) subresourceWords() []string {
	followed, lost := m.through()
	var words []string
	if len(followed) > 0 {
		words = append(words, "What is written through "+and(followed)+" has entries of its own, which name the subresource.")
	}
	if len(lost) > 0 {
		words = append(words, "Ownership does not follow "+and(lost)+": such a request holds something else than "+m.Type.Kind+", and what it changes here is credited to nobody.")
	}
	return words
}
