package cluster

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
)

const (
	mediaTable    = accept.Table
	mediaCBOR     = "application/cbor"
	mediaProtobuf = "application/vnd.kubernetes.protobuf"
	mediaGroups   = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	mediaApply    = "application/apply-patch+yaml"

	// oneNamespace is a collection that every server has and most users may read.
	oneNamespace = "/api/v1/namespaces?limit=1"

	// endOfInitialEvents is the annotation of the bookmark that ends a streaming list.
	endOfInitialEvents = "k8s.io/initial-events-end"
)

// questions are sent in any order, and shown in this one.
var questions = []question{
	{
		id: "streaming-lists", name: "Streaming lists", stream: true,
		request: api.Request{Method: http.MethodGet, MaxBytes: maxProbe, Path: "/api/v1/namespaces?watch=1&sendInitialEvents=true" +
			"&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1"},
		judge: judgeStreaming,
	},
	{
		id: "tables", name: "Tables",
		request: api.Request{Method: http.MethodGet, Path: oneNamespace, Accept: mediaTable, MaxBytes: maxProbe},
		judge:   judgeMedia("application/json", `"Table"`, "Tables"),
	},
	{
		id: "cbor", name: "CBOR",
		request: api.Request{Method: http.MethodGet, Path: oneNamespace, Accept: mediaCBOR, MaxBytes: maxProbe},
		instead: selfReview(mediaCBOR),
		judge:   judgeMedia(mediaCBOR, "", "CBOR"),
	},
	{
		id: "protobuf", name: "Protobuf",
		request: api.Request{Method: http.MethodGet, Path: oneNamespace, Accept: mediaProtobuf, MaxBytes: maxProbe},
		instead: selfReview(mediaProtobuf),
		judge:   judgeMedia(mediaProtobuf, "", "Protobuf"),
	},
	{
		id: "aggregated-discovery", name: "Aggregated discovery",
		request: api.Request{Method: http.MethodGet, Path: "/api", Accept: mediaGroups, MaxBytes: maxCatalog},
		judge:   judgeMedia("application/json", `"APIGroupDiscoveryList"`, "aggregated discovery"),
	},
	{
		id: "server-side-apply", name: "Server-side apply",
		// Without a field manager the server must refuse, and dryRun keeps it from writing all the same.
		request: api.Request{
			Method: http.MethodPatch, Path: "/api/v1/namespaces/default?dryRun=All", ContentType: mediaApply, MaxBytes: maxProbe,
			Body: []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`),
		},
		judge: judgeApply,
	},
	{
		id: "openapi-v3", name: "OpenAPI v3",
		request: api.Request{Method: http.MethodGet, Path: "/openapi/v3", MaxBytes: maxProbe},
		judge:   judgeMedia("", `"paths"`, "OpenAPI v3"), // sent as text/plain
	},
}

// judgeMedia returns Yes if the response has the media type (any if empty) and contains the mark.
func judgeMedia(media, mark, what string) func([]byte, api.Answer, error) (Offer, string) {
	return func(body []byte, answer api.Answer, err error) (Offer, string) {
		if err != nil {
			return judgeRefusal(err, what)
		}
		got, _, _ := mime.ParseMediaType(answer.MediaType)
		if (got == media || media == "") && bytes.Contains(body, []byte(mark)) {
			return Yes, fmt.Sprintf("The server responds with %s.", what)
		}
		return No, fmt.Sprintf("The server responds, but not with %s.", what)
	}
}

// judgeRefusal returns No for 404, 406 and 415, and Unknown for all other errors.
func judgeRefusal(err error, what string) (Offer, string) {
	switch code := api.Code(err); code {
	case http.StatusNotFound, http.StatusNotAcceptable, http.StatusUnsupportedMediaType:
		return No, fmt.Sprintf("The server refuses requests for %s.", what)
	case http.StatusForbidden:
		return Unknown, "You don’t have permission to send the test request."
	case http.StatusUnauthorized:
		return Unknown, "The server does not accept the context's credentials."
	}
	return Unknown, fmt.Sprintf("The test request failed (%s).", oneLine(err))
}

func judgeStreaming(body []byte, _ api.Answer, err error) (Offer, string) {
	switch code := api.Code(err); {
	case err == nil && bytes.Contains(body, []byte(endOfInitialEvents)):
		return Yes, "The watch begins with the existing objects, and a bookmark marks their end."
	case err == nil:
		return No, "The watch does not mark the end of the existing objects."
	case code == http.StatusUnprocessableEntity || code == http.StatusBadRequest:
		return No, "The server refuses sendInitialEvents."
	}
	return judgeRefusal(err, "streaming lists")
}

// judgeApply looks for the error that only a server with apply returns.
func judgeApply(_ []byte, _ api.Answer, err error) (Offer, string) {
	if e, ok := errors.AsType[*api.Error](err); ok && strings.Contains(e.Status.Message, "fieldManager") {
		return Yes, "The server supports apply, because it requires the field manager. Fieldmark left out the manager, so that nothing can be written."
	}
	if err == nil {
		return Unknown, "The server accepts an apply without a field manager. No API server should do that."
	}
	return judgeRefusal(err, "server-side apply")
}

// untilInitialEventsEnd reads watch events up to the one that ends the initial state, or to the end.
func untilInitialEventsEnd(stream io.Reader) ([]byte, error) {
	var read []byte
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadBytes('\n')
		read = append(read[:0], line...)
		if err == io.EOF || bytes.Contains(line, []byte(endOfInitialEvents)) {
			return read, nil
		}
		if err != nil {
			return nil, upstream.Unreach(err)
		}
	}
}
