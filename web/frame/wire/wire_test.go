package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
)

func TestParseRequest(t *testing.T) {
	for text, want := range map[string]Request{
		`{"type":"subscribe","id":7,"cluster":"k","path":"/api/v1/pods","as":"table","gen":2}`: {Type: Subscribe, ID: 7, Cluster: "k", Path: "/api/v1/pods", As: Table, Gen: 2},
		`{"id":1,"type":"credit","n":4294967295}`:                                              {Type: Credit, ID: 1, N: 1<<32 - 1},
		`{"type":"subscribe","id":8,"cluster":"k","as":"requests","n":200}`:                    {Type: Subscribe, ID: 8, Cluster: "k", As: Requests, N: 200},
		`{"type":"unsubscribe","id":1,"unknown":[1,{}]}`:                                       {Type: Unsubscribe, ID: 1},
	} {
		if r, err := ParseRequest([]byte(text)); err != nil || r != want {
			t.Errorf("%s: %+v (%v)", text, r, err)
		}
	}
}

func TestParseRequestRefuses(t *testing.T) {
	for _, text := range []string{
		``, `{`, `null`, `[]`, `7`, `"subscribe"`, `{}`, `{"type":"SUBSCRIBE"}`, `{"type":"credit","id":1,"n":4294967296}`,
		`{"type":"credit","id":1,"n":9223372036854775808}`, `{"type":"credit","id":1,"n":-1}`, `{"type":"credit","id":1,"n":1.5}`,
		`{"type":"credit","id":"1","n":1}`, `{"type":"subscribe","id":1,"cluster":"k","as":"table"}`,
		`{"type":"subscribe","id":1,"path":"/api/v1/pods","as":"table"}`, `{"type":"subscribe","id":1,"as":"requests"}`,
		`{"type":"subscribe","id":1,"cluster":"k","path":"/api/v1/pods","as":"requests"}`, `{"type":"subscribe","id":1,"cluster":"k","path":"/api/v1/pods"}`,
		`{"type":"credit","id":1,"n":1}{"type":"credit","id":1,"n":1}`, strings.Repeat("[", 10_000), strings.Repeat(" ", MaxRequest+1),
	} {
		if r, err := ParseRequest([]byte(text)); !errors.Is(err, ErrRequest) {
			t.Errorf("%.60s was read as %+v (%v)", text, r, err)
		}
	}
}

func FuzzParseRequest(f *testing.F) {
	f.Add(`{"type":"subscribe","id":7,"cluster":"k","path":"/api/v1/pods","as":"table","gen":2}`)
	f.Add(`{"type":"credit","id":1,"n":9223372036854775808}`)
	f.Add(`{"type":"unsubscribe","id":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRequest([]byte(text))
		if err != nil {
			if !errors.Is(err, ErrRequest) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		written, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseRequest(written); len(written) <= MaxRequest && (err != nil || again != r) {
			t.Errorf("%q is read as %+v, and that as %+v (%v)", text, r, again, err)
		}
	})
}

func messages() []Message {
	left := int64(7)
	rows := table.Rows{
		{UID: "u1", Name: `a"b\`, Cells: []table.Cell{`"rows":"`, "\t\n", `\"`}},
		{UID: "u2", Name: "c", Labels: table.LabelsOf(map[string]string{"k": "v"}), Cells: []table.Cell{`\`}},
	}
	return []Message{
		{Type: Hello, Build: "b"},
		{Type: Rows, ID: 1, Gen: 2, Columns: []table.Column{{Name: `"rows":"`}}, Rows: rows, Remaining: &left},
		{Type: Rows, ID: 1, Gen: 2, Rows: rows[1:], ResourceVersion: "9"},
		{Type: Rows, ID: 1, Gen: 2},
		{Type: Rows, ID: 1, Objects: []json.RawMessage{json.RawMessage(`{"rows":"none of ours"}`)}},
		{Type: Events, ID: 1, Events: []Event{{Type: watch.Added, Object: json.RawMessage(`{"rows":"neither"}`)}}},
	}
}

// TestMessagesReadAsTheirJSON: to take the rows out first changes nothing.
func TestMessagesReadAsTheirJSON(t *testing.T) {
	for _, m := range messages() {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var want Message
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		if got, err := ParseMessage(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v (%v), want\n%+v", data, got, err, want)
		}
	}
}

// FuzzParseMessage: whatever comes, nothing panics.
func FuzzParseMessage(f *testing.F) {
	for _, m := range messages() {
		data, _ := json.Marshal(m)
		f.Add(data)
	}
	f.Add([]byte(`{"type":"rows","rows":"`))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = ParseMessage(data) })
}
