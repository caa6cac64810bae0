package picture

import (
	"strings"
	"testing"
)

func TestEveryPictureIsTold(t *testing.T) {
	for _, name := range Names() {
		var b strings.Builder
		if err := All[name].Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		html := b.String()
		for _, has := range []string{`data-picture="` + name + `"`, `role="img"`, "<title>", "<desc>", "<figcaption>"} {
			if strings.Count(html, has) != 1 {
				t.Errorf("%s has %d times %s", name, strings.Count(html, has), has)
			}
		}
		if description := between(html, "<desc>", "</desc>"); len(description) < 100 {
			t.Errorf("%s is told as %q, which can't be all that it shows", name, description)
		}
		if strings.Contains(html, ` id="`) {
			t.Errorf("%s has an id, so that it can't stand on a page with another", name)
		}
	}
}

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

func TestRoute(t *testing.T) {
	for _, c := range []struct {
		xy         []int
		line, head string
	}{
		{nil, "", ""},
		{[]int{10, 10}, "M10 10", ""},
		{[]int{10, 10, 50, 10}, "M10 10L50 10", "M50 10L42 14L42 6Z"},
		{[]int{0, 0, 0, 40, 40, 40}, "M0 0L0 32Q0 40 8 40L40 40", "M40 40L32 44L32 36Z"},
		{[]int{0, 0, 0, 6, 40, 6}, "M0 0L0 3Q0 6 8 6L40 6", "M40 6L32 10L32 2Z"}, // a corner takes no more than half of a short piece
		{[]int{5, 5, 5, 5, 9, 5}, "M5 5L5 5Q5 5 7 5L9 5", "M9 5L1 9L1 1Z"},
		{[]int{0, 0, 30, 40}, "M0 0L30 40", "M30 40L22 36L28.4 31.2Z"},
		{[]int{7, 7, 7, 7}, "M7 7L7 7", ""}, // an arrow that leads nowhere has no head
	} {
		if got := route(c.xy...); got != c.line {
			t.Errorf("route through %v: %s, wanted %s", c.xy, got, c.line)
		}
		if got := head(c.xy...); got != c.head {
			t.Errorf("head at the end of %v: %s, wanted %s", c.xy, got, c.head)
		}
	}
}
