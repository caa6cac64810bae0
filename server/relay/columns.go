package relay

import (
	"fmt"
	"sync"

	"github.com/fieldmark/fieldmark/kube/table"
)

// columnSets keeps one copy of columns that many feeds have. Their descriptions would be most of the memory of an idle feed. Columns
// are the same for everybody who may see the type.
type columnSets struct {
	mu   sync.Mutex
	sets map[string][]table.Column
}

// maxColumnSets bounds what is kept.
const maxColumnSets = 1000

// one returns the shared copy.
func (c *columnSets) one(columns []table.Column) []table.Column {
	key := fmt.Sprintf("%+v", columns)
	c.mu.Lock()
	defer c.mu.Unlock()
	if shared, ok := c.sets[key]; ok {
		return shared
	}
	if c.sets == nil || len(c.sets) >= maxColumnSets {
		c.sets = map[string][]table.Column{}
	}
	c.sets[key] = columns
	return columns
}
