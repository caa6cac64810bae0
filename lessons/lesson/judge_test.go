package lesson

import "testing"

// judged are statements about one answer, and whether they hold.
var judged = []struct {
	say string
	ok  bool
}{
	{"status = 200", true},
	{"status != 200", false},
	{"status < 300", true},
	{"status >= 201", false},
	{"type = application/json", true},
	{"header content-type contains charset", true},
	{"header X is absent", true},
	{"header X = y", false},
	{"json .metadata.name = web", true},
	{`json .metadata.annotations["a.b/c"] = d`, true},
	{`json .list[name="b"].n = 2`, true},
	{`json .list[0].name = a`, true},
	{`json .list[-1].name = b`, true},
	{`json .set[="y"] is present`, true},
	{`json .set[="z"] is absent`, true},
	{"count .list = 2", true},
	{"count .data = 2", true},
	{"count .missing = 0", true},
	{"json .data lacks blue", true},
	{"json .data starts with {", true},
	{"json .none = null", true},
	{"json .none is present", true},
	{"owners .data.color = ada, ben", true},
	{"owners .data.size = ben", true},
	{"owners .metadata.name is absent", true},
	{"managers = ada Apply, ben Update scale", true},
	{"warnings contains unknown field", true},
	{"size = 77", true},
	{"wire is absent", true},
	{"hex starts with 7b22", true},
	{"body matches ^\\{.*", true},
	{"json .metadata.name = {{who}}", true},
	{"json .metadata.name = {{nobody}}", false},
	{"json .metadata.name < 3", false},
}

func TestJudge(t *testing.T) {
	a := Answer{
		Status: 200,
		Header: []Header{{"Content-Type", "application/json; charset=utf-8"}, {"Warning", `299 - "unknown field \"spec.x\""`}},
		Body: []byte(`{"metadata":{"name":"web","annotations":{"a.b/c":"d"},"managedFields":[
			{"manager":"ada","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:color":{}}}},
			{"manager":"ben","operation":"Update","subresource":"scale","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:color":{},"f:size":{}}}}]},
			"data":{"color":"red","size":"3"},"list":[{"name":"a","n":1},{"name":"b","n":2}],"set":["x","y"],"none":null}`),
		Size: 77,
	}
	for _, c := range judged {
		s, err := ParseStatement(c.say + " -- because")
		if err != nil {
			t.Fatalf("%s: %v", c.say, err)
		}
		if s.Why != "because" || s.String() != c.say {
			t.Errorf("%s: read as %q, because %q", c.say, s, s.Why)
		}
		if v := s.Judge(a, Vars{"who": "web"}); v.OK != c.ok {
			t.Errorf("%s: %v; %s", c.say, v.OK, v)
		}
		if v := s.Judge(Answer{}, Vars{"who": "web"}); v.OK {
			t.Errorf("%s holds where nothing was answered", c.say)
		}
	}
}

func TestJudgeStream(t *testing.T) {
	a := Answer{Status: 200, Open: true, Body: []byte(`{"type":"ADDED","object":{"metadata":{"name":"a"}}}
{"type":"ADDED","object":{"metadata":{"name":"b"}}}
{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}
{"type":"MODIFIED","object":{"metada`)}
	for say, ok := range map[string]bool{
		"events any = 3": true, "events ADDED = 2": true, "events ADDED where .metadata.name = b = 1": true, "events DELETED = 0": true,
		`events BOOKMARK where .metadata.annotations["k8s.io/initial-events-end"] = true >= 1`: true, "events MODIFIED > 0": false,
		"events BOOKMARK where .metadata.resourceVersion is present = 1": true, "stream = open": true,
		"json .type = BOOKMARK": true, "json .object.metadata.resourceVersion = 7": true, "json .object.metadata.name is absent": true,
	} {
		s, err := ParseStatement(say)
		if err != nil {
			t.Fatal(err)
		}
		if v := s.Judge(a, nil); v.OK != ok || s.String() != say {
			t.Errorf("%s (read as %s): %v; %s", say, s, v.OK, v)
		}
	}
}

func TestKeep(t *testing.T) {
	s, err := ParseStatement("keep json .metadata.resourceVersion as rv")
	if err != nil {
		t.Fatal(err)
	}
	vars := Vars{}
	if v := s.Judge(Answer{Status: 200, Body: []byte(`{"metadata":{"resourceVersion":"12"}}`)}, vars); !v.OK || vars["rv"] != "12" {
		t.Error(v, vars)
	}
	if v := s.Judge(Answer{Status: 200, Body: []byte(`{}`)}, vars); v.OK {
		t.Error("kept what isn't there")
	}
}

func TestWhatIsNoStatement(t *testing.T) {
	for _, line := range []string{
		"", "status", "status is 200", "status = 200 =", "stats = 200", "status 3 = 3", "header = 3", "json = 3", "json metadata = 3", "json .a[ = 3", "json .a[name=x] = 3",
		"events = 3", "events NEW = 1", "events ADDED where x = 1", "status < many", "status is present 3", "body matches (", "body contains", "keep status", "keep status as ", "keep status as A B",
	} {
		if s, err := ParseStatement(line); err == nil && line != "status = 200 =" {
			t.Errorf("%q was read as %q", line, s)
		}
	}
}

func FuzzParseStatement(f *testing.F) {
	f.Add(`json .a[name="b"].c[0] != x -- why`)
	f.Add("events ADDED where .a = b >= 3")
	f.Add("keep header X as y")
	f.Fuzz(func(t *testing.T, line string) {
		s, err := ParseStatement(line)
		if err != nil {
			return
		}
		again, err := ParseStatement(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("%q is %q, and that is %q: %v", line, s, again, err)
		}
		s.Judge(Answer{Status: 200, Body: []byte(line)}, Vars{})
	})
}
