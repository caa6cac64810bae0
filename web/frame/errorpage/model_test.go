package errorpage

import (
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestAPageOfAClusterThatIsNotReadyOpensByItself(t *testing.T) {
	for _, pending := range []bool{false, true} {
		p, _ := Model{Pending: pending}.Awake(time.Time{})
		var reloads []bool
		var did []page.Cmd
		for range 4 {
			p, did = p.Update(page.Tick{})
			reloads = append(reloads, slices.Equal(did, []page.Cmd{page.Reload{}}))
		}
		if want := []bool{false, pending, false, pending}; !slices.Equal(reloads, want) {
			t.Errorf("pending %v: reloads %v", pending, reloads)
		}
		if _, did = p.Update(page.Addressed{}); !slices.Equal(did, []page.Cmd{page.Reload{}}) {
			t.Errorf("trying again does %v", did)
		}
	}
}
