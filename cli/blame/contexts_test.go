package blame

import (
	"errors"
	"strings"
	"testing"
)

// Differences come first, with the contexts that have the same value together, and a context that doesn't respond is a line of the table.
func TestContextsAreCompared(t *testing.T) {
	there := []inContext{
		{name: "a", space: "shop", all: []Written{written(t, shared)}},
		{name: "b", space: "shop", all: []Written{written(t, strings.Replace(shared, `"colour":"green"`, `"colour":"red"`, 1))}},
		{name: "c", space: "shop", all: []Written{written(t, strings.ReplaceAll(shared, `"manager":"ada"`, `"manager":"eve"`))}},
		{name: "d", space: "shop"},
		{name: "e\x1b[2J", err: errors.New("the API server did not respond within 5s")},
	}
	compared := options{}.compare(there)
	const want = `ConfigMap shop/shared
    a, b, c  there
    d        not there
  .data.colour
    a  colour: green   ← ada (Apply)
    b  colour: red     ← ada (Apply)
    c  colour: green   ← eve (Apply)
  .data.size
    a, b  size: "10"   ← ada (Apply), ben (Update, scale)
    c     size: "10"   ← ben (Update, scale), eve (Apply)

CONTEXT  STATE
a        1 object
b        1 object
c        1 object
d        0 objects
`
	if got := compared.text(); !strings.HasPrefix(got, want) || !strings.Contains(got, "did not respond within 5s") || strings.Contains(got, "\x1b") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := compared.markdown(); !strings.Contains(got, "| ConfigMap shop/shared | .data.colour | b | colour: red ← ada (Apply) |") {
		t.Error(got)
	}
	field := options{field: "data.text"}.compare(there[:2])
	if len(field.Differences) != 1 || len(field.Differences[0].Values) != 1 || !strings.Contains(field.text(), "a, b  text: | … (2 more lines)") {
		t.Error(field.text())
	}
}
