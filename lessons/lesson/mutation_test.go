package lesson

import (
	"maps"
	"testing"
)

// shop is an answer with something of everything in it.
var shop = Answer{
	Status: 200, Size: 300, Wire: 120, Open: true,
	Header: []Header{{"Content-Type", "application/json"}, {"Warning", `299 - "unknown field \"spec.x\""`}},
	Body: []byte(`{"metadata":{"name":"web","managedFields":[{"manager":"ada","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1",` +
		`"fieldsV1":{"f:data":{"f:color":{}}}}]},"data":{"color":"red"},"items":[{"name":"a","n":1},{"name":"b"}],"set":["x"]}`),
}

var events = Answer{Status: 200, Open: true, Body: []byte(`{"type":"ADDED","object":{"metadata":{"name":"a"}}}
{"type":"MODIFIED","object":{"metadata":{"name":"a"}}}
`)}

// turns tells whether a mutation brings the statement to another end.
func turns(s Statement, a Answer, vars Vars) bool {
	is := s.Judge(a, maps.Clone(vars)).OK
	for m := range s.Mutations(a, vars) {
		if s.Judge(m.Answer, maps.Clone(vars)).OK != is {
			return true
		}
	}
	return false
}

func TestWhatCanBeOtherwise(t *testing.T) {
	vars := Vars{"name": "web", "a": "b"}
	for _, say := range []string{
		"status = 200", "status != 200", "status < 300", "status >= 400", "status matches ^2", "type = application/json", "type != text/plain",
		"header Warning is present", "header X is absent", "header X = y", "header Content-Type starts with application/", "header Content-Type lacks yaml",
		"json .metadata.name = {{name}}", "json .metadata.name = nobody", "json .metadata.uid is absent", "json .metadata.uid is present", "json .data.color lacks e",
		"json .data.color lacks blue", `json .items[name="b"].n is absent`, `json .items[name="c"].n = 4`, "json .items[0].n > 3", "json .items[-1].name = a",
		`json .set[="x"] is present`, `json .set[="{{name}}"] is present`, "json .data.color matches ^r.d$", "json .data.color matches ^(gr(e|a)y|blue)+[0-9]{2}$",
		"json .items[4] is absent", "json .items[4] is present", "json .items[0] is present", "json .items[-1] is present", "json .items[0].name is present", "count .items = 2", "count .items > 5", "count .data = 1", "count .missing = 0", "body contains web", "body lacks nobody", "hex starts with 7b22", "hex = ffff",
		"size = 300", "size < 1000", "size > 5000", "wire < 200", "wire is present", "warnings contains unknown field", "warnings is present", "warnings is absent",
		"owners .data.color = ada", "owners .data.color = ada, ben", "owners .data.size is absent", "owners .data.size = ben", `owners .items[name="a"].n = ada`, `owners .set[="x"] = ada`,
		"owners .items[0] is absent", "managers = ada Apply", "managers = ada Apply, ben Update scale", "managers lacks ben", "managers is present",
		"stream = open", "stream = ended", "keep json .metadata.name as x", "keep header X as y",
	} {
		if !turns(parsed(t, say), shop, vars) {
			t.Errorf("%s: nothing brings it to another end", say)
		}
	}
	for _, say := range []string{
		"events ADDED = 1", "events ADDED = 3", "events DELETED = 0", "events any >= 2", "events any < 2", "events BOOKMARK where .metadata.resourceVersion is present = 1",
		"events ADDED where .metadata.name = {{a}} = 0", "events MODIFIED where .metadata.name = a = 1", "stream != ended",
	} {
		if !turns(parsed(t, say), events, vars) {
			t.Errorf("%s: nothing brings it to another end", say)
		}
	}
}

func TestWhatSaysNothing(t *testing.T) {
	for _, say := range []string{
		"status < 600", "status > 99", "status is present", "status is absent", "status = many", "size >= 0", "count .items >= 0", "count .items < 0", "events any >= 0",
		"size is present", "stream is present", "body = ", "json .metadata.name = {{unknown}}",
	} {
		if turns(parsed(t, say), shop, Vars{}) {
			t.Errorf("%s: it can come to another end", say)
		}
	}
}

func TestMutationsLeaveTheRestAlone(t *testing.T) {
	before := string(shop.Body)
	name, color := parsed(t, "json .metadata.name = web"), parsed(t, "json .data.color = red")
	for m := range color.Mutations(shop, nil) {
		if !name.Judge(m.Answer, nil).OK {
			t.Errorf("%s: %s", m.What, m.Answer.Body)
		}
	}
	if string(shop.Body) != before || len(shop.Header) != 2 {
		t.Error("the answer itself was changed")
	}
}

func parsed(t *testing.T, say string) Statement {
	t.Helper()
	s, err := ParseStatement(say)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func FuzzMutations(f *testing.F) {
	f.Add(`json .a[name="b"].c[0] = x`, `{"a":[{"name":"b"}]}`)
	f.Add("owners .a[=1][-1] = x", `{"a":[1]}`)
	f.Add("count .a = 3", "[]")
	f.Fuzz(func(_ *testing.T, say, body string) {
		s, err := ParseStatement(say)
		if err != nil {
			return
		}
		a := Answer{Status: 200, Body: []byte(body)}
		for m := range s.Mutations(a, Vars{}) {
			s.Judge(m.Answer, Vars{})
		}
	})
}
