package errorpage

import (
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestAPageOfAClusterThatIsNotReadyOpensByItself(t *testing.T) {
	for tone, pending := range map[components.Tone]bool{components.Bad: false, components.Busy: true} {
		p, _ := Model{Notice: components.Notice{Tone: tone}}.Awake(time.Time{})
		var reloads []bool
		var did []page.Cmd
		for range 2 {
			p, did = p.Update(page.Tick{})
			reloads = append(reloads, slices.Equal(did, []page.Cmd{page.Reload{}}))
		}
		if want := []bool{pending, pending}; !slices.Equal(reloads, want) {
			t.Errorf("pending %v: reloads %v", pending, reloads)
		}
		if _, did = p.Update(page.Addressed{}); !slices.Equal(did, []page.Cmd{page.Reload{}}) {
			t.Errorf("trying again does %v", did)
		}
	}
}
