package check

import (
	"encoding/json"
	"testing"
	"time"
)

// Scripts rely on these names.
func TestReportAsJSON(t *testing.T) {
	findings := Judge(contest("me", "kube-controller-manager/scale Update").input(t))
	for i := range findings {
		findings[i].Ways = findings[i].Ways[:min(1, len(findings[i].Ways))]
	}
	Expect(findings, []Rule{{Findings: []Kind{Changed}, Reason: "Tried out.", Until: "2027-01-31"}}, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	r := ReportOf("me", 1, findings)
	got, err := json.Marshal(r)
	want := `{"apiVersion":"fieldmark.dev/v1","kind":"Check","manager":"me","findings":[` +
		`{"finding":"conflict","object":{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"web"},"path":".spec.replicas","file":"web.yaml","line":8,"live":5,"stated":3,` +
		`"owners":[{"manager":"kube-controller-manager","operation":"Update","subresource":"scale","apiVersion":"apps/v1","time":"2026-01-02T03:04:05Z"}],` +
		`"why":"On the server, the field has another value, owned by kube-controller-manager (Update, scale). The API server refuses the apply, unless it is forced. The owner will probably write its value again. kube-controller-manager is the name of a known controller.",` +
		`"ways":[{"way":"give-up","text":"--- web.yaml\n+++ web.yaml\n@@ -5,4 +5,3 @@\n   namespace: shop\n spec:\n   paused: true\n-  replicas: 3 # three\n"}]},` +
		`{"finding":"changed","object":{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"web"},"path":".spec.paused","file":"web.yaml","line":7,"stated":true,"owners":[],` +
		`"why":"You set the field to true. You become the only owner.","ways":[],"expected":{"reason":"Tried out.","until":"2027-01-31"}}],"counts":{"conflict":1},"documents":1,"unjudged":0}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if r.Expected() != 1 || !r.Fails(FailOn()) || r.Fails([]Kind{Changed, Extra}) {
		t.Errorf("%+v", r)
	}
	if got, err := json.Marshal(ReportOf("me", 0, nil)); err != nil || string(got) != `{"apiVersion":"fieldmark.dev/v1","kind":"Check","manager":"me","findings":[],"counts":{},"documents":0,"unjudged":0}` {
		t.Errorf("%v, %s", err, got)
	}
}
