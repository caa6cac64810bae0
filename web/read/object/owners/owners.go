// Package owners is the Related tab of an object's page: the objects that own the object, and those that it owns.
package owners

import (
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the tab's state. It is a value.
type Model struct {
	Owners []dependents.Ref  `json:"owners"`
	Owned  []dependents.Ref  `json:"owned"`
	Search dependents.Search `json:"search"` // for owned objects
}

// tags are labels of an owner.
func tags(r dependents.Ref) []dependents.Tag {
	if r.Blocks && r.Controller {
		return []dependents.Tag{dependents.Blocks}
	}
	return nil
}

// asOf says when Fieldmark searched for the owned objects, by the reader's clock if the page runs in the browser.
func (m Model) asOf(about tab.About) string {
	return m.Search.At.In(about.Now.Location()).Format("15:04:05")
}
