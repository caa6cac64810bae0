package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// scripted is an API server that says what a test wants: texts that a real one refuses to store, and faults on demand.
type scripted struct {
	name   string
	bodies map[string]string // by the end of the path
	wait   chan struct{}     // not nil: a request waits for it
	broken bool              // asking panics
}

func (s *scripted) List(context.Context) ([]Named, error) { return []Named{{Name: s.name}}, nil }

func (s *scripted) Open(context.Context, string) (Cluster, error) { return s, nil }

func (s *scripted) Namespace() string { return "shop" }

func (s *scripted) Schema(context.Context, discovery.Type) *schema.Schema {
	if s.broken {
		panic("a bug")
	}
	return nil
}

func (s *scripted) Catalog(context.Context, bool) (discovery.Catalog, error) {
	verbs := []string{"get", "list", "watch", "patch", "update", "create"}
	types := []discovery.Type{
		{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Singular: "configmap", Namespaced: true, Verbs: verbs},
		{Version: "v1", Resource: "secrets", Kind: "Secret", Singular: "secret", Namespaced: true, Verbs: verbs},
		{Version: "v1", Resource: "pods", Kind: "Pod", Singular: "pod", Namespaced: true, Verbs: verbs},
	}
	return discovery.Catalog{Groups: []discovery.Group{{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: types}}}}}, nil
}

func (s *scripted) Send(ctx context.Context, a inquiry.Ask) ([]byte, *status.Status) {
	if s.broken {
		panic("a bug")
	}
	if s.wait != nil {
		select {
		case <-s.wait:
		case <-ctx.Done():
			return nil, &status.Status{Message: ctx.Err().Error()}
		}
	}
	path := a.Path.String()
	if strings.Contains(a.Accept, "as=Table") {
		path += "#table"
	}
	for end, body := range s.bodies {
		if strings.HasSuffix(path, end) {
			return []byte(body), nil
		}
	}
	return nil, &status.Status{Code: 404, Reason: status.NotFound, Message: s.name}
}

func (s *scripted) Ask(ctx context.Context, a check.Ask) (check.Response, error) {
	body, no := s.Send(ctx, inquiry.Ask{Path: a.Path})
	if no != nil {
		return check.Response{No: no}, nil
	}
	o, err := object.Parse(body)
	return check.Response{Object: o.Fields}, err
}

func (s *scripted) Stream(context.Context, string) (io.ReadCloser, *status.Status) {
	body := s.bodies["#watch"]
	return io.NopCloser(strings.NewReader(body)), nil
}

// noRedaction masks nothing, so that a test sees what else does.
var noRedaction = Redact{
	Body:  func(body []byte, _ string, _ bool) ([]byte, bool, string) { return body, false, "" },
	Names: func(string) bool { return false },
	Text:  func(text string) string { return text },
	Mark:  "(redacted)",
}

// noLibrary has nothing.
type noLibrary struct{}

func (noLibrary) About(string, int) ([]Passage, error) { return nil, errors.New("none") }
func (noLibrary) Documents() []Document                { return nil }

// testDesk is a desk whose tools a test calls.
type testDesk struct{ *desk }

func deskOf(t *testing.T, c Clusters) testDesk {
	t.Helper()
	return testDesk{&desk{Options{
		Clusters: c, Redact: noRedaction, Library: noLibrary{}, Now: time.Now, Turns: NewTurns(), Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}}}
}

// answer is what a tool answers, as it is sent.
func (d testDesk) answer(t *testing.T, name, arguments string) (text []byte, failed bool) {
	t.Helper()
	for _, one := range d.tools() {
		if one.name != name {
			continue
		}
		var s jsonschema.Schema
		if err := json.Unmarshal([]byte(one.in), &s); err != nil {
			t.Fatal(err)
		}
		accepts, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := d.call(t.Context(), one, accepts, []byte(arguments))
		if err != nil {
			a, failed = answerOf(err), true
		}
		if text, err = a.encode(d.Redact.Text); err != nil {
			t.Fatal(err)
		}
		return text, failed
	}
	t.Fatalf("there is no tool %s", name)
	return nil, false
}

// hostileCluster has a text in every place that an answer could have it.
func hostileCluster(text string) *scripted {
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	q := quoted(text)
	fields := quoted("f:" + text)
	o := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop","uid":"u","resourceVersion":"1","annotations":{` + q + `:` + q + `},"labels":{"l":` + q + `},
		"managedFields":[{"manager":` + q + `,"operation":` + q + `,"subresource":` + q + `,"apiVersion":"v1","time":` + q + `,"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{},` + fields + `:{}}}},
		{"manager":"other","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]},"data":{"a":` + q + `,` + q + `:` + q + `}}`
	return &scripted{name: text, bodies: map[string]string{
		"/configmaps/a":        o,
		"/configmaps":          `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[` + o + `]}`,
		"/configmaps#table":    `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"continue":` + q + `},"columnDefinitions":[{"name":` + q + `,"type":"string"}],"rows":[{"cells":[` + q + `],"object":{"metadata":{"name":` + q + `}}}]}`,
		"/events":              `{"items":[{"type":` + q + `,"reason":` + q + `,"message":` + q + `,"involvedObject":{"kind":` + q + `,"name":` + q + `}}]}`,
		"/pods/a/log":          "2026-01-01T00:00:00Z " + text + "\n",
		"/clusterroles":        `{"metadata":{},"items":[{"metadata":{"name":` + q + `},"rules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"]}]}]}`,
		"/clusterrolebindings": `{"metadata":{},"items":[{"metadata":{"name":` + q + `},"roleRef":{"kind":"ClusterRole","name":` + q + `},"subjects":[{"kind":"User","name":` + q + `}]}]}`,
		"/roles":               `{"metadata":{},"items":[]}`,
		"/rolebindings":        `{"metadata":{},"items":[]}`,
		"#watch":               `{"type":"MODIFIED","object":` + strings.ReplaceAll(strings.ReplaceAll(o, "\n", ""), `"resourceVersion":"1"`, `"resourceVersion":"2"`) + "}\n",
	}}
}
