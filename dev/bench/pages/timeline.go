package pages

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// timelineVisit is what was seen of the Timeline of an object that changed all the time.
type timelineVisit struct {
	frames
	Still    float64 `json:"still"` // 95th percentile of the frames, before anything happened
	Block    float64 `json:"block"` // the longest that the main thread was not free
	Load     float64 `json:"load"`  // the part of a core that the main thread took
	Memory   float64 `json:"memory"`
	Made     float64 `json:"made"`     // versions that there were
	Recorded float64 `json:"recorded"` // … and that the page has
	Rate     float64 `json:"rate"`     // versions a second
}

// timelineVisits are all of them.
type timelineVisits []timelineVisit

const (
	timelineRounds  = 3
	timelineChanges = 100 // a second
	timelineSeconds = 15
	timelineSpace   = "bench-timeline"
	timelineObject  = "/apis/apps/v1/namespaces/" + timelineSpace + "/deployments/shop"
)

// timelineManifest is a Deployment as people have them. Labels are changed, because no controller writes again for those: so
// there are as many versions as changes.
const timelineManifest = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"shop","labels":{"app":"shop"}},
"spec":{"replicas":2,"selector":{"matchLabels":{"app":"shop"}},"template":{"metadata":{"labels":{"app":"shop"}},"spec":{"containers":[
{"name":"app","image":"registry.example/app:1","args":["--serve"],"ports":[{"name":"http","containerPort":8080}],
"env":[{"name":"MODE","value":"live"},{"name":"LEVEL","value":"info"}],"resources":{"requests":{"cpu":"100m","memory":"64Mi"},"limits":{"memory":"128Mi"}},
"readinessProbe":{"httpGet":{"path":"/ready","port":"http"}},"livenessProbe":{"httpGet":{"path":"/live","port":"http"}}},
{"name":"side","image":"registry.example/side:1","ports":[{"name":"metrics","containerPort":9090}]}]}}}}`

// measureTimeline watches a Deployment in a real browser while two managers fight over it.
func measureTimeline(ctx context.Context, l *lab.Lab) (timelineVisits, error) {
	if err := l.MakeNamespace(ctx, timelineSpace); err != nil {
		return nil, err
	}
	collection := strings.TrimSuffix(timelineObject, "/shop") + "?fieldManager=bench-deployer"
	if err := l.Create(ctx, collection, timelineManifest); err != nil {
		return nil, err
	}
	if err := l.Until(ctx, func() bool {
		_, text, err := l.Bare.Do(ctx, http.MethodGet, timelineObject, nil)
		return err == nil && strings.Contains(string(text), `"readyReplicas":2`)
	}); err != nil {
		return nil, err
	}
	var visits timelineVisits
	err := browser.Run(ctx, &visits, "pages/timeline", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName+timelineObject+"?tab=timeline",
		l.Fieldmark.Prefix+timelineObject, strconv.Itoa(timelineRounds), strconv.Itoa(timelineChanges), strconv.Itoa(timelineSeconds))
	return visits, err
}

func (all timelineVisits) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "Two managers change a Deployment of the practice cluster, %d times a second together, for %d s, while its Timeline is open in\n"+
		"Chromium. Browser, Fieldmark, API server and etcd share the cores. Milliseconds, but where it says otherwise; medians of %d visits with the range beside them.\n"+
		"Versions are counted by a watch of its own, besides the page's.\n\n| | | goal |\n|---|---|---|\n",
		timelineChanges, timelineSeconds, len(all))
	writeLines(b, all, []line[timelineVisit]{
		{"versions a second", fmt.Sprint(timelineChanges), func(v timelineVisit) float64 { return v.Rate }},
		{"versions that there were", "", func(v timelineVisit) float64 { return v.Made }},
		{"versions that the page has recorded", "every one", func(v timelineVisit) float64 { return v.Recorded }},
		{"frame, median", "", func(v timelineVisit) float64 { return v.P50 }},
		{"frame, 95th percentile", "≤ 17", func(v timelineVisit) float64 { return v.P95 }},
		{"the same, before anything happened", "", func(v timelineVisit) float64 { return v.Still }},
		{"frame, longest", "", func(v timelineVisit) float64 { return v.Max }},
		{"longest block of the main thread", "≤ 100", func(v timelineVisit) float64 { return v.Block }},
		{"percent of a core that the main thread took", "", func(v timelineVisit) float64 { return 100 * v.Load }},
		{"megabytes (2²⁰) of the program's memory in the end", "≤ 350", func(v timelineVisit) float64 { return v.Memory / (1 << 20) }},
	})
}
