package page

import (
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/a-h/templ"
)

// inParts is a page that has so many of its parts.
type inParts struct {
	Frame
	has []int
}

func (p inParts) Awake(time.Time) (Page, []Cmd) { return p, nil }
func (p inParts) Update(Msg) (Page, []Cmd)      { return p, nil }
func (p inParts) Content() templ.Component      { return Text("") }

// parted is a page of so many parts, each of which only adds itself.
func parted(n int) inParts {
	has := []int{}
	p := inParts{Frame: Frame{Rest: &Rest{}}}
	for i := range n {
		p.Rest.Parts = append(p.Rest.Parts, func() Page {
			has = append(has, i)
			return inParts{has: slices.Clone(has)}
		})
	}
	return p
}

// TestTheWholePageHasEachPart: also one that no place in the document has asked for.
func TestTheWholePageHasEachPart(t *testing.T) {
	whole, ok := AllOf(parted(3)).(inParts)
	if !ok || !slices.Equal(whole.has, []int{0, 1, 2}) {
		t.Errorf("got %+v", whole)
	}
	if p, _ := AllOf(whole).(inParts); len(p.has) != 3 {
		t.Errorf("a page of which nothing is coming became %+v", p)
	}
	shown := Await(parted(2), 0, "", func(p inParts) templ.Component {
		if !slices.Equal(p.has, []int{0}) {
			t.Errorf("the first part was shown of %+v", p)
		}
		return Text("")
	})
	if err := shown.Render(context.Background(), io.Discard); err != nil {
		t.Error(err)
	}
}
