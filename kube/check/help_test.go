package check

import (
	"strings"
	"testing"
)

func TestEachKindHasHelp(t *testing.T) {
	if len(help) != len(Kinds()) {
		t.Errorf("%d kinds have help, and there are %d", len(help), len(Kinds()))
	}
	for _, kind := range Kinds() {
		h := kind.Help()
		if h.Title == "" || strings.HasSuffix(h.Title, ".") || !strings.HasSuffix(h.Means, ".") || !strings.HasSuffix(h.Do, ".") {
			t.Errorf("%s: %+v", kind, h)
		}
	}
}
