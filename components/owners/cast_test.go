package owners_test

import (
	"fmt"
	"testing"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// A view of many objects meets managers one by one. Their hues are those of every other view, their initials differ, and a manager looks the
// same whatever API version it writes in.
func TestTheManagersOfManyObjects(t *testing.T) {
	var c owners.Cast
	alone := ownership.Manager{Name: "kubectl-create", Operation: ownership.Update, APIVersion: "v1"}
	if got := c.Of(alone); got.Hue != owners.Plain(alone).Hue || got.Initials != "KC" || got.APIVersion != "v1" {
		t.Errorf("alone: %+v", got)
	}
	names := []string{"kube-controller-manager", "kubectl-create", "kubectl-client-side-apply"}
	for _, name := range names {
		for _, version := range []string{"apps/v1", "v1"} {
			c.Meet(ownership.Manager{Name: name, Operation: ownership.Update, APIVersion: version})
		}
	}
	c.MeetAll([]ownership.Owner{{Manager: ownership.Manager{Name: "kubectl-create", Operation: ownership.Update, Subresource: "scale"}}})
	seen := map[string]string{}
	for _, name := range names {
		m := ownership.Manager{Name: name, Operation: ownership.Update, APIVersion: "apps/v1"}
		got, other := c.Of(m), c.Of(ownership.Manager{Name: name, Operation: ownership.Update, APIVersion: "v1"})
		if got.Hue != owners.Plain(m).Hue || got.Mark != 0 || other.Mark != 0 || got.Initials != other.Initials {
			t.Errorf("%+v and %+v", got, other)
		}
		if before := seen[got.Initials]; before != "" {
			t.Errorf("%s and %s are both %s", before, name, got.Initials)
		}
		seen[got.Initials] = name
	}
	scale := c.OfAll([]ownership.Owner{{Manager: ownership.Manager{Name: "kubectl-create", Operation: ownership.Update, Subresource: "scale"}}})
	if len(scale) != 1 || scale[0].Mark != 1 {
		t.Errorf("another manager of the same name has no mark: %+v", scale)
	}
}

func TestACastIsBounded(t *testing.T) {
	var c owners.Cast
	for i := range owners.MostCast + 10 {
		c.Meet(ownership.Manager{Name: fmt.Sprint("m", i), Operation: ownership.Apply})
	}
	last := ownership.Manager{Name: fmt.Sprint("m", owners.MostCast+5), Operation: ownership.Apply}
	if got := c.Of(last); got.Hue != owners.Plain(last).Hue || got.Mark != 0 {
		t.Errorf("%+v", got)
	}
}
