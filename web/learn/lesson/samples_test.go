package lesson

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	guide "github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	m := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Lesson: written()}
	m.Shell.Here = "/learn/sample"
	m.Before = []Reference{{ID: "paths", Title: "Paths"}}
	m.Next = []Reference{{ID: "watch", Title: "Watch", Summary: "What happens."}}
	outside := m
	outside.Shell = s.Outside()
	away := m
	notice := s.Notice()
	away.Problem = &notice
	read := []page.Msg{page.Kept{}, page.Acted{Action: "turn 0"}, page.Acted{Action: "guess 0.1 1"}}
	return map[string]page.Page{
		"a lesson outside":             outside,
		"in a lesson":                  m,
		"in a lesson, alive":           pagetest.Live(m, page.Kept{}),
		"in a lesson, with answers":    pagetest.Live(m, append(read, answered(s)...)...),
		"in a lesson, to its end":      pagetest.Live(m, page.Kept{}, page.Acted{Action: "turn 2"}),
		"in a lesson, away":            away,
		"in a lesson, away, alive":     pagetest.Live(away, page.Kept{}, page.Acted{Action: "turn 0"}),
		"in a lesson, with kubectl":    pagetest.Live(m, page.Kept{}, page.Acted{Action: "turn 0"}, page.Acted{Action: "kubectl"}),
		"in a lesson, with one’s part": pagetest.Live(m, append(read, page.Acted{Action: "part 0.2 1"})...),
	}
}

func written() guide.Lesson {
	const path = "/api/v1/namespaces/{{namespace}}/configmaps/shop"
	status := guide.Statement{Subject: guide.Subject{Kind: guide.Status}, Op: guide.Equal, Value: "200", Why: "It is there."}
	value := guide.Subject{Kind: guide.JSON, Path: ".metadata.name"}
	get := func(name string) guide.Block {
		return guide.Block{Request: &guide.Request{Name: name, Method: "GET", Target: path + "?pretty=true&odd=1", Header: []guide.Header{{Name: "Accept", Value: "application/json"}}}}
	}
	blocks := []guide.Block{
		{HTML: "<p>A question.</p>"},
		{Predict: &guide.Predict{Question: "<p>What?</p>", Choices: []guide.Choice{{Text: "200", Right: true, If: &status, Because: "<p>So.</p>"}, {Text: "404", Because: "<p>No.</p>"}}}},
		get("first"),
		{Check: &guide.Check{Statements: []guide.Statement{status, {Subject: value, Op: guide.Equal, Value: "shop"}}}},
		{Notes: &guide.Notes{Notes: []guide.Note{{At: value, Text: "its name"}, {At: guide.Subject{Kind: guide.HeaderOf, Name: "Odd"}, Text: "odd"}, {At: guide.Subject{Kind: guide.Status}, Text: "fine"}}}},
		{Predict: &guide.Predict{Question: "<p>Which name?</p>", Of: "first", Value: &value, Choices: []guide.Choice{{Text: "shop", Right: true, Because: "<p>So.</p>"}}}},
		get("second"),
		{Request: &guide.Request{Name: "w", Method: "GET", Target: path + "?watch=1", Watch: true, As: "viewer"}},
		{Request: &guide.Request{Name: "writes", Method: "PUT", Target: path, Body: "{}", Header: []guide.Header{{Name: "Content-Type", Value: "application/json"}}}},
		{Show: &guide.Show{Widget: guide.ShowLink, Path: path, Tool: "apply"}},
	}
	for _, w := range []guide.Widget{guide.ShowFields, guide.ShowTable, guide.ShowEvents, guide.ShowBytes} {
		blocks = append(blocks, guide.Block{Show: &guide.Show{Widget: w, Of: []string{"first"}}})
	}
	for _, w := range []guide.Widget{guide.ShowDiff, guide.ShowChunks, guide.ShowSizes} {
		blocks = append(blocks, guide.Block{Show: &guide.Show{Widget: w, Of: []string{"first", "second"}}})
	}
	return guide.Lesson{
		ID: "sample", Title: "A lesson", Summary: "You know it.", Minutes: 6, Intro: "<p>Why?</p>",
		Steps: []guide.Step{{ID: "one", Title: "One", Blocks: blocks}, {ID: "two", Title: "Two", Blocks: []guide.Block{{HTML: "<p>No more.</p>"}}}},
	}
}

// answered are the answers to the sample's requests.
func answered(s pagetest.Text) []page.Msg {
	text, err := json.Marshal(s.String())
	if err != nil {
		return nil
	}
	fields := `"managedFields":[{"manager":%[1]s,"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]`
	object := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%[1]s,"resourceVersion":"7",`+fields+`},"data":{"a":%[1]s,"n":7,"list":[1,true,null,{}]}}`, text)
	var all []page.Msg
	for _, id := range []string{"0.2", "0.6"} {
		head := []request.Header{{Name: "content-type", Value: "application/json"}, {Name: "odd", Value: s.String()}, {Name: "warning", Value: fmt.Sprintf("299 - %s", text)}}
		all = append(all, page.Acted{Action: "send-request " + id},
			page.Opened{ID: "lesson/" + id, Status: 200, Header: head, Entry: "3", At: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)},
			page.Arrived{ID: "lesson/" + id, Part: []byte(object), Bytes: int64(len(object))}, page.Ended{ID: "lesson/" + id, How: page.Whole, Bytes: int64(len(object)), Wire: 70},
			page.Acted{Action: "guess 0.5 ?"})
	}
	return all
}
