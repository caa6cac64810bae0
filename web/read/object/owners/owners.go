// Package owners is the Owners tab of an object's page: what owns the object, and what it owns.
package owners

import (
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the tab's state. It is a value.
type Model struct {
	Owners []dependents.Ref  `json:"owners"`
	Owned  []dependents.Ref  `json:"owned"`
	Search dependents.Search `json:"search"` // for what is owned
}

// tags are what is to be said of an owner.
func tags(r dependents.Ref) []dependents.Tag {
	if r.Blocks && r.Controller {
		return []dependents.Tag{dependents.Blocks}
	}
	return nil
}

// asOf is when the owned objects were looked for, by the reader's clock where there is one.
func (m Model) asOf(about tab.About) string {
	return m.Search.At.In(about.Now.Location()).Format("15:04:05")
}
