package aggregated

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

const (
	base = "/apis/" + Group + "/" + Version
	shop = base + "/namespaces/shop/readings"
)

func site(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(&handler{store: newStore(time.Now), mayHold: func(_ context.Context, namespace string) error {
		if namespace != "shop" && namespace != "other" {
			return apierrors.NewNotFound(readings.group(), namespace)
		}
		return nil
	}})
	t.Cleanup(server.Close)
	return server
}

// ask sends one request. A body is JSON.
func ask(t *testing.T, server *httptest.Server, method, path, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{}
	if err := json.Unmarshal(text, &object); err != nil && response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	return response.StatusCode, object
}

func TestWhatIsAskedAndWhatIsRefused(t *testing.T) {
	server := site(t)
	for _, c := range []struct {
		method, path, body string
		code               int
	}{
		{"GET", "/apis", "", 200},
		{"GET", "/apis/" + Group, "", 200},
		{"GET", base, "", 200},
		{"POST", base, "", 405},
		{"GET", base + "/readings", "", 200},
		{"GET", base + "/stations", "", 200},
		{"GET", base + "/stations/greenhouse", "", 200},
		{"GET", base + "/stations/nosuch", "", 404},
		{"GET", base + "/stations?watch=1", "", 405},
		{"DELETE", base + "/stations/greenhouse", "", 405},
		{"GET", base + "/namespaces/shop/stations", "", 404},
		{"GET", shop, "", 200},
		{"GET", shop + "/greenhouse-humidity", "", 200},
		{"GET", shop + "/greenhouse-humidity/status", "", 404},
		{"GET", base + "/readings/greenhouse-humidity", "", 404},
		{"GET", base + "/nosuch", "", 404},
		{"GET", "/openapi/v3", "", 404},
		{"GET", "/", "", 404},
		{"GET", shop + "?labelSelector=((", "", 400},
		{"GET", shop + "?fieldSelector=spec.value%3D1", "", 400},
		{"GET", shop + "?watch=1&resourceVersion=x", "", 400},
		{"GET", shop + "?watch=1&resourceVersion=1", "", 410},
		{"GET", shop + "?watch=1&resourceVersion=99999999999999", "", 504},
		{"GET", shop + "?watch=1&sendInitialEvents=true", "", 422},
		{"PUT", shop + "/greenhouse-humidity", "{}", 405},
		{"PATCH", shop + "/greenhouse-humidity", "{}", 405},
		{"DELETE", shop, "", 405},
		{"POST", base + "/readings", `{"metadata":{"name":"a"}}`, 400},
		{"POST", shop, `{"metadata":{"name":"Not A Name"}}`, 422},
		{"POST", shop, `{`, 400},
		{"POST", shop, `{"kind":"Pod","metadata":{"name":"a"}}`, 400},
		{"POST", shop, `{"metadata":{"name":"a","namespace":"other"}}`, 400},
		{"POST", shop, `{"metadata":{"name":"greenhouse-humidity"}}`, 409},
		{"POST", shop + "?dryRun=Some", `{"metadata":{"name":"a"}}`, 400},
		{"POST", base + "/namespaces/none/readings", `{"metadata":{"name":"a"}}`, 404},
		{"POST", shop, `{"spec":{"value":"` + strings.Repeat("x", bodyLimit) + `"}}`, 413},
		{"DELETE", shop + "/nosuch", "", 404},
		{"DELETE", shop + "/greenhouse-humidity", `{"preconditions":{"uid":"another"}}`, 409},
	} {
		code, object := ask(t, server, c.method, c.path, c.body)
		if code != c.code {
			t.Errorf("%s %s: %d, want %d: %v", c.method, c.path, code, c.code, object)
		}
		if code >= 400 && (object["kind"] != "Status" || object["message"] == "" || object["code"] != float64(code)) {
			t.Errorf("%s %s: not a Status: %v", c.method, c.path, object)
		}
	}
}

func names(list map[string]any) string {
	var all []string
	for _, item := range list["items"].([]any) {
		all = append(all, item.(map[string]any)["metadata"].(map[string]any)["name"].(string))
	}
	return strings.Join(all, " ")
}

func TestSelectors(t *testing.T) {
	server := site(t)
	for query, want := range map[string]string{
		"":                                  "greenhouse-humidity greenhouse-temperature warehouse-temperature",
		"labelSelector=station%3Dwarehouse": "warehouse-temperature",
		"fieldSelector=metadata.name%3Dwarehouse-nothing": "",
		"fieldSelector=metadata.namespace%21%3Dshop":      "",
		"limit=1": "greenhouse-humidity greenhouse-temperature warehouse-temperature",
	} {
		if _, list := ask(t, server, "GET", base+"/readings?"+query, ""); names(list) != want {
			t.Errorf("%s: %s", query, names(list))
		}
	}
}

