package upgrade

import (
	"encoding/json"
	"strings"
	"testing"
)

// object has entries of managedFields, each as "manager version".
func object(entries ...string) map[string]any {
	var list []any
	for i, e := range entries {
		name, version, _ := strings.Cut(e, " ")
		list = append(list, map[string]any{"manager": name, "operation": "Apply", "apiVersion": version, "time": "2026-01-0" + string(rune('1'+i)) + "T00:00:00Z"})
	}
	return map[string]any{"metadata": map[string]any{"namespace": "shop", "name": "w", "uid": "u", "resourceVersion": "7", "managedFields": list}}
}

func TestBlockedObjects(t *testing.T) {
	d := widgets(func(d *Definition) { d.Versions = d.Versions[:1] })[0]
	for _, test := range []struct {
		entries []string
		ways    map[string]string // the patch of each way, without the tests that all have
	}{
		{[]string{"new drop.example.com/v1"}, nil},
		{nil, nil},
		{[]string{"nobody "}, nil},
		{[]string{"old drop.example.com/v1beta1", "new drop.example.com/v1"}, map[string]string{
			WayRewrite: `{"op":"test","path":"/metadata/managedFields/0/manager","value":"old"},{"op":"replace","path":"/metadata/managedFields/0/apiVersion","value":"drop.example.com/v1"}`,
			WayClear:   `{"op":"test","path":"/metadata/managedFields/0/manager","value":"old"},{"op":"remove","path":"/metadata/managedFields/0"}`,
		}},
		{[]string{"old drop.example.com/v1beta1"}, map[string]string{
			WayRewrite: `{"op":"test","path":"/metadata/managedFields/0/manager","value":"old"},{"op":"replace","path":"/metadata/managedFields/0/apiVersion","value":"drop.example.com/v1"}`,
			WayClear:   `{"op":"replace","path":"/metadata/managedFields","value":[{}]}`,
		}},
		{[]string{"a drop.example.com/v0", "new drop.example.com/v1", "b gone.example.com/v1"}, map[string]string{
			WayClear: `{"op":"test","path":"/metadata/managedFields/2/manager","value":"b"},{"op":"remove","path":"/metadata/managedFields/2"},{"op":"test","path":"/metadata/managedFields/0/manager","value":"a"},{"op":"remove","path":"/metadata/managedFields/0"}`,
		}},
	} {
		r, blocked := d.Blocked(object(test.entries...), "/apis/x")
		if blocked != (test.ways != nil) || len(r.Ways) != len(test.ways) {
			t.Errorf("%v: %v %+v", test.entries, blocked, r)
			continue
		}
		for _, w := range r.Ways {
			rest, same := strings.CutPrefix(string(w.Trial.Body), `[{"op":"test","path":"/metadata/uid","value":"u"},{"op":"test","path":"/metadata/resourceVersion","value":"7"},`)
			if want := test.ways[w.Way] + "]"; !same || rest != want || !json.Valid(w.Trial.Body) {
				t.Errorf("%v: %s is %s, want %s", test.entries, w.Way, w.Trial.Body, want)
			}
			if !strings.Contains(w.Text, "kubectl patch widgets.v1.drop.example.com w -n shop --type=json -p '") || !w.NotTried {
				t.Errorf("%+v", w)
			}
		}
		if blocked && (r.Name != "w" || r.Namespace != "shop" || r.Type != d.Name || r.Last.IsZero() || r.Managers[0].Operation != "Apply") {
			t.Errorf("%+v", r)
		}
	}
	d.Converted = true
	if r, _ := d.Blocked(object("old drop.example.com/v1beta1"), ""); len(r.Ways) != 1 || r.Ways[0].Way != WayClear {
		t.Errorf("a webhook may give fields other names: %+v", r.Ways)
	}
}
