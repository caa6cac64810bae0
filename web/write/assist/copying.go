package assist

import (
	"cmp"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// copied copies the fight: the field, its managers, and the values that the first two of them want. The page knows no value of a Secret.
func (m Model) copied(form components.CopyForm) []page.Cmd {
	f := m.fighting()
	fight := copying.Fight{
		Object: plain.Object(m.Type.Kind, m.Path.Namespace, m.Path.Name), Path: f.Path,
		Returns: "its value changed " + words.Count(int64(f.Values), "time", "times") + " while Fieldmark watched",
	}
	for _, p := range m.parties() {
		fight.Managers = append(fight.Managers, m.face(p.Manager))
	}
	for i, want := range f.Wants[:min(len(f.Wants), len(fight.Values))] {
		fight.Values[i] = short(cmp.Or(want.Value, "no value"))
	}
	return page.CopyAs(form, fight)
}
