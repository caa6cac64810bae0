package shell

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

// The cookies of the list of types. The browser sends them with each request, so that the first HTML has the reader's own list, and nothing moves when a
// script starts.
const (
	FavouritesCookie = "fieldmark-favorites"
	FoldsCookie      = "fieldmark-folds"
)

// The bounds of what a cookie can say.
const (
	mostFavourites = 24
	mostFolds      = 64
	mostInCookie   = 2 << 10 // bytes
)

// usual name the types that most visits are for, in the order in which people look at them.
var usual = []string{"pods", "deployments.apps", "services", "configmaps", "nodes", "events", "namespaces"}

// Preferences are what the reader chose for the list of types.
type Preferences struct {
	Chosen     bool     `json:"chosen,omitempty"`     // Favourites are the reader's, else the usual ones
	Favourites []string `json:"favourites,omitempty"` // full names of types
	// Folds says which groups the reader opened (true) and closed (false), by their ids. All others are as usual.
	Folds map[string]bool `json:"folds,omitempty"`
}

// none is the value of a cookie that says that there are no favorites.
const none = "-"

// ReadPreferences reads the values of both cookies. Anything that no page writes is left out.
func ReadPreferences(favourites, folds string) Preferences {
	var p Preferences
	if favourites != "" && len(favourites) <= mostInCookie {
		p.Chosen = true
		for name := range strings.SplitSeq(favourites, "|") {
			if isPlainName(name) && name != none && len(p.Favourites) < mostFavourites && !slices.Contains(p.Favourites, name) {
				p.Favourites = append(p.Favourites, name)
			}
		}
	}
	if len(folds) > mostInCookie {
		return p
	}
	for fold := range strings.SplitSeq(folds, "|") {
		id, open := strings.CutPrefix(fold, "+")
		if !open {
			id = strings.TrimPrefix(fold, "-")
		}
		if id != fold && isPlainName(id) && len(p.Folds) < mostFolds {
			if p.Folds == nil {
				p.Folds = map[string]bool{}
			}
			p.Folds[id] = open
		}
	}
	return p
}

// isPlainName tells whether a word has only letters that names of types and groups have.
func isPlainName(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-'
	})
}

// FavouritesValue is the value of the cookie of the favorites.
func (p Preferences) FavouritesValue() string {
	switch {
	case !p.Chosen:
		return ""
	case len(p.Favourites) == 0:
		return none
	default:
		return strings.Join(p.Favourites, "|")
	}
}

// Toggled adds a type to the favorites, or removes it. If there are too many, it changes nothing, and ok is false.
func (p Preferences) Toggled(name string) (next Preferences, ok bool) {
	names := usual
	if p.Chosen {
		names = p.Favourites
	}
	names = slices.Clone(names)
	p.Chosen = true
	if i := slices.Index(names, name); i >= 0 {
		p.Favourites = slices.Delete(names, i, i+1)
		return p, true
	}
	p.Favourites = slices.Concat(names, []string{name})
	return p, isPlainName(name) && len(names) < mostFavourites && len(p.FavouritesValue()) <= mostInCookie
}

// Favourites are the reader's favorite types, as far as the server has them, or else those that most visits are for. The sidebar and the palette show them
// first.
func (m Model) Favourites() []discovery.Type {
	var all []discovery.Type
	listable := m.Catalog.Listable()
	for _, name := range m.favouriteNames() {
		if i := slices.IndexFunc(listable, func(t discovery.Type) bool { return t.FullName() == name }); i >= 0 {
			all = append(all, listable[i])
		}
	}
	return all
}

func (m Model) favouriteNames() []string {
	if m.Preferences.Chosen {
		return m.Preferences.Favourites
	}
	return usual
}

// IsFavourite tells whether a type is one of the favorites.
func (m Model) IsFavourite(t discovery.Type) bool {
	return slices.Contains(m.favouriteNames(), t.FullName())
}

// DoFavourite is the beginning of the action that adds a type to the favorites, or removes it. The full name of the type follows.
const DoFavourite = "favorite "

// FavouriteForm is the id of the form that does the same without scripts. Its field FavouriteField is the full name of a type.
const (
	FavouriteForm  = "favorite-form"
	FavouriteField = "type"
)

// StarOf is the star of a type: what it does, in words.
func (m Model) starOf(t discovery.Type) string {
	if m.IsFavourite(t) {
		return "Remove " + Plural(t) + " from favorites"
	}
	return "Add " + Plural(t) + " to favorites"
}
