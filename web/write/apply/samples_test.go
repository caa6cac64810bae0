package apply

import (
	"cmp"
	"encoding/json"
	"testing"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) {
	pagetest.Run(t, func(s pagetest.Text) map[string]page.Page {
		pages := map[string]page.Page{}
		for name, rows := range map[string][]contested{"conflict": nil, "ten conflicts": tenRows(s), "decided": decided(tenRows(s)[:4])} {
			m := fought(t) // only requests and their responses lead to a conflict
			m.Kind, m.Shell.Title, m.Shell.Assets = Kind, "Apply", shell.Assets{Stylesheet: "/static/fieldmark.css", Icon: "/static/icon.svg"}
			if rows != nil {
				m.live.docs[0].rows = rows
			}
			pages["in an apply preview, "+name] = m
		}
		inStages, _ := staged(t, &guide{}, definition+"---\n"+sighting("wren", "bird: wren")+"---\n"+sighting("robin", "brid: robin"))
		inStages.Kind, inStages.Shell.Title, inStages.Shell.Assets = Kind, "Apply", shell.Assets{Stylesheet: "/static/fieldmark.css", Icon: "/static/icon.svg"}
		pages["in an apply preview, in stages"] = *inStages
		return pages
	})
}

// tenRows are conflicts as a Deployment has them.
func tenRows(s pagetest.Text) []contested {
	var all []contested
	for _, c := range []struct{ path, live, yours, owner string }{
		{".metadata.annotations.example.com/contact", s.Quoted(), `"web@example.com"`, s.String()},
		{".metadata.labels.tier", `"front"`, `"web"`, "kubectl-edit"},
		{".spec.minReadySeconds", "10", "5", "kubectl-edit"},
		{".spec.replicas", "4", "5", "shop-autoscaler"},
		{".spec.strategy.rollingUpdate.maxSurge", `"25%"`, "1", "gitops"},
		{`.spec.template.spec.containers[name="web"].image`, `"registry.example/shop/storefront:1.8.2"`, `"registry.example/shop/storefront:1.9.0"`, "gitops"},
		{`.spec.template.spec.containers[name="web"].env[name="LOG_LEVEL"].value`, `"info"`, `"debug"`, "kubectl-edit"},
		{`.spec.template.spec.containers[name="web"].resources.limits.memory`, `"512Mi"`, `"1Gi"`, "vpa-recommender"},
		{`.spec.template.spec.containers[name="web"].resources.requests.cpu`, `"500m"`, `"0.5"`, "vpa-recommender"},
		{".spec.template.spec.terminationGracePeriodSeconds", "", "60", "gitops"},
	} {
		owner := ownership.Owner{Manager: ownership.Manager{Name: c.owner, Operation: ownership.Update}, Time: "1970-01-01T00:10:00Z"}
		r := contested{Conflict: change.Conflict{Path: c.path, Live: c.live, Yours: c.yours, Held: c.live != "", Sent: true}}
		if err := json.Unmarshal([]byte(cmp.Or(c.live, "null")), &r.LiveValue); err != nil {
			panic(err)
		}
		if err := json.Unmarshal([]byte(c.yours), &r.YourValue); err != nil {
			panic(err)
		}
		r.Owners = []change.Holder{{Owner: owner, Likely: change.LikelyController(owner.Manager, ownership.Record{}, 0)}}
		all = append(all, r)
	}
	return all
}

// decided are rows with each choice.
func decided(rows []contested) []contested {
	for i := range rows {
		rows[i].choice = append(choices, overwrite)[i%4]
	}
	return rows
}
