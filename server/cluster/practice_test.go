package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/server/api"
)

// practiceEnv names the kubeconfig of a practice cluster that runs; make test sets it.
const practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

// practice is a context of the practice cluster.
func practice(t *testing.T, name string) *Cluster {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	r := New(Options{ProbeTimeout: patient})
	must(t, r.AddFile(file, FromPractice))
	c, ok := r.Get(name)
	if !ok {
		t.Fatalf("%s has no context %q", file, name)
	}
	return c
}

func TestPracticeState(t *testing.T) {
	for name, user := range map[string]string{Practice: "practice", PracticeViewer: "viewer"} {
		s := practice(t, name).State(t.Context(), nil)
		if s.Phase != Ready || !strings.HasPrefix(s.Version, "v1.") || !strings.Contains(s.User, user) || len(s.Groups) == 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// practised says what the API server of a practice cluster offers, by its minor version: 1.31, 1.33, 1.35 and 1.37. Practice clusters switch
// on CBOR where the server knows it. A test may know versions; Fieldmark asks.
var practised = map[feature.ID]map[int]Offer{
	"streaming-lists":      {31: No, 33: No, 35: Yes, 37: Yes},
	"tables":               {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"cbor":                 {31: No, 33: Yes, 35: Yes, 37: Yes},
	"protobuf":             {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"aggregated-discovery": {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"openapi-v3":           {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"server-side-apply":    {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"field-validation":     {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"self-subject-review":  {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"ephemeral-containers": {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"unsafe-deletion":      {31: No, 33: No, 35: No, 37: Yes},
	"autoscaling-v2":       {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"policy-v1":            {31: Yes, 33: Yes, 35: Yes, 37: Yes},
	"metrics":              {31: Yes, 33: Yes, 35: Yes, 37: Yes},
}

func TestPracticeFeatures(t *testing.T) {
	c := practice(t, Practice)
	minor, err := strconv.Atoi(strings.Split(c.State(t.Context(), nil).Version, ".")[1])
	must(t, err)
	all, err := c.Features(t.Context(), nil)
	must(t, err)
	if len(all) != len(practised) {
		t.Errorf("%d features, %d of them known here", len(all), len(practised))
	}
	for _, f := range all {
		t.Logf("%-22s %-8s %s (%s %s → %d %s)", f.ID, f.Offered, f.Why, f.Asked.Method, f.Asked.Path, f.Asked.Code, f.Asked.MediaType)
		if want, known := practised[f.ID][minor]; !known || f.Offered != want {
			t.Errorf("1.%d, %s: %s, want %s", minor, f.ID, f.Offered, want)
		}
	}
	viewer, err := practice(t, PracticeViewer).Features(t.Context(), nil)
	must(t, err)
	for _, f := range viewer {
		t.Logf("viewer: %-22s %-8s %s (%d %s)", f.ID, f.Offered, f.Why, f.Asked.Code, f.Asked.MediaType)
		if f.Offered != practised[f.ID][minor] && f.Offered != Unknown {
			t.Errorf("to somebody with few rights %s is told as %+v", f.ID, f)
		}
	}
}

// Asking what the server offers must never change anything on it.
func TestPracticeFeaturesChangeNothing(t *testing.T) {
	c := practice(t, Practice)
	client, err := c.Client()
	must(t, err)
	before := namespace(t, client)
	AskFeatures(t.Context(), client)
	if after := namespace(t, client); after != before {
		t.Errorf("the namespace was %s and is %s", before, after)
	}
}

func namespace(t *testing.T, client *api.Client) string {
	t.Helper()
	answer, err := client.Do(t.Context(), api.Request{Path: "/api/v1/namespaces/default"})
	must(t, err)
	return string(answer.Body)
}

// Both forms of discovery say the same.
func TestPracticeDiscoveryFormsAgree(t *testing.T) {
	client, err := practice(t, Practice).Client()
	must(t, err)
	aggregated, err := Discover(t.Context(), client)
	must(t, err)
	legacy, err := legacyOnly(t.Context(), client)
	must(t, err)
	if hashed(aggregated) != 0 || hashed(legacy) < 20 {
		t.Errorf("storage hashes: %d and %d; only the older form tells them", hashed(aggregated), hashed(legacy))
	}
	for _, c := range []*discovery.Catalog{&aggregated, &legacy} {
		tidy(*c)
		// Groups of custom resources are listed in an order of no meaning, which may change from one request to the next.
		slices.SortStableFunc(c.Groups, func(a, b discovery.Group) int { return strings.Compare(a.Name, b.Name) })
	}
	if len(aggregated.Groups) < 15 || len(aggregated.Failures) != 0 {
		t.Errorf("%d groups, failures %v", len(aggregated.Groups), aggregated.Failures)
	}
	if !reflect.DeepEqual(aggregated, legacy) {
		a, _ := json.MarshalIndent(aggregated, "", " ")
		l, _ := json.MarshalIndent(legacy, "", " ")
		must(t, os.WriteFile(t.ArtifactDir()+"/aggregated.json", a, 0o600))
		must(t, os.WriteFile(t.ArtifactDir()+"/legacy.json", l, 0o600))
		t.Errorf("they differ (run with -artifacts to keep both): %s", firstDifference(aggregated, legacy))
	}
}

func legacyOnly(ctx context.Context, client *api.Client) (discovery.Catalog, error) {
	var parts []discovery.Catalog
	for path, parse := range map[string]func([]byte) (discovery.Catalog, error){"/api": discovery.ParseVersions, "/apis": discovery.ParseGroupList} {
		answer, err := client.Do(ctx, api.Request{Path: path})
		if err != nil {
			return discovery.Catalog{}, err
		}
		c, err := parse(answer.Body)
		if err != nil {
			return discovery.Catalog{}, err
		}
		c = fillLegacy(ctx, client, path, c)
		if path == "/api" {
			parts = slices.Insert(parts, 0, c)
		} else {
			parts = append(parts, c)
		}
	}
	return discovery.Join(parts...), nil
}

// hashed counts the types whose storage version's hash is known.
func hashed(c discovery.Catalog) (n int) {
	for _, g := range c.Groups {
		for _, v := range g.Versions {
			for _, typ := range v.Types {
				if typ.StorageHash != "" {
					n++
				}
			}
		}
	}
	return n
}

// tidy puts all in one order, and leaves out what one form alone tells.
func tidy(c discovery.Catalog) {
	for _, g := range c.Groups {
		for _, v := range g.Versions {
			for i := range v.Types {
				v.Types[i].StorageHash = ""
				slices.Sort(v.Types[i].Verbs)
				slices.SortFunc(v.Types[i].Subresources, func(a, b discovery.Subresource) int { return strings.Compare(a.Name, b.Name) })
				for _, s := range v.Types[i].Subresources {
					slices.Sort(s.Verbs)
				}
			}
			slices.SortFunc(v.Types, func(a, b discovery.Type) int { return strings.Compare(a.Resource, b.Resource) })
		}
	}
}

func firstDifference(a, b discovery.Catalog) string {
	for i := range min(len(a.Groups), len(b.Groups)) {
		x, _ := json.Marshal(a.Groups[i])
		y, _ := json.Marshal(b.Groups[i])
		if !bytes.Equal(x, y) {
			return string(x) + "\n" + string(y)
		}
	}
	return "the number of groups, or the failures"
}

func TestPracticeCounts(t *testing.T) {
	c := practice(t, Practice)
	client, err := c.Client()
	must(t, err)
	catalog, err := c.Catalog(t.Context(), client)
	must(t, err)
	counts, err := c.Counts(t.Context(), client, catalog)
	must(t, err)
	if len(counts) != len(catalog.Listable()) {
		t.Errorf("%d types counted of %d", len(counts), len(catalog.Listable()))
	}
	for key, count := range counts {
		if !count.Known {
			t.Errorf("%v: %+v", key, count)
		}
	}
	if n := counts[TypeKey{Resource: "namespaces"}]; n.Objects < 4 {
		t.Errorf("namespaces: %+v", n)
	}
	viewer := practice(t, PracticeViewer)
	counts, err = viewer.Counts(t.Context(), nil, catalog)
	must(t, err)
	if secrets := counts[TypeKey{Resource: "secrets"}]; secrets.Known || !secrets.Forbidden {
		t.Errorf("secrets, for the viewer: %+v", secrets)
	}
}

// A type that is defined after the catalog was fetched is found all the same.
func TestPracticeTypeIsFoundAnew(t *testing.T) {
	c := practice(t, Practice)
	client, err := c.Client()
	must(t, err)
	if _, found, err := c.Type(t.Context(), client, "apps", "", "deployments"); err != nil || !found {
		t.Fatalf("deployments: %v %v", found, err)
	}
	group := fmt.Sprintf("t%d.example.org", time.Now().UnixNano())
	define(t, client, group)
	for deadline := time.Now().Add(15 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if thing, found, err := c.Type(t.Context(), client, group, "", "things"); err == nil && found && thing.Kind == "Thing" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the new type is never found")
		}
	}
}

// define makes a custom resource type "things" for the time of the test.
func define(t *testing.T, client *api.Client, group string) {
	t.Helper()
	const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	body := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.%[1]s"},
		"spec":{"group":%[1]q,"scope":"Namespaced","names":{"plural":"things","singular":"thing","kind":"Thing"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`, group)
	_, err := client.Do(t.Context(), api.Request{Method: http.MethodPost, Path: crds, ContentType: "application/json", Body: []byte(body)})
	must(t, err)
	t.Cleanup(func() {
		_, err := client.Do(context.WithoutCancel(t.Context()), api.Request{Method: http.MethodDelete, Path: crds + "/things." + group})
		must(t, err)
	})
}

// TestPracticeBuiltInGroups: the API server marks its own APIServices, and those of custom resources, in different ways. Aggregated ones have a Service.
func TestPracticeBuiltInGroups(t *testing.T) {
	client, err := practice(t, Practice).Client()
	must(t, err)
	answer, err := client.Do(t.Context(), api.Request{Path: "/apis/apiregistration.k8s.io/v1/apiservices", MaxBytes: maxCatalog})
	must(t, err)
	var services struct {
		Items []struct {
			Metadata struct {
				Labels map[string]string `json:"labels"`
			} `json:"metadata"`
			Spec struct {
				Group   string    `json:"group"`
				Service *struct{} `json:"service"`
			} `json:"spec"`
		} `json:"items"`
	}
	must(t, json.Unmarshal(answer.Body, &services))
	kinds := map[bool]int{}
	for _, s := range services.Items {
		own := s.Spec.Service == nil && s.Metadata.Labels["kube-aggregator.kubernetes.io/automanaged"] == "onstart"
		kinds[own]++
		if discovery.BuiltIn(s.Spec.Group) != own {
			t.Errorf("%q: built in: %v, the API server says: %v", s.Spec.Group, !own, own)
		}
	}
	if kinds[true] < 10 || kinds[false] < 2 {
		t.Errorf("too few kinds of groups to say anything: %v", kinds)
	}
}
