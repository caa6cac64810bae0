package dependents

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
)

func TestStateOf(t *testing.T) {
	for what, c := range map[string]struct {
		columns []string
		cells   []table.Cell
		want    State
	}{
		"a pod":                  {[]string{"Name", "Ready", "Status"}, []table.Cell{"p", "1/1", "Running"}, State{"Running", "1/1", components.Good, false}},
		"a pod that crashes":     {[]string{"Name", "Ready", "Status"}, []table.Cell{"p", "0/1", "CrashLoopBackOff"}, State{"CrashLoopBackOff", "0/1", components.Bad, false}},
		"a pod that isn't ready": {[]string{"Name", "Ready", "Status"}, []table.Cell{"p", "0/1", "Running"}, State{"Running", "0/1", components.Warn, false}},
		"a pod that starts":      {[]string{"Name", "Ready", "Status"}, []table.Cell{"p", "0/1", "Pending"}, State{"Pending", "0/1", components.Busy, false}},
		"a pod that is done":     {[]string{"Name", "Ready", "Status"}, []table.Cell{"p", "0/1", "Completed"}, State{"Completed", "0/1", components.Good, false}},
		"a ReplicaSet":           {[]string{"Name", "Desired", "Current", "Ready"}, []table.Cell{"r", "3", "3", "2"}, State{"", "2/3", components.Warn, false}},
		"an old ReplicaSet":      {[]string{"Name", "Desired", "Current", "Ready"}, []table.Cell{"r", "0", "0", "0"}, State{"", "0/0", "", true}},
		"a node":                 {[]string{"Name", "Status"}, []table.Cell{"n", "Ready,SchedulingDisabled"}, State{"Ready,SchedulingDisabled", "", components.Good, false}},
		"a ConfigMap":            {[]string{"Name", "Data"}, []table.Cell{"c", "2"}, State{}},
		"a broken row":           {[]string{"Name", "Ready", "Status"}, nil, State{}},
	} {
		var columns []table.Column
		for _, name := range c.columns {
			columns = append(columns, table.Column{Name: name})
		}
		if got := StateOf(columns, c.cells); got != c.want {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

func TestCompare(t *testing.T) {
	refs := []Ref{
		{Name: "idle", State: State{Idle: true}},
		{Name: "web-10"},
		{Name: "web-2"},
		{Name: "busy", State: State{Tone: components.Busy}},
		{Name: "bad", State: State{Tone: components.Bad}},
		{Name: "warn", State: State{Tone: components.Warn}},
	}
	slices.SortFunc(refs, Compare)
	var got []string
	for _, r := range refs {
		got = append(got, r.Name)
	}
	if want := []string{"bad", "warn", "busy", "web-2", "web-10", "idle"}; !slices.Equal(got, want) {
		t.Error(got)
	}
}

func TestNest(t *testing.T) {
	at := func(depth int) Ref { return Ref{Depth: depth} }
	nodes := Nest([]Ref{at(0), at(1), at(2), at(1), at(0)})
	if len(nodes) != 2 || len(nodes[0].Below) != 2 || len(nodes[0].Below[0].Below) != 1 || len(nodes[1].Below) != 0 {
		t.Errorf("%+v", nodes)
	}
	if Nest(nil) != nil {
		t.Error("no objects make a tree")
	}
}
