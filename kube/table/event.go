package table

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// event is the content of a watch event: a Table, or an object.
type event struct {
	answer
	APIVersion string     `json:"apiVersion"`
	Metadata   objectMeta `json:"metadata"`
}

// ParseEvent reads the object of a watch event as rows. If it is no Table, the row has a name and an age, which is computed with now.
// Only the first Table of a watch defines columns.
func ParseEvent(object []byte, now time.Time) (Table, error) {
	_, t, err := parseEvent(object, now)
	return t, err
}

func parseEvent(object []byte, now time.Time) (answer, Table, error) {
	var e event
	if err := json.Unmarshal(object, &e); err != nil {
		return e.answer, Table{}, fmt.Errorf("reading a watch event: %w", err)
	}
	t := Table{ResourceVersion: e.Metadata.ResourceVersion}
	if e.Kind == "Table" && strings.HasPrefix(e.APIVersion, "meta.k8s.io/") {
		t.fillPrinted(e.answer)
		return e.answer, t, nil
	}
	m := e.Metadata
	if m.Name == "" {
		return e.answer, Table{}, fmt.Errorf("reading a watch event: its kind is %.64q, which is neither a Table nor an object", e.Kind)
	}
	t.Columns = plainColumns()
	t.Rows = []Row{newRow(m, []Cell{Cell(m.Name), Cell(Age(m.CreationTimestamp, now))})}
	return e.answer, t, nil
}

// EventColumns are the columns that a watch event defines. The first event can be a bookmark.
func EventColumns(object []byte) ([]Column, error) {
	columns, _, err := eventColumns(object)
	return columns, err
}

// eventColumns tells whether the columns are those of a Table.
func eventColumns(object []byte) (columns []Column, printed bool, err error) {
	var e event
	if err := json.Unmarshal(object, &e); err != nil {
		return nil, false, fmt.Errorf("reading a watch event: %w", err)
	}
	if e.Kind == "Table" && strings.HasPrefix(e.APIVersion, "meta.k8s.io/") {
		return e.Columns, true, nil
	}
	return plainColumns(), false, nil
}
