package saved

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

var pods = discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true}

func names(b Book) string {
	var all []string
	for _, v := range b {
		all = append(all, v.Name)
	}
	return strings.Join(all, " ")
}

func TestABookIsReadAsItWasWritten(t *testing.T) {
	var b Book
	for _, v := range []View{
		{Name: "broken", Resource: "pods", Namespace: "shop", Query: "filter=Crash&sort=-Age"},
		{Name: "All", Cluster: "practice", Group: "apps", Resource: "deployments", Query: "wide=1"},
	} {
		next, refused := b.With(v)
		if refused != "" {
			t.Fatal(refused)
		}
		b = next
	}
	if names(b) != "All broken" {
		t.Errorf("%q", names(b))
	}
	if got := Read(b.String()); !reflect.DeepEqual(got, b) {
		t.Errorf("%+v", got)
	}
	for _, broken := range []string{
		"", "x", "{}", "[1]", `[{"name":"","resource":"pods"}]`, `[{"name":"a"}]`, `[{"name":" a","resource":"pods"}]`, `[{"name":"a\u202eb","resource":"pods"}]`,
		`[{"name":"a","resource":"pods","query":"x#y"}]`, `[{"name":"a","resource":"pods","query":"` + strings.Repeat("x", mostQuery+1) + `"}]`,
	} {
		if got := Read(broken); len(got) > 0 {
			t.Errorf("%.40q is read as %+v", broken, got)
		}
	}
	if Book(nil).String() != "" {
		t.Error("an empty book is kept")
	}
}

func TestViewsAreForTheirTypeAndCluster(t *testing.T) {
	b := Book{{Name: "everywhere", Resource: "pods"}, {Name: "here", Cluster: "practice", Resource: "pods"}, {Name: "there", Cluster: "other", Resource: "pods"}, {Name: "else", Group: "metrics.k8s.io", Resource: "pods"}}
	if got := names(b.For("practice", pods)); got != "everywhere here" {
		t.Errorf("%q", got)
	}
}

func TestAddresses(t *testing.T) {
	node := discovery.Type{Version: "v1", Resource: "nodes"}
	for want, c := range map[string]struct {
		v View
		t discovery.Type
	}{
		"/c/practice/api/v1/pods":                              {View{}, pods},
		"/c/practice/api/v1/namespaces/shop/pods?filter=a%26b": {View{Namespace: "shop", Query: "filter=a%26b"}, pods},
		"/c/practice/api/v1/nodes?wide=1":                      {View{Namespace: "shop", Query: "wide=1"}, node}, // the type's scope has changed
	} {
		if got := c.v.Address("practice", c.t); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNamesAreUniqueAndClean(t *testing.T) {
	one := View{Name: "one", Resource: "pods"}
	b, _ := Book{}.With(one)
	b, _ = b.With(View{Name: " two\n\x00lines ", Resource: "pods"})
	if names(b) != "one two lines" {
		t.Errorf("%q", names(b))
	}
	b, _ = b.With(View{Name: "one", Resource: "pods", Query: "wide=1"})
	if len(b) != 2 || b[0].Query != "wide=1" {
		t.Errorf("saved again: %+v", b)
	}
	if _, refused := b.Renamed(b[0], "two lines"); refused != Existing {
		t.Errorf("%q", refused)
	}
	if _, refused := b.Renamed(b[0], " \t"); refused != NoName {
		t.Errorf("%q", refused)
	}
	b, refused := b.Renamed(b[0], "zwei")
	if names(b) != "two lines zwei" || refused != "" || b[1].Query != "wide=1" {
		t.Errorf("%+v %q", b, refused)
	}
	if names(b.Without(b[0])) != "zwei" {
		t.Errorf("%+v", b)
	}
	if long := Cleaned(strings.Repeat("é ", 100)); len([]rune(long)) > MostName || strings.HasSuffix(long, " ") {
		t.Errorf("%q", long)
	}
}

func TestABookIsBounded(t *testing.T) {
	var b Book
	for i := range mostViews {
		b, _ = b.With(View{Name: fmt.Sprint("view ", i), Resource: "pods"})
	}
	if _, refused := b.With(View{Name: "one more", Resource: "pods"}); refused != Full || len(b) != mostViews {
		t.Errorf("%d, %q", len(b), refused)
	}
	if _, refused := b.With(View{Name: "view 1", Resource: "pods", Query: "wide=1"}); refused != "" {
		t.Errorf("%q", refused)
	}
	if _, refused := (Book{}).With(View{Name: "a", Resource: "pods", Query: strings.Repeat("x", mostQuery+1)}); refused != TooLong {
		t.Errorf("%q", refused)
	}
}
