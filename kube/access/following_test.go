package access

import (
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// TestFollowingIsReviewedAsItIsRequested: the reviews have what an API server reads from the two requests, and never more.
func TestFollowingIsReviewedAsItIsRequested(t *testing.T) {
	for name, c := range map[string]struct {
		path, query, want string
	}{
		"a namespace":     {"/api/v1/namespaces/n/pods", "", `"namespace":"n","resource":"pods","verb":"watch","version":"v1"`},
		"all namespaces":  {"/apis/apps/v1/deployments", "", `"group":"apps","resource":"deployments","verb":"watch","version":"v1"`},
		"labels":          {"/api/v1/pods", "labelSelector=a%3Db", `"labelSelector":{"rawSelector":"a=b"}`},
		"fields":          {"/api/v1/pods", "fieldSelector=spec.nodeName%3Dx", `"fieldSelector":{"rawSelector":"spec.nodeName=x"}`},
		"one object":      {"/api/v1/namespaces/n/pods", "fieldSelector=metadata.name%3Da.b-c", `"name":"a.b-c"`},
		"one object, ==":  {"/api/v1/namespaces/n/pods", "fieldSelector=metadata.name%3D%3Da", `"name":"a"`},
		"one namespace":   {"/api/v1/namespaces", "fieldSelector=metadata.name%3Dn", `"name":"n"`},
		"not this object": {"/api/v1/namespaces/n/pods", "fieldSelector=metadata.name!%3Da", `"resource":"pods"`},
		"two fields":      {"/api/v1/namespaces/n/pods", "fieldSelector=metadata.name%3Da,status.phase%3DRunning", `"resource":"pods"`},
		"an escape":       {"/api/v1/namespaces/n/pods", `fieldSelector=metadata.name%3Da%5C,b`, `"resource":"pods"`},
		"a dot":           {"/api/v1/namespaces/n/pods", "fieldSelector=metadata.name%3D..", `"resource":"pods"`},
	} {
		p, err := apipath.Parse(c.path)
		if err != nil {
			t.Fatal(err)
		}
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		all := Following(p, query)
		if len(all) != 2 || all[0].Verb != "watch" || all[1].Verb != "list" {
			t.Fatalf("%s: %+v", name, all)
		}
		text := string(all[0].Review())
		for _, part := range strings.Split(strings.Trim(c.want, ","), ",") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %s has no %s", name, text, part)
			}
		}
		if !strings.Contains(c.want, `"name":`) && strings.Contains(text, `"name":`) {
			t.Errorf("%s: %s has a name, so a rule for this name could allow it", name, text)
		}
	}
}
