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
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/feature"
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

	unsafeDeletion = "ignoreStoreReadErrorWithClusterBreakingPotential"

	// endOfInitialEvents is the annotation of the bookmark that ends a streaming list.
	endOfInitialEvents = "k8s.io/initial-events-end"
)

// questions are sent in any order, and shown in this one.
var questions = [...]question{
	{
		of: feature.StreamingLists, stream: true,
		request: api.Request{Method: http.MethodGet, MaxBytes: maxProbe, Path: "/api/v1/namespaces?watch=1&sendInitialEvents=true" +
			"&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1"},
		judge: judgeStreaming,
	},
	{
		of:      feature.Tables,
		request: api.Request{Method: http.MethodGet, Path: oneNamespace, Accept: mediaTable, MaxBytes: maxProbe},
		judge:   judgeMedia("application/json", `"Table"`, "Tables"),
	},
	{
		of:      feature.CBOR,
		request: api.Request{Method: http.MethodGet, Path: oneNamespace, Accept: mediaCBOR, MaxBytes: maxProbe},
		instead: selfReview(mediaCBOR),
		judge:   judgeMedia(mediaCBOR, "", "CBOR"),
	},
	{
		of:      feature.Protobuf,
		request: api.Request{Method: http.MethodGet, Path: oneNamespace, Accept: mediaProtobuf, MaxBytes: maxProbe},
		instead: selfReview(mediaProtobuf),
		judge:   judgeMedia(mediaProtobuf, "", "Protobuf"),
	},
	{
		of:      feature.AggregatedDiscovery,
		request: api.Request{Method: http.MethodGet, Path: "/api", Accept: mediaGroups, MaxBytes: maxCatalog},
		judge:   judgeMedia("application/json", `"APIGroupDiscoveryList"`, "aggregated discovery"),
	},
	{
		of:      feature.OpenAPI,
		request: api.Request{Method: http.MethodGet, Path: "/openapi/v3", MaxBytes: maxProbe},
		judge:   judgeMedia("", `"paths"`, "OpenAPI v3"), // sent as text/plain
	},
	{
		of: feature.ServerSideApply,
		// Without a field manager the server must refuse, and dryRun keeps it from writing all the same.
		request: api.Request{
			Method: http.MethodPatch, Path: "/api/v1/namespaces/default?dryRun=All", ContentType: mediaApply, MaxBytes: maxProbe,
			Body: []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`),
		},
		judge: judgeApply,
	},
	{
		of: feature.FieldValidation, review: true,
		// A server that knows the parameter refuses this value, before it reviews anything.
		request: api.Request{
			Method: http.MethodPost, Path: access.ReviewPath + "&fieldValidation=Fieldmark", ContentType: "application/json", MaxBytes: maxProbe,
			Body: []byte(`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"nonResourceAttributes":{"verb":"get","path":"/version"}}}`),
		},
		judge: judgeParameter("fieldValidation", "field validation"),
	},
	{
		of: feature.SelfReview, review: true,
		request: *selfReview("application/json"),
		judge:   judgeMedia("application/json", `"SelfSubjectReview"`, "a SelfSubjectReview"),
	},
	{
		of:      feature.EphemeralContainers,
		request: api.Request{Method: http.MethodGet, Path: "/api/v1", Accept: "application/json", MaxBytes: maxCatalog},
		judge:   judgeMedia("application/json", `"pods/ephemeralcontainers"`, "ephemeral containers"),
	},
	{
		of: feature.UnsafeDeletion,
		// A server with the option refuses it beside a grace period. Other servers look for an object that doesn't exist, and a dry run deletes nothing.
		request: api.Request{
			Method: http.MethodDelete, MaxBytes: maxProbe,
			Path: "/api/v1/namespaces/default/configmaps/fieldmark-asks-for-a-feature?dryRun=All&gracePeriodSeconds=0&" + unsafeDeletion + "=true",
		},
		judge: judgeParameter(unsafeDeletion, "the option"),
	},
	{
		of:      feature.Autoscalers,
		request: api.Request{Method: http.MethodGet, Path: "/apis/autoscaling/v2", Accept: "application/json", MaxBytes: maxProbe},
		judge:   judgeMedia("application/json", `"horizontalpodautoscalers"`, "autoscaling/v2"),
	},
	{
		of:      feature.Budgets,
		request: api.Request{Method: http.MethodGet, Path: "/apis/policy/v1", Accept: "application/json", MaxBytes: maxProbe},
		judge:   judgeMedia("application/json", `"poddisruptionbudgets"`, "policy/v1"),
	},
	{
		of:      feature.Metrics,
		request: api.Request{Method: http.MethodGet, Path: "/apis/metrics.k8s.io", Accept: "application/json", MaxBytes: maxProbe},
		judge:   judgeMedia("application/json", `"metrics.k8s.io/`, "metrics"),
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

// judgeParameter looks for the refusal that only a server returns that knows a parameter: it names the parameter.
func judgeParameter(name, what string) func([]byte, api.Answer, error) (Offer, string) {
	return func(_ []byte, _ api.Answer, err error) (Offer, string) {
		refused, ok := errors.AsType[*api.Error](err)
		switch {
		case ok && refused.Status.Code == http.StatusUnprocessableEntity && strings.Contains(refused.Status.Message, name):
			return Yes, fmt.Sprintf("The server knows %s, because it refuses this use of %s.", what, name)
		case err == nil || ok && refused.Status.Code == http.StatusNotFound:
			return No, fmt.Sprintf("The server ignores %s.", name)
		}
		return judgeRefusal(err, what)
	}
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
