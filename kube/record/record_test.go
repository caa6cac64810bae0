package record

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestFilters(t *testing.T) {
	pods := Line{Verb: "list", Method: "GET", Origin: Page, Path: "/api/v1/pods", Query: "limit=500", Status: 200, MediaType: "Table", Done: true}
	gone := Line{Verb: "watch", Method: "GET", Origin: Relay, Path: "/api/v1/pods", Status: 410, Warnings: 1}
	lost := Line{Verb: "create", Method: "POST", Origin: Client, Path: "/api/v1/namespaces", Done: true, Error: "lost"}
	for _, c := range []struct {
		f    Filter
		want string
	}{
		{Filter{}, "pods gone lost"},
		{Filter{Verb: "list"}, "pods"},
		{Filter{Verb: "lis"}, ""},
		{Filter{Status: "2xx"}, "pods"},
		{Filter{Status: "4xx"}, "gone"},
		{Filter{Status: Unanswered}, "lost"},
		{Filter{Status: UnderWay}, "gone"},
		{Filter{Status: Warned}, "gone"},
		{Filter{Status: "nonsense"}, ""},
		{Filter{Origin: Client}, "lost"},
		{Filter{Text: "PODS"}, "pods gone"},
		{Filter{Text: "pods table"}, "pods"},
		{Filter{Text: "410"}, "gone"},
		{Filter{Text: "41"}, ""},
		{Filter{Text: "limit=500 get"}, "pods"},
		{Filter{Verb: "watch", Status: "2xx"}, ""},
	} {
		var passed []string
		for name, l := range map[string]Line{"pods": pods, "gone": gone, "lost": lost} {
			if c.f.Passes(l) {
				passed = append(passed, name)
			}
		}
		for _, name := range strings.Fields(c.want) {
			if !strings.Contains(strings.Join(passed, " "), name) {
				t.Errorf("%+v stops %s", c.f, name)
			}
		}
		if len(passed) != len(strings.Fields(c.want)) {
			t.Errorf("%+v passes %v, want %s", c.f, passed, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for contentType, want := range map[string]string{
		"": "", "application/json": "JSON", "application/json; charset=utf-8": "JSON", "application/json;as=Table;v=v1;g=meta.k8s.io": "Table",
		"application/vnd.kubernetes.protobuf;stream=watch": "Protobuf", "application/cbor-seq": "CBOR", "text/html": "text/html",
	} {
		if got := Word(contentType); got != want {
			t.Errorf("%s is %s, want %s", contentType, got, want)
		}
	}
	for start, want := range map[string]string{
		`{"kind":"Table","apiVersion"`: "Table", `{"kind":"PartialObjectMetadataList"`: "metadata only", `{"kind":"PodList"`: "JSON", "": "JSON",
		`{"type":"ADDED","object":{"kind":"Table"`: "Table",
	} {
		if got := Known("JSON", []byte(start)); got != want {
			t.Errorf("%s is %s, want %s", start, got, want)
		}
	}
}

func TestLaid(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"b":[true,null,{}],"c":"x:,{}\"","d":[ ]}`: "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null,\n    {}\n  ],\n  \"c\": \"x:,{}\\\"\",\n  \"d\": []\n}\n",
		`{"a":{"b":"cut`:       "{\n  \"a\": {\n    \"b\": \"cut\n",
		"{\"a\":1}\n{\"a\":2}": "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n",
		"kind: Pod\n":          "kind: Pod\n", "": "", "{": "{\n  \n",
	} {
		if got := string(Laid([]byte(in))); got != want {
			t.Errorf("%s became\n%s\nwant\n%s", in, got, want)
		}
	}
}

// FuzzLaid: nothing but white space between values changes.
func FuzzLaid(f *testing.F) {
	f.Add(`{"a":1,"b":[true,null,{}],"c":"x:,{}\"","d":[ ]}`)
	f.Add(`[{"a":{"b":"cut\`)
	f.Fuzz(func(t *testing.T, text string) {
		laid := Laid([]byte(text))
		if !json.Valid([]byte(text)) {
			return
		}
		var was, is bytes.Buffer
		if json.Compact(&was, []byte(text)) != nil || json.Compact(&is, laid) != nil || was.String() != is.String() {
			t.Errorf("%q became %q", text, laid)
		}
	})
}

func entries() []Entry {
	return []Entry{
		{
			Line:   Line{ID: 7, At: 1767323045123456, First: 1500, Took: 4250, Done: true, Origin: Client, Method: "POST", Verb: "create", Path: "/api/v1/pods", Query: "dryRun=All&a=b%20c&x", Status: 201, Sent: 9, Got: 100, Coding: "gzip", Unpacked: 500},
			Server: "https://127.0.0.1:6443", Proto: "HTTP/2.0",
			Request: Side{MediaType: "application/json", Bytes: 9, Body: []byte(`{"a":"ü"}`), Header: []Field{{"Accept", "application/json"}, {"Cookie", "[redacted]"}}},
			Answer:  Side{MediaType: "application/json", Bytes: 100, Body: []byte(`{"a":`), Cut: true},
		},
		{Line: Line{ID: 8, At: 1767323045123456, Origin: Relay, Method: "GET", Verb: "watch", Path: "/api/v1/pods", Query: "watch=1", First: 10, Status: 200, Events: 3}, Server: "https://k"},
		{Line: Line{ID: 9, At: 1767323045123456, Took: 10, Done: true, Method: "GET", Path: "/api", Error: "It is out of reach."}, Server: "https://k"},
		{Line: Line{ID: 10, At: 1, Took: 10, First: 4, Done: true, Method: "GET", Path: "/api", Status: 200, Got: 4}, Server: "https://k", Answer: Side{MediaType: "application/vnd.kubernetes.protobuf", Bytes: 4, Body: []byte("k8s\x00")}},
	}
}

// TestHARIsOne holds an archive against the format's definition, version 1.2: the fields that it demands, of the types and within the
// bounds that it states, and no others but those of our own.
func TestHARIsOne(t *testing.T) {
	var out bytes.Buffer
	if err := WriteHAR(&out, "test", entries()); err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(out.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	h := harChecker{t}
	log := h.object(whole["log"], "log", "version:s creator:o entries:a browser?:o pages?:a comment?:s")
	h.object(log["creator"], "creator", "name:s version:s comment?:s")
	for _, e := range log["entries"].([]any) {
		h.entry(e)
	}
	if len(log["entries"].([]any)) != len(entries()) || log["version"] != "1.2" {
		t.Errorf("%s", out.String())
	}
}

type harChecker struct{ t *testing.T }

func (h harChecker) entry(v any) {
	e := h.object(v, "entry", "pageref?:s startedDateTime:s time:n request:o response:o cache:o timings:o serverIPAddress?:s connection?:s comment?:s")
	if _, err := time.Parse("2006-01-02T15:04:05.000Z07:00", e["startedDateTime"].(string)); err != nil {
		h.t.Error(err)
	}
	request := h.object(e["request"], "request", "method:s url:s httpVersion:s cookies:a headers:a queryString:a postData?:o headersSize:n bodySize:n comment?:s")
	h.pairs(request["headers"])
	h.pairs(request["queryString"])
	if post, has := request["postData"]; has {
		h.object(post, "postData", "mimeType:s params:a text:s comment?:s")
	}
	response := h.object(e["response"], "response", "status:n statusText:s httpVersion:s cookies:a headers:a content:o redirectURL:s headersSize:n bodySize:n comment?:s")
	h.pairs(response["headers"])
	h.object(response["content"], "content", "size:n compression?:n mimeType:s text?:s encoding?:s comment?:s")
	timings := h.object(e["timings"], "timings", "blocked?:n dns?:n connect?:n send:n wait:n receive:n ssl?:n comment?:s")
	sum := 0.0
	for name, v := range timings {
		n, is := v.(float64)
		if is && n >= 0 && name != "ssl" {
			sum += n
		}
		if is && n < 0 && (n != -1 || name == "send" || name == "wait" || name == "receive") {
			h.t.Errorf("%s is %v", name, n)
		}
	}
	if sum != e["time"] {
		h.t.Errorf("the timings sum up to %v, not to %v", sum, e["time"])
	}
}

func (h harChecker) pairs(v any) {
	for _, p := range v.([]any) {
		h.object(p, "pair", "name:s value:s comment?:s")
	}
}

// object checks the fields of an object: name:type, with a ? behind the name of what may be missing.
func (h harChecker) object(v any, what, fields string) map[string]any {
	h.t.Helper()
	o, ok := v.(map[string]any)
	if !ok {
		h.t.Fatalf("%s is %T", what, v)
	}
	known := map[string]bool{}
	for field := range strings.FieldsSeq(fields) {
		name, kind, _ := strings.Cut(field, ":")
		name, optional := strings.CutSuffix(name, "?")
		known[name] = true
		value, has := o[name]
		if !has {
			if !optional {
				h.t.Errorf("%s has no %s", what, name)
			}
			continue
		}
		if got := kindOf(value); got != kind {
			h.t.Errorf("%s of %s is of the kind %s, not %s", name, what, got, kind)
		}
	}
	for name := range o {
		if !known[name] && !strings.HasPrefix(name, "_") {
			h.t.Errorf("%s has a field %s", what, name)
		}
	}
	return o
}

func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "s"
	case float64:
		return "n"
	case []any:
		return "a"
	case map[string]any:
		return "o"
	}
	return "?"
}