func TestWhatIsOnlyTriedChangesNothing(t *testing.T) {
	server := site(t)
	_, before := ask(t, server, "GET", base+"/readings", "")
	if code, made := ask(t, server, "POST", shop+"?dryRun=All", `{"metadata":{"generateName":"a-"}}`); code != 201 || made["metadata"].(map[string]any)["uid"] == "" {
		t.Errorf("create: %d %v", code, made)
	}
	for path, body := range map[string]string{"?dryRun=All": "", "": `{"dryRun":["All"]}`} {
		if code, status := ask(t, server, "DELETE", shop+"/greenhouse-humidity"+path, body); code != 200 || status["status"] != "Success" {
			t.Errorf("delete%s: %d %v", path, code, status)
		}
	}
	if _, after := ask(t, server, "GET", base+"/readings", ""); names(after) != names(before) {
		t.Errorf("there were %s, and now %s", names(before), names(after))
	}
}

// follow begins a watch and returns what reads its next event, as "TYPE name".
func follow(t *testing.T, server *httptest.Server, query string) func() string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+shop+"?watch=true&timeoutSeconds=5&"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(err, response)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	return func() string {
		if !lines.Scan() {
			return "end"
		}
		var told struct {
			Type   string
			Object Object
		}
		if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
			t.Fatal(err)
		}
		return told.Type + " " + told.Object.Kind + " " + told.Object.Name
	}
}

func TestAWatchMissesNothing(t *testing.T) {
	server := site(t)
	_, list := ask(t, server, "GET", shop, "")
	version := list["metadata"].(map[string]any)["resourceVersion"].(string)
	ask(t, server, "POST", shop, `{"metadata":{"name":"before","labels":{"station":"shed"}}}`)
	ask(t, server, "POST", base+"/namespaces/other/readings", `{"metadata":{"name":"elsewhere"}}`)

	all, some, whole := follow(t, server, "resourceVersion="+version), follow(t, server, "resourceVersion="+version+"&labelSelector=station%3Dshed"), follow(t, server, "")
	for _, want := range []string{"before", "greenhouse-humidity", "greenhouse-temperature", "warehouse-temperature"} {
		if got := whole(); got != "ADDED Reading "+want {
			t.Errorf("from the beginning: %s, want %s", got, want)
		}
	}
	ask(t, server, "POST", shop, `{"metadata":{"name":"meanwhile"}}`)
	ask(t, server, "DELETE", shop+"/before", "")
	for _, c := range []struct {
		next func() string
		want string
	}{
		{all, "ADDED Reading before"},
		{all, "ADDED Reading meanwhile"},
		{all, "DELETED Reading before"},
		{some, "ADDED Reading before"},
		{some, "DELETED Reading before"},
		{whole, "ADDED Reading meanwhile"},
	} {
		if got := c.next(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := some(); got != "end" {
		t.Errorf("after its time: %s", got)
	}
}

func TestOldChangesAreForgottenAndTheMemoryIsBounded(t *testing.T) {
	s := newStore(time.Now)
	start := s.version
	for range remembered {
		o, err := s.create(readings, &Object{ObjectMeta: starter()[readings][0].ObjectMeta}, false)
		if err == nil {
			t.Fatalf("made twice: %v", o.Name)
		}
		name := starter()[readings][1]
		name.Name = "again"
		if _, err := s.create(readings, name, false); err != nil {
			t.Fatal(err)
		}
		if _, err := s.remove(keyOf(readings, name), nil, false); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.changes) != remembered {
		t.Errorf("%d changes are kept", len(s.changes))
	}
	if _, _, err := s.since(start); !apierrors.IsResourceExpired(err) {
		t.Errorf("from the beginning: %v", err)
	}
	if changes, _, err := s.since(s.oldest); err != nil || len(changes) != remembered {
		t.Errorf("from the oldest: %d, %v", len(changes), err)
	}
	for n := range capacity {
		o := starter()[readings][0]
		o.Name = fmt.Sprint("n-", n)
		if _, err := s.create(readings, o, false); err != nil {
			if !apierrors.IsForbidden(err) || len(s.objects) != capacity {
				t.Errorf("with %d objects: %v", len(s.objects), err)
			}
			return
		}
	}
	t.Error("there is no end to it")
}
