package call

import (
	"bytes"
	"slices"
	"testing"
	"testing/quick"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestCallGoesOn(t *testing.T) {
	x := Call{ID: "a", Cluster: "c", Method: "GET", Path: "/api/v1/pods?labelSelector=a%3Db", Kept: []byte("of before"), Status: 500, State: CutOff}
	x, cmd := x.Begin()
	if call, ok := cmd.(page.Call); !ok || call.Path != x.Path || x.Kept != nil || x.Status != 0 || !x.Under() {
		t.Fatalf("%+v, %+v", cmd, x)
	}
	for _, m := range []page.Msg{
		page.Opened{ID: "other", Status: 404},
		page.Opened{ID: "a", Status: 429, Header: []request.Header{{Name: "content-type", Value: "application/json; charset=utf-8"}, {Name: "retry-after", Value: "3"}}, Entry: "7"},
		page.Arrived{ID: "a", Part: []byte(`{"kind":"Status",`), Bytes: 17},
		page.Arrived{ID: "a", Part: []byte(`"reason":"TooManyRequests"}`), Bytes: 44, After: time.Second},
		page.Ended{ID: "a", How: page.Whole, Bytes: 44, Wire: 40, Took: 2 * time.Second},
	} {
		x, _ = x.Hear(m)
	}
	if !x.Done() || x.OK() || x.Entry != "7" || x.MediaType() != "application/json" || x.RetryAfter() != 3*time.Second || x.Took != 2*time.Second || x.Bytes != 44 || x.Wire != 40 {
		t.Errorf("%+v", x)
	}
	if no := x.No(); no == nil || no.Reason != "TooManyRequests" {
		t.Errorf("the refusal is %+v", no)
	}
	if got := x.Target(); got != "/api/v1/pods?labelSelector=a=b" {
		t.Errorf("for people it is %s", got)
	}
}

func TestWrittenAsItGoesOverTheWire(t *testing.T) {
	x := Call{Method: "POST", Path: "/api/v1/x?a=b", Header: []request.Header{{Name: "Content-Type", Value: "application/json"}}, Body: []byte(`{"a":1}`)}
	if got, want := x.Written(), "POST /api/v1/x?a=b\nContent-Type: application/json\n\n{\n  \"a\": 1\n}\n"; got != want {
		t.Errorf("got\n%s\nwanted\n%s", got, want)
	}
}

// However a body is cut into parts, the lines are the same.
func TestLinesOfAnyParts(t *testing.T) {
	text := []byte("{\"a\":1}\n\n{\"b\":\"ü\"}\n{\"c\":3}\nrest")
	if err := quick.Check(func(cuts []uint8) bool {
		var l Lines
		var got []string
		take := func(part []byte) {
			var whole [][]byte
			whole, l = l.Take(part)
			for _, line := range whole {
				got = append(got, string(line))
			}
		}
		left := bytes.Clone(text)
		for _, c := range cuts {
			n := min(int(c)%9, len(left))
			take(left[:n])
			left = left[n:]
		}
		take(left)
		return slices.Equal(got, []string{`{"a":1}`, `{"b":"ü"}`, `{"c":3}`}) && string(l.Rest) == "rest"
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestCurl(t *testing.T) {
	x := Call{Method: "POST", Path: "/api/v1/x?limit=5", Header: []request.Header{{Name: "Content-Type", Value: "text/plain"}}, Body: []byte(`it's`)}
	want := `curl -X POST -H "Authorization: Bearer $FIELDMARK_TOKEN" -H 'Content-Type: text/plain' --data-raw 'it'\''s' 'http://a:1/clusters/k/api/v1/x?limit=5'`
	if got := x.Curl("http://a:1/clusters/k"); got != want {
		t.Errorf("got %s, wanted %s", got, want)
	}
}

func TestRequestsAreShownAsTheyGo(t *testing.T) {
	c := New("practice", "PATCH", "/x?fieldManager=a+b", "application/json-patch+json", []byte(`[{"op":"remove"}]`))
	want := "PATCH /x?dryRun=All&fieldManager=a+b\nAccept: application/json\nContent-Type: application/json-patch+json\n\n[\n  {\n    \"op\": \"remove\"\n  }\n]\n"
	if got := c.Dry().Written(); got != want {
		t.Errorf("%q", got)
	}
	if c.Path != "/x?fieldManager=a+b" {
		t.Error("a dry run changes the request it is made of")
	}
	if got := New("practice", "PATCH", "/x", "t", []byte("a: 1\nb: 2\n")).Written(); got != "PATCH /x\nAccept: application/json\nContent-Type: t\n\na: 1\nb: 2\n" {
		t.Errorf("%q", got)
	}
}

func TestWholeResponsesAreAskedForByTheSameCall(t *testing.T) {
	c := New("practice", "GET", "/version", "", nil)
	c.ID, c.Coding, c.Keep, c.Reread = "a", "gzip", 7, true
	if got := c.Send("b"); got.ID != "b" || got.Parts || got.Coding != "" || got.Keep != 0 || got.Path != "/version" {
		t.Errorf("whole: %+v", got)
	}
	if _, cmd := c.Begin(); !cmd.(page.Call).Parts || cmd.(page.Call).Keep != 7 || !cmd.(page.Call).Reread || cmd.(page.Call).ID != "a" {
		t.Errorf("in parts: %+v", cmd)
	}
	if d := New("practice", "GET", "/version", "", nil); !c.Same(d) || c.Same(d.Dry()) {
		t.Error("the same request is one with the same target, headers and body")
	}
}

func TestOutcomes(t *testing.T) {
	for want, x := range map[string]Call{
		"Canceled":                   {State: Canceled, Status: 200},
		"No response":                {State: Whole},
		"The response is incomplete": {State: CutOff, Status: 200},
		"Response: 404":              {State: Whole, Status: 404},
	} {
		if got := x.Outcome(); got != want {
			t.Errorf("%+v: %q, want %q", x, got, want)
		}
	}
}
