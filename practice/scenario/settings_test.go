package scenario

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
)

// served is a runner whose API server is a function.
func served(t *testing.T, serve http.HandlerFunc) *runner {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL}
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return newRunner(&controller{clients: clients{typed: typed, config: config}}, &Scenario{ObjectMeta: metav1.ObjectMeta{Name: "s"}})
}

func TestAMissingObjectDoesNotEndAnActor(t *testing.T) {
	missing := apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, "settings")
	if got := patient(missing); apierrors.IsNotFound(got) || got.Error() != missing.Error() {
		t.Errorf("%v", got)
	}
	if other := errors.New("other"); !errors.Is(patient(other), other) || patient(nil) != nil {
		t.Error("other errors stay as they are")
	}
}

func TestNoteCreatesAndChanges(t *testing.T) {
	typed := fake.NewClientset()
	r := newRunner(&controller{clients: clients{typed: typed}}, &Scenario{ObjectMeta: metav1.ObjectMeta{Name: "s"}})
	for i, want := range []act{creation, change} {
		done, err := r.note(t.Context(), "a", "report", "m", map[string]string{"turn": fmt.Sprint(i)})
		if err != nil || done != want {
			t.Errorf("%d: %v %v", i, done, err)
		}
		data, err := r.settings(t.Context(), "a", "report")
		if err != nil || data["turn"] != fmt.Sprint(i) {
			t.Errorf("%d: %v %v", i, data, err)
		}
	}
	object, err := typed.CoreV1().ConfigMaps("a").Get(t.Context(), "report", metav1.GetOptions{})
	if err != nil || object.Labels[NameLabel] != "s" {
		t.Errorf("%v %v", object, err)
	}
}

func TestAReporterListsThePodsOfItsNamespaceOnly(t *testing.T) {
	for request, want := range map[string]bool{
		"/api/v1/namespaces/a/pods":                              true,
		"/api/v1/namespaces/a/pods?limit=500&resourceVersion=12": true,
		"/api/v1/namespaces/b/pods":                              false,
		"/api/v1/namespaces/a/pods/one":                          false,
		"/api/v1/namespaces/a/secrets":                           false,
		"/api/v1/namespaces/a/../b/pods":                         false,
		"/api/v1/namespaces%2fa/pods":                            false,
		"/api/v1/namespaces/a/pods?watch=true":                   false,
		"/api/v1/namespaces/a/pods?limit=1&watch":                false,
		"/api/v1/pods":                                           false,
		"//other/api/v1/namespaces/a/pods":                       false,
		"http://other/api/v1/namespaces/a/pods":                  false,
		"":                                                       false,
	} {
		if got := listsPods(request, "a"); got != want {
			t.Errorf("%q: %t", request, got)
		}
	}
}

func TestAReporterSendsWhatItIsTold(t *testing.T) {
	var asked []string
	r := served(t, func(w http.ResponseWriter, q *http.Request) {
		asked = append(asked, q.URL.RequestURI())
		w.Header().Set("Content-Type", "application/json")
		if q.URL.Query().Get("resourceVersion") != "" {
			w.WriteHeader(http.StatusGone)
			_, _ = io.WriteString(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Expired", "code": 410, "message": "too old"}`)
			return
		}
		_, _ = io.WriteString(w, `{"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "two"}}, {"metadata": {"name": "one"}}]}`)
	})
	const plain, old = "/api/v1/namespaces/a/pods?limit=500", "/api/v1/namespaces/a/pods?limit=500&resourceVersion=7"
	if names, err := r.podsBy(t.Context(), "a", plain); err != nil || !slices.Equal(names, []string{"one", "two"}) {
		t.Errorf("%v %v", names, err)
	}
	if _, err := r.podsBy(t.Context(), "a", old); err == nil || err.Error() != "too old" {
		t.Errorf("%v", err)
	}
	if _, err := r.podsBy(t.Context(), "b", plain); !errors.Is(err, errRequest) {
		t.Errorf("%v", err)
	}
	if !slices.Equal(asked, []string{plain, old}) {
		t.Errorf("%v", asked)
	}
}

func order(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func TestAViewTakesEvents(t *testing.T) {
	v := &view{orders: map[string]bool{}}
	for _, event := range []watch.Event{
		{Type: watch.Added, Object: order("two")},
		{Type: watch.Added, Object: order("one")},
		{Type: watch.Added, Object: order("three")},
		{Type: watch.Deleted, Object: order("two")},
		{Type: watch.Error, Object: &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusGone, Message: "too old resource version"}},
	} {
		v.take(event)
	}
	if got := v.data(); got["orders"] != "one,three" || got["log"] != "too old resource version" {
		t.Errorf("%v", got)
	}
	if v.tell(nil); v.data()["log"] != "" {
		t.Error("the error stays after a success")
	}
}

func TestAFollowerContinuesFromItsVersion(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	r := served(t, func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		query := q.URL.Query()
		asked = append(asked, query.Get("watch")+" "+query.Get("resourceVersion")+" "+query.Get("labelSelector"))
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if !query.Has("watch") {
			_, _ = io.WriteString(w, `{"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "9"}, "items": [{"metadata": {"name": "one"}}]}`)
			return
		}
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-q.Context().Done()
	})
	v := &view{client: r.typed.CoreV1().RESTClient(), namespace: "a", orders: map[string]bool{}}
	for _, version := range []string{"7", "7", "", ""} { // an equal version keeps the watch
		v.keepWatching(t.Context(), t.Context(), version)
	}
	v.stop()
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"true 7 kind=order", "  kind=order", "true 9 kind=order"}; !slices.Equal(asked, want) {
		t.Errorf("%q, want %q", asked, want)
	}
	if got := v.data(); got["orders"] != "one" || got["log"] != "" {
		t.Errorf("%v", got)
	}
}

// TestAFollowerTellsARefusalAtOnce: the server asks for a repetition, and the actor makes none in the same turn.
func TestAFollowerTellsARefusalAtOnce(t *testing.T) {
	asked := 0
	r := served(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusGatewayTimeout)
		_, _ = io.WriteString(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Timeout", "code": 504, "message": "Too large resource version"}`)
	})
	v := &view{client: r.typed.CoreV1().RESTClient(), namespace: "a", orders: map[string]bool{}}
	if _, err := v.list(t.Context(), "9"); err == nil || err.Error() != "Too large resource version" || asked != 1 {
		t.Errorf("%v after %d requests", err, asked)
	}
}

func TestAWriterHasTheRightsOfItsAccount(t *testing.T) {
	config := &rest.Config{Host: "https://here", BearerToken: "admin's"}
	got := Writer{Namespace: "a", ServiceAccount: "sync", Manager: "node-fetch"}.identity(config)
	if got.Impersonate.UserName != "system:serviceaccount:a:sync" || got.UserAgent != "node-fetch" || got.Host != config.Host {
		t.Errorf("%+v", got.Impersonate)
	}
	if groups := strings.Join(got.Impersonate.Groups, " "); groups != "system:serviceaccounts system:serviceaccounts:a system:authenticated" {
		t.Error(groups)
	}
	if config.Impersonate.UserName != "" {
		t.Error("the configuration of the others has changed")
	}
}
