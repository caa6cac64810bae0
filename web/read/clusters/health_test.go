package clusters

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// nodes is a Table of nodes with these values in the column Status.
func nodes(next string, states ...string) []byte {
	var rows []string
	for i, s := range states {
		name := "n" + string(rune('a'+i))
		rows = append(rows, `{"cells":["`+name+`","`+s+`"],"object":{"metadata":{"name":"`+name+`"}}}`)
	}
	return []byte(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"continue":"` + next + `"},"columnDefinitions":[{"name":"Name","type":"string","format":"name"},{"name":"Status","type":"string"}],"rows":[` + strings.Join(rows, ",") + `]}`)
}

func TestHealthSaysWhatTheResponsesSay(t *testing.T) {
	const failed = "[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\nreadyz check failed\n"
	for _, c := range []struct {
		read     func(page.Response) finding
		response page.Response
		want     finding
	}{
		{readyOf, page.Response{Status: 200, Body: []byte("ok")}, finding{"API server ready", components.Good}},
		{readyOf, page.Response{}, finding{"No response to /readyz", components.Bad}},
		{readyOf, page.Response{Status: 403}, finding{"You may not request /readyz", components.Calm}},
		{readyOf, page.Response{Status: 404}, finding{"The server has no /readyz", components.Calm}},
		{readyOf, page.Response{Status: 500, Body: []byte(failed)}, finding{"API server not ready: etcd, poststarthook/rbac/bootstrap-roles", components.Bad}},
		{readyOf, page.Response{Status: 503, Body: []byte("later")}, finding{"API server not ready (503)", components.Bad}},
		{nodesOf, page.Response{Status: 200, Body: nodes("", "Ready", "Ready,SchedulingDisabled")}, finding{"2 nodes ready", components.Good}},
		{nodesOf, page.Response{Status: 200, Body: nodes("x", "Ready")}, finding{"the first 1 node ready", components.Good}},
		{nodesOf, page.Response{Status: 200, Body: nodes("", "Ready", "NotReady", "Unknown")}, finding{"2 of 3 nodes not ready (nb, nc)", components.Warn}},
		{nodesOf, page.Response{Status: 200, Body: nodes("", "NotReady", "NotReady", "NotReady", "NotReady", "NotReady")}, finding{"5 of 5 nodes not ready (na, nb, nc and 2 more)", components.Warn}},
		{nodesOf, page.Response{Status: 200, Body: nodes("")}, finding{"No nodes", components.Calm}},
		{nodesOf, page.Response{Status: 200, Body: []byte("{")}, finding{"Fieldmark can’t read the list of nodes", components.Warn}},
		{nodesOf, page.Response{Status: 403}, finding{"You may not list nodes", components.Calm}},
		{nodesOf, page.Response{}, finding{"No response with the nodes", components.Warn}},
	} {
		if got := c.read(c.response); got != c.want {
			t.Errorf("%d %s: %+v, want %+v", c.response.Status, c.response.Body, got, c.want)
		}
	}
}

// Who may not list nodes is told so without a request that the server would refuse. Without an answer, the list itself shows it.
func TestHealthListsNodesOnlyWithPermission(t *testing.T) {
	m := Model{Entries: []Entry{{Cluster: shell.Cluster{Slug: "a"}, Usable: true, Tone: components.Good}}}
	p, _ := page.Page(m).Update(page.Tick{})
	for body, lists := range map[string]int{`{"kind":"SelfSubjectAccessReview","status":{"allowed":false}}`: 0, `{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`: 1, `gone`: 1} {
		after, sent := p.Update(page.Response{ID: mayID + "a", Status: 201, Body: []byte(body)})
		if len(sent) != lists || (after.(Model).live.health["a"].nodes == mayNotList) != (lists == 0) {
			t.Errorf("%s: %v, and %v", body, sent, after.(Model).live.health["a"])
		}
	}
}

// Only connected clusters are asked, a few at a time, each once.
func TestHealthIsRequestedOnceAndAFewAtATime(t *testing.T) {
	m := Model{Shared: true}
	for _, slug := range []string{"a", "b", "c", "d", "e"} {
		m.Entries = append(m.Entries, Entry{Cluster: shell.Cluster{Slug: slug}, Usable: true, Tone: components.Good})
	}
	m.Entries = append(m.Entries, Entry{Cluster: shell.Cluster{Slug: "locked"}, Usable: true, Tone: components.Warn}, Entry{Cluster: shell.Cluster{Slug: "far"}, Tone: components.Bad})
	p, first := page.Page(m).Update(page.Tick{})
	if len(first) != 2*mostAtOnce {
		t.Fatalf("%d requests at first", len(first))
	}
	if _, none := p.Update(page.Tick{}); len(none) != 0 {
		t.Errorf("%v while all wait", none)
	}
	p, _ = p.Update(page.Response{ID: readyID + "a", Status: 403})
	p, list := p.Update(page.Response{ID: mayID + "a", Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`)})
	if len(list) != 1 || list[0].(page.Call).Cluster != "a" || list[0].(page.Call).Path != nodesPath {
		t.Errorf("who may list nodes sends %v", list)
	}
	if _, none := p.Update(page.Tick{}); len(none) != 0 {
		t.Errorf("%v while the list of one waits", none)
	}
	p, _ = p.Update(page.Response{ID: nodesID + "a", Status: 200, Body: nodes("", "Ready")})
	p, second := p.Update(page.Tick{})
	if len(second) != 2 || second[0].(page.Call).Cluster != "e" {
		t.Errorf("then %v", second)
	}
	heir, _ := m.Inherit(p)
	if got := heir.(Model).live.health; len(got) != 1 || !got["a"].complete() {
		t.Errorf("after a reload: %v", got)
	}
	fresh, _ := p.Update(page.Addressed{})
	if heir, _ = m.Inherit(fresh); len(heir.(Model).live.health) != 0 {
		t.Error("Refresh doesn’t request the health again")
	}
	m.Refresh = true
	if _, first = page.Page(m).Update(page.Tick{}); len(first) != 0 {
		t.Errorf("%v while a cluster is starting", first)
	}
}
