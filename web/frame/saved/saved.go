// Package saved has the views of collections that a reader has saved under a name: columns, selectors, order and filter, as the query of an address. The
// browser keeps them; see page.Keep.
package saved

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

// Key is the key in the browser's storage.
const Key = "views"

// The bounds of a book, so that it fits into the browser's storage.
const (
	MostName  = 60 // characters
	mostViews = 100
	mostQuery = 4 << 10 // bytes
)

// View is a saved view of the collections of one type.
type View struct {
	Name      string `json:"name"`
	Cluster   string `json:"cluster,omitempty"` // slug; empty: the view is for all clusters
	Group     string `json:"group,omitempty"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"` // empty: all namespaces
	Query     string `json:"query,omitempty"`     // of the collection's page
}

// Of tells whether a view is for a type in a cluster.
func (v View) Of(slug string, t discovery.Type) bool {
	return v.Group == t.Group && v.Resource == t.Resource && (v.Cluster == "" || v.Cluster == slug)
}

// Address is the address of the view, of a type that the cluster serves.
func (v View) Address(slug string, t discovery.Type) string {
	namespace := v.Namespace
	if !t.Namespaced {
		namespace = ""
	}
	address := web.Page(slug, apipath.Collection(t.Group, t.Version, namespace, t.Resource).String())
	if v.Query != "" {
		address += "?" + v.Query
	}
	return address
}

// same tells whether two views can't exist at the same time.
func (v View) same(o View) bool {
	return v.Name == o.Name && v.Cluster == o.Cluster && v.Group == o.Group && v.Resource == o.Resource
}

// Book is all saved views, sorted by name.
type Book []View

// Read reads what String writes. Anything else is an empty book, and views that no page writes are left out.
func Read(text string) Book {
	var all Book
	if json.Unmarshal([]byte(text), &all) != nil {
		return nil
	}
	var kept Book
	for _, v := range all {
		if v.valid() && len(kept) < mostViews {
			kept = append(kept, v)
		}
	}
	return kept
}

func (v View) valid() bool {
	return Cleaned(v.Name) == v.Name && v.Name != "" && v.Resource != "" && len(v.Query) <= mostQuery && !strings.ContainsAny(v.Query, "#\r\n\t ")
}

// String is the book as the browser keeps it; empty if there is no view.
func (b Book) String() string {
	if len(b) == 0 {
		return ""
	}
	text, err := json.Marshal(b)
	if err != nil {
		return "" // texts don't fail
	}
	return string(text)
}

// Cleaned is a name without white space at its ends, control characters, and what is too long.
func Cleaned(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }), " ")
	for utf8.RuneCountInString(name) > MostName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = strings.TrimRight(name[:len(name)-size], " ")
	}
	return name
}

// Refused says why a view can't be saved.
type Refused string

// The reasons.
const (
	NoName   Refused = "Type a name for the view."
	Full     Refused = "This browser has 100 views. Delete one first."
	TooLong  Refused = "The selectors and the filter are too long to be saved."
	Existing Refused = "Another view has this name already."
)

// With is the book with a view. A view of the same name, type and cluster is replaced.
func (b Book) With(v View) (Book, Refused) {
	v.Name = Cleaned(v.Name)
	without := slices.DeleteFunc(slices.Clone(b), v.same)
	switch {
	case v.Name == "":
		return b, NoName
	case len(v.Query) > mostQuery:
		return b, TooLong
	case len(without) >= mostViews:
		return b, Full
	}
	without = append(without, v)
	slices.SortStableFunc(without, func(a, b View) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return without, ""
}

// Without is the book without a view.
func (b Book) Without(v View) Book { return slices.DeleteFunc(slices.Clone(b), v.same) }

// Renamed is the book with another name of a view.
func (b Book) Renamed(v View, name string) (Book, Refused) {
	next := v
	next.Name = Cleaned(name)
	if next.Name != v.Name && slices.ContainsFunc(b, next.same) {
		return b, Existing
	}
	if next.Name == "" {
		return b, NoName
	}
	return b.Without(v).With(next)
}

// For are the views of a type in a cluster.
func (b Book) For(slug string, t discovery.Type) Book {
	return slices.DeleteFunc(slices.Clone(b), func(v View) bool { return !v.Of(slug, t) })
}
