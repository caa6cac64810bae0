package table

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/condition"
)

var issuers = Judged{Group: "cert-manager.io"}

// issued is a Table of issuers, each with its status.
func issued(columns string, statuses ...string) string {
	var rows []string
	for i, s := range statuses {
		rows = append(rows, fmt.Sprintf(`{"cells":["i%d","1d"],"object":{"apiVersion":"cert-manager.io/v1","kind":"Issuer","metadata":{"name":"i%d"},"status":%s}}`, i, i, s))
	}
	return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[` + columns + `],"rows":[` + strings.Join(rows, ",") + `]}`
}

const twoColumns = `{"name":"Name","type":"string","format":"name"},{"name":"Age","type":"date"}`

func status(kind, status, reason, message string) string {
	return fmt.Sprintf(`{"conditions":[{"type":%q,"status":%q,"reason":%q,"message":%q}]}`, kind, status, reason, message)
}

func TestATableOfWholeObjectsSaysWhatTheirConditionsSay(t *testing.T) {
	long := strings.Repeat("é", mostWhy)
	got, err := issuers.Parse([]byte(issued(twoColumns, status("Ready", "False", "Refused", "by the server"), status("Ready", "True", "Verified", "m"), `{}`, `null`, `[1]`,
		status("Ready", "Unknown", "", "m"), status("Merry", "True", "R", ""), status("Ready", "False", "", long))), time.Time{})
	if err != nil || len(got.Columns) != 4 || got.Columns[2].Name != ConditionColumn || got.Columns[2].Format != condition.Format("cert-manager.io") || got.Columns[3].Name != WhyColumn {
		t.Fatalf("%+v, %v", got.Columns, err)
	}
	for i, want := range []string{"Ready False|Refused: by the server", "Ready True|", "|", "|", "|", "Ready Unknown|m", "Merry True|R"} {
		if r := got.Rows[i]; r.Cell(2)+"|"+r.Cell(3) != want || r.Cell(0) != fmt.Sprintf("i%d", i) {
			t.Errorf("%d: %q, want %q", i, r.Cells, want)
		}
	}
	if why := got.Rows[7].Cell(3); len(why) > mostWhy+len("…") || !strings.HasSuffix(why, "é…") {
		t.Errorf("a long message is cut to %q", why)
	}
	rows := got.Rows
	got.Sort(rows, Order{Column: ConditionColumn})
	var order []string
	for _, r := range rows {
		order = append(order, r.Cell(2))
	}
	if all := strings.Join(order, ", "); all != "Ready False, Ready False, Ready Unknown, Ready True, Merry True, , , " {
		t.Errorf("by trouble: %s", all)
	}
}

func TestTablesThatStayAsTheyAre(t *testing.T) {
	for name, c := range map[string]struct{ text, columns string }{
		"a column has the name":   {issued(twoColumns+`,{"name":"condition","type":"string"}`, `{}`), "Name Age condition"},
		"a list without a Table":  {`{"kind":"IssuerList","items":[{"metadata":{"name":"a"}}]}`, "Name Age"},
		"a Table without columns": {issued("", `{}`), ""},
	} {
		got, err := issuers.Parse([]byte(c.text), time.Time{})
		var names []string
		for _, column := range got.Columns {
			names = append(names, column.Name)
		}
		if err != nil || strings.Join(names, " ") != c.columns {
			t.Errorf("%s: %v, %v", name, names, err)
		}
	}
	if _, err := issuers.Parse([]byte("{"), time.Time{}); err == nil {
		t.Error("half a response is read")
	}
}

func TestEventsOfWholeObjects(t *testing.T) {
	text := []byte(issued("", status("Ready", "False", "R", "")))
	got, err := issuers.ParseEvent(text, time.Time{})
	if err != nil || len(got.Columns) > 0 || got.Rows[0].Cell(2) != "Ready False" {
		t.Errorf("%+v, %v", got, err)
	}
	if columns, err := issuers.EventColumns([]byte(issued(twoColumns))); err != nil || len(columns) != 4 {
		t.Errorf("%+v, %v", columns, err)
	}
	object := []byte(`{"kind":"Issuer","metadata":{"name":"a"}}`)
	if columns, err := issuers.EventColumns(object); err != nil || len(columns) != 2 {
		t.Errorf("without Tables: %+v, %v", columns, err)
	}
	if got, err := issuers.ParseEvent(object, time.Time{}); err != nil || len(got.Rows[0].Cells) != 2 {
		t.Errorf("without Tables: %+v, %v", got, err)
	}
	if _, err := issuers.EventColumns([]byte("{")); err == nil {
		t.Error("half an event is read")
	}
}
