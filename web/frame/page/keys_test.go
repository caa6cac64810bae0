package page

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/components"
)

type keyed struct {
	Page
	keys [][]string
}

func (k keyed) Keys() (keys []components.Key) {
	for _, names := range k.keys {
		keys = append(keys, components.Key{Keys: names})
	}
	return keys
}

func TestADocumentHoldsTheKeysOfItsHelp(t *testing.T) {
	cases := map[string]struct {
		keys [][]string
		want []string
	}{
		"none":                      {nil, []string{":", "?", "Escape"}},
		"letters":                   {[][]string{{"j", "k"}, {"G"}}, []string{":", "?", "Escape", "G", "j", "k"}},
		"twice":                     {[][]string{{"s"}, {"s"}}, []string{":", "?", "Escape", "s"}},
		"a range":                   {[][]string{{"1", "…", "4"}}, []string{"1", "2", "3", "4", ":", "?", "Escape"}},
		"Delete":                    {[][]string{{"Delete"}}, []string{":", "?", "Delete", "Escape"}},
		"the browser's, until then": {[][]string{{"/"}, {"Enter"}, {"←", "Home"}, {"Ctrl Shift C"}, {"F6"}, {"Esc"}}, []string{":", "?", "Escape"}},
	}
	for name, c := range cases {
		if got := keyNames(keyed{keys: c.keys}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
