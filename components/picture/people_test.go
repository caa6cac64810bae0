package picture

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// stripe is a manager in a drawing: its hue and its initials.
var stripe = regexp.MustCompile(`<rect class="hue-(\d)"[^>]*></rect>\s*<text class="initials"[^>]*>([^<]*)</text>`)

// A manager has the same hue and the same initials in a drawing as beside the lines of an object.
func TestManagersLookAsInTheGutter(t *testing.T) {
	update := func(name, subresource string) ownership.Owner {
		var o ownership.Owner
		o.Name, o.Operation, o.Subresource = name, "Update", subresource
		return o
	}
	apply := func(name string) ownership.Owner {
		var o ownership.Owner
		o.Name, o.Operation = name, ownership.Apply
		return o
	}
	told := map[string][]ownership.Owner{
		"three-ways-out":   {apply("ada"), apply("ben")},
		"merge-strategies": {apply("ada"), apply("ben")},
		"managed-fields":   {apply("ada"), update("scaler", "scale"), update("kube-controller-manager", "status")},
		"hand-over":        {apply("ada"), apply("hand-over"), update("autoscaler", "scale")},
	}
	for _, name := range Names() {
		var b strings.Builder
		if err := All[name].Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		hues := map[string]int{}
		for _, m := range owners.Of(told[name]) {
			hues[components.Initials(m.Owner.Name)] = m.Hue
		}
		stripes := stripe.FindAllStringSubmatch(b.String(), -1)
		if (len(stripes) > 0) != (len(hues) > 0) {
			t.Errorf("%s: %d managers are drawn, and %d are known", name, len(stripes), len(hues))
		}
		for _, found := range stripes {
			if found[1] != strconv.Itoa(hues[found[2]]) {
				t.Errorf("%s: %s has the hue %s, and %d beside the lines of an object", name, found[2], found[1], hues[found[2]])
			}
		}
	}
}
