package table

import (
	"testing"
	"time"
)

func TestParseEventOfATable(t *testing.T) {
	got, err := ParseEvent([]byte(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"8"},
		"columnDefinitions":[{"name":"Name","type":"string"}],
		"rows":[{"cells":["web",3],"object":{"metadata":{"uid":"u","name":"web","namespace":"shop","resourceVersion":"7","labels":{"a":"b"},"managedFields":[{}]}}}]}`), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if !got.Printed || len(got.Columns) != 1 || len(got.Rows) != 1 || got.ResourceVersion != "8" {
		t.Fatalf("%+v", got)
	}
	if r := got.Rows[0]; r.UID != "u" || r.Name != "web" || r.Namespace != "shop" || r.ResourceVersion != "7" || r.Cell(1) != "3" || r.Labels.Get("a") != "b" {
		t.Errorf("%+v", r)
	}
}

func TestParseEventOfAPlainObject(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, kind := range []string{`"kind":"Table","apiVersion":"example.org/v1"`, `"kind":"Thing","apiVersion":"example.org/v1"`} {
		got, err := ParseEvent([]byte(`{`+kind+`,"metadata":{"uid":"u","name":"web","resourceVersion":"7","creationTimestamp":"2026-11-21T11:59:00Z"}}`), now)
		if err != nil {
			t.Fatal(err)
		}
		if got.Printed || len(got.Columns) != 2 || len(got.Rows) != 1 || got.ResourceVersion != "7" {
			t.Fatalf("%+v", got)
		}
		if r := got.Rows[0]; r.UID != "u" || r.Cell(0) != "web" || r.Cell(1) != "60s" {
			t.Errorf("%+v", r)
		}
	}
}

func TestParseEventRefuses(t *testing.T) {
	for _, object := range []string{``, `[]`, `{}`, `{"kind":"Status","metadata":{}}`, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":7}`} {
		if got, err := ParseEvent([]byte(object), time.Now()); err == nil {
			t.Errorf("%s was read as %+v", object, got)
		}
	}
}

func TestColumnsOfAnEvent(t *testing.T) {
	for object, want := range map[string]int{
		`{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[{"name":"a"},{"name":"b"},{"name":"c"}],"rows":[]}`: 3,
		`{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":null,"rows":[]}`:                                     0,
		`{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7"}}`:                                                   2,
	} {
		if c, err := EventColumns([]byte(object)); err != nil || len(c) != want {
			t.Errorf("%s: %+v (%v)", object, c, err)
		}
	}
	if _, err := EventColumns([]byte(`{`)); err == nil {
		t.Error("half an object was read")
	}
}
