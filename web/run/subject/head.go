package subject

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Above is the head of the page of a subject. live says whether the page follows what it shows; nil: it doesn't.
func (s Subject) Above(live *components.Liveness) page.Head {
	return page.Head{
		Where: s.Shell.Anatomy(), Small: page.Text(s.subtitle()), Live: live, Below: components.Tabs("Views of this object", s.tabs()),
	}
}
