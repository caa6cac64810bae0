package draft

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

func TestTheAddressTellsOfTheRequest(t *testing.T) {
	for query, want := range map[string]Draft{
		"": {Method: "GET", Target: "/api/v1/namespaces"},
		"path=/api/v1/pods?limit%3D5&accept=Table":                             {Method: "GET", Target: "/api/v1/pods?limit=5", Accept: "application/json;as=Table;v=v1;g=meta.k8s.io"},
		"path=/api/v1/pods&q.limit=7&q.continue=":                              {Method: "GET", Target: "/api/v1/pods?limit=7"},
		"method=patch&path=/api/v1/nodes/a&body=x&contentType=merge":           {Method: "PATCH", Target: "/api/v1/nodes/a", ContentType: "application/merge-patch+json", Body: "x"},
		"method=POST&path=/api/v1/pods&accept=a/b":                             {Method: "POST", Target: "/api/v1/pods", Accept: "a/b", ContentType: "application/json"},
		"method=rm&path=/version&body=x":                                       {Method: "GET", Target: "/version"},
		"path=/version&accept=other&other=application/cbor,application/json":   {Method: "GET", Target: "/version", Accept: "application/cbor,application/json"},
		"method=PATCH&path=/api/v1/nodes/a&contentType=application/json&body=": {Method: "PATCH", Target: "/api/v1/nodes/a", ContentType: "application/json"},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got := Parse(values)
		if text(got) != text(want) {
			t.Errorf("%s:\n got %s\nwant %s", query, text(got), text(want))
		}
		if again := Parse(got.Query()); text(again) != text(got) && got.Body != "" {
			t.Errorf("%s: its address makes %s of it", query, text(again))
		}
	}
}

func text(d Draft) string {
	text, _ := json.Marshal(d)
	return string(text)
}

func TestEveryContentTypeIsExplained(t *testing.T) {
	for _, m := range Contents {
		if _, ok := why.Body(m.Type); !ok {
			t.Errorf("nothing explains %s", m.Type)
		}
	}
}

// The address of a page has no secret of a body.
func TestNoCanaryEscapes(t *testing.T) {
	for _, doc := range canary.Documents() {
		d := Draft{Method: "POST", Target: doc.Path, Body: doc.JSON}
		if address := d.Query().Encode(); !doc.Vague && canary.Escapes(address) {
			t.Errorf("%s is in the address: %s", doc.Name, address)
		}
	}
}

func TestStreams(t *testing.T) {
	for target, want := range map[string]bool{
		"/api/v1/pods": false, "/api/v1/pods?watch=true": true, "/api/v1/watch/pods": true, "/api/v1/namespaces/a/pods/b/log": false,
		"/api/v1/namespaces/a/pods/b/log?follow=true": true, "/api/v1/namespaces/a/pods/b/log?follow=false": false, "/a//b?watch=1": false,
	} {
		if got := (Draft{Method: "GET", Target: target}).Streams(); got != want {
			t.Errorf("%s: %v", target, got)
		}
	}
}
