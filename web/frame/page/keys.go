package page

import "slices"

// keyNames are the keys that a document holds for its program, as KeyboardEvent.key has them: those that the page's help names, if they are one character, and a
// few of all pages. Enter, arrow keys and keys with Control are the browser's until the program is there.
func keyNames(p Page) []string {
	names := []string{"?", ":", "Escape"}
	keyed, ok := p.(Keyed)
	if !ok {
		return names
	}
	for _, k := range keyed.Keys() {
		for i, name := range k.Keys {
			switch {
			case name == "…":
				for c := k.Keys[i-1][0] + 1; c < k.Keys[i+1][0]; c++ {
					names = append(names, string(rune(c)))
				}
			case len(name) == 1 && name != "/", name == "Delete":
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
