package specimen

import "github.com/fieldmark/fieldmark/components/picture"

// pictures are the drawings of the field guide.
func pictures() Section {
	s := Section{Name: "pictures", Title: "Pictures", Note: "Drawings of the field guide, as lessons show them."}
	for _, name := range picture.Names() {
		s.Specimens = append(s.Specimens, Specimen{Name: "picture-" + name, Title: "The picture " + name, Shown: picture.All[name]})
	}
	return s
}
