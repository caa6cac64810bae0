package collection

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/table"
)

// judgedPage is a collection of custom resources with these conditions, read from whole objects.
func judgedPage(t *testing.T, conditions ...string) Model {
	t.Helper()
	return judgedPageOf("example.com", conditions...)
}

func judgedPageOf(group string, conditions ...string) Model {
	m := Model{Judged: true}
	j := table.Judged{Group: group}
	m.Table.Columns = j.Columns([]table.Column{{Name: "Name", Format: "name"}})
	for _, c := range conditions {
		m.Table.Rows = append(m.Table.Rows, table.Row{UID: c, Name: "x", Cells: []table.Cell{"x", table.Cell(c), ""}})
	}
	return m
}

func TestColumnsOfConditionsAreShownIfAnObjectHasTold(t *testing.T) {
	for i, m := range []Model{
		judgedPage(t, "", "Ready True"), judgedPage(t, "", ""),
		judgedPageOf("apps", "", "Available False"), judgedPageOf("apps", "", "Available True"),
	} {
		want := []string{"Name Condition Why", "Name"}[i%2]
		var names []string
		for _, h := range m.grid(m.laidOut()).Head {
			names = append(names, h.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestConditionsHaveATone(t *testing.T) {
	m := judgedPage(t, "Ready False", "Ready True", "NotMerry True", "Degraded True")
	var got []string
	for _, r := range m.grid(m.laidOut()).Rows {
		got = append(got, r.Cells[1].Text+" "+string(r.Cells[1].Tone))
	}
	if all := strings.Join(got, ", "); all != "Ready False warn, Ready True good, NotMerry True , Degraded True warn" {
		t.Error(all)
	}
}

func TestTheRequestSaysThatItWantsWholeObjects(t *testing.T) {
	m := judgedPage(t)
	m.Query.LabelSelector = "a=b"
	if got := m.request(m.Query).Encode(); got != "includeObject=Object&labelSelector=a%3Db" {
		t.Error(got)
	}
	if got := m.watched(); !strings.Contains(got, "includeObject=Object") {
		t.Error(got)
	}
	if m.Judged = false; strings.Contains(m.watched(), "includeObject") {
		t.Error("it asks for whole objects without a use for them")
	}
}
