package census

import (
	"sync"

	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/migrate/planning"
)

// owners is the listing of one pass. Pages read it while the pass fills it.
type owners struct {
	mu  sync.Mutex
	all planning.Listing
}

// beside is a plan that also fills the listing.
func (o *owners) beside(p reading.Plan) reading.Plan {
	take, lose := p.Take, p.Lost
	p.Take = func(t discovery.Type, raw []byte) {
		take(t, raw)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all.Take(t, raw)
	}
	p.Lost = func(t discovery.Type) {
		lose(t)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all.Lose(t)
	}
	return p
}

func (o *owners) of(owner string) ([]planning.Owned, []planning.Listed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Owners(), o.all.Objects(owner)
}

func (o *owners) release(of string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Release(of)
}
