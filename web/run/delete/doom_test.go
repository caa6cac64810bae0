package deletion

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// namespaced is the page of a namespace with things in it.
func namespaced(t *testing.T, changes ...func(*Model)) Model {
	t.Helper()
	m, commands := begun(t, configMap(t, "7", ""), append([]func(*Model){func(m *Model) {
		m.Path = apipath.Object("", "v1", "", "namespaces", "shop")
		m.Type.Resource, m.Type.Kind, m.Type.Namespaced = "namespaces", "Namespace", false
		m.Options.Propagation = Orphan
		m.Doom = &Doom{
			Types: []DoomedType{{"configmaps", "/a", 1200}, {"persistentvolumeclaims", "/b", 1}},
			Finalizers: []HeldBy{
				{"kubernetes.io/pvc-protection", 1, []apipath.Path{apipath.Object("", "v1", "shop", "persistentvolumeclaims", "data")}},
				{"tea.example/brewed", 3, []apipath.Path{apipath.Object("tea.example", "v1", "shop", "teas", "green")}},
			},
			Volumes: []Volume{{"pv-1", "data", "Delete", "5Gi"}, {"pv-2", "more", "Retain", "1Gi"}},
			Search:  dependents.Search{Finished: true},
		}
	}}, changes...)...)
	dry := sent(t, commands)
	m, _ = after(t, m, reply(dry.ID, 200, success))
	return m
}

func shown(t *testing.T, m Model) string {
	t.Helper()
	var out bytes.Buffer
	if err := page.Main(m).Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHeldObjectsLeadToTheActOnceTheDeletionHasBegun: before, they lead to their pages.
func TestHeldObjectsLeadToTheActOnceTheDeletionHasBegun(t *testing.T) {
	going := namespaced(t, func(m *Model) {
		m.Object.Fields["metadata"].(map[string]any)["deletionTimestamp"] = "2026-01-01T00:00:00Z"
	})
	if got := shown(t, going); !strings.Contains(got, `href="/c/practice/-/act?act=remove-finalizer&amp;path=%2Fapis%2Ftea.example%2Fv1%2Fnamespaces%2Fshop%2Fteas%2Fgreen"`) {
		t.Errorf("no act in %s", got)
	}
}

// TestWhatIsDeletedWithANamespace: the page lists it, and offers no option that changes nothing.
func TestWhatIsDeletedWithANamespace(t *testing.T) {
	m := namespaced(t)
	got := shown(t, m)
	for _, want := range []string{
		"1,201 objects of 2 types will be deleted:", `data-doomed="configmaps"`, "On 3 objects. Kubernetes doesn’t remove this finalizer itself.", "On 1 object. The volume protection",
		`href="/c/practice/apis/tea.example/v1/namespaces/shop/teas/green"`, ">teas/green</a>", "and 2 more", ">persistentvolumeclaims/data</a>",
		"is deleted with its data (reclaim policy Delete)", "stays with its data", "Fieldmark listed ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if strings.Index(got, "tea.example/brewed") > strings.Index(got, "kubernetes.io/pvc-protection") {
		t.Error("a finalizer that nobody here removes comes last")
	}
	if strings.Contains(got, "what happens to the dependents") || !strings.Contains(string(m.request(false).Body), `"Background"`) {
		t.Errorf("a propagation without effect: %s", m.request(false).Body)
	}
	owner := namespaced(t, func(m *Model) { m.Owned = []dependents.Ref{{Kind: "Tea", Name: "a"}} })
	if !strings.Contains(shown(t, owner), "what happens to the dependents") || !strings.Contains(string(owner.request(false).Body), `"Orphan"`) {
		t.Error("where the namespace owns something, the propagation counts")
	}
	m.Doom.Search.Finished = false
	if got := m.Doom.sentence(); !strings.HasPrefix(got, "At least 1,201 objects") {
		t.Errorf("a search that didn't finish: %s", got)
	}
}

// TestTheNameIsTyped: on a cluster where something can be lost, no click alone deletes a namespace.
func TestTheNameIsTyped(t *testing.T) {
	m := namespaced(t)
	for _, typed := range []string{"", "sho", "Shop"} {
		m, commands := after(t, m, page.Typed{Field: fieldName, Text: typed}, page.Acted{Action: doDelete})
		if !strings.HasPrefix(m.unready(), "Type the name shop") || len(commands) > 0 {
			t.Errorf("after %q: %q, %v", typed, m.unready(), commands)
		}
	}
	m, commands := after(t, m, page.Typed{Field: fieldName, Text: " shop "}, page.Acted{Action: doDelete})
	if got := sent(t, commands); strings.Contains(got.Path, "dryRun") || m.live.real == nil {
		t.Errorf("the name was typed, and %+v is sent", got)
	}
	practice := namespaced(t, func(m *Model) { m.Shell.Cluster.Practice = true })
	if practice.unready() != "" || strings.Contains(shown(t, practice), "Type the name") {
		t.Errorf("on the practice cluster: %q", practice.unready())
	}
	definition := namespaced(t, func(m *Model) {
		m.Type.Group, m.Type.Resource = "apiextensions.k8s.io", "customresourcedefinitions"
	})
	if definition.unready() == "" {
		t.Error("a CustomResourceDefinition is deleted by one click")
	}
	one, commands := begun(t, configMap(t, "7", ""))
	if one, _ = after(t, one, reply(sent(t, commands).ID, 200, success)); one.unready() != "" {
		t.Errorf("a ConfigMap: %q", one.unready())
	}
}
