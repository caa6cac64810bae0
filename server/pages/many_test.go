package pages

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/web"
)

// many are the paths of objects of a collection, with names from 0 on.
func many(collection string, n int) (paths []string) {
	for i := range n {
		paths = append(paths, fmt.Sprintf("%s/o%03d", collection, i))
	}
	return paths
}

// A page of many objects costs the API server few requests: lists in chunks, and a GET for each object that isn't in them.
func TestManyObjectsAreReadAsAList(t *testing.T) {
	const cups, types = "/apis/half.example.com/v1/namespaces/default/cups", "/apis/half.example.com/v1"
	item := func(i int) string {
		return fmt.Sprintf(`{"metadata":{"name":"o%03d","namespace":"default","uid":"u%d","resourceVersion":"7"}}`, i, i)
	}
	var mu sync.Mutex
	var asked []string
	list := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Query().Get("continue"))
		mu.Unlock()
		from, next := 0, "second"
		if r.URL.Query().Get("continue") == "second" {
			from, next = 250, ""
		}
		var items []string
		for i := from; i < from+250 && i < 499; i++ { // the last one is deleted meanwhile
			items = append(items, item(i))
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"apiVersion":"half.example.com/v1","kind":"CupList","metadata":{"continue":"`+next+`"},"items":[`+strings.Join(items, ",")+`]}`)
	}
	serves := answers(200, "application/json", `{"kind":"APIResourceList","groupVersion":"half.example.com/v1","resources":[{"name":"cups","kind":"Cup","namespaced":true,"verbs":["get","list","patch","delete"]}]}`)
	s := halfWell(t, map[string]http.HandlerFunc{cups: list, types: serves})
	p := s.want(http.StatusOK, web.ActOn("half", "label", many(cups, 500)...)+"&pairs=a%3Db").says("500 objects, the worst first: 1 refused or impossible, 499 where nobody loses a field.", "o000", "default/o499 Not found").inert()
	if rows := p.all("tr", "data-namespace=default"); len(rows) != 500 || !strings.Contains(p.body, ".metadata.labels") {
		t.Errorf("%d rows", len(rows))
	}
	if want := []string{"", "second"}; !slices.Equal(asked, want) {
		t.Errorf("the chunks %q, want %q", asked, want)
	}
	refused := halfWell(t, map[string]http.HandlerFunc{cups: answers(403, "application/json", `{"kind":"Status","code":403,"message":"no"}`), cups + "/o000": answers(200, "application/json", `{"apiVersion":"half.example.com/v1","kind":"Cup",`+item(0)[1:]), types: serves})
	refused.want(http.StatusOK, web.ActOn("half", "label", many(cups, 30)...)+"&pairs=a%3Db").says("29 refused or impossible, 1 where nobody loses a field")
}

// Items of a list don't say that they are Secrets.
func TestSecretsOfAListAreMasked(t *testing.T) {
	const secrets = "/api/v1/namespaces/default/secrets"
	var items []string
	for i := range 30 {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":"o%03d","namespace":"default","uid":"u","resourceVersion":"7"},"data":{"password":%q}}`, i, canary.Coded))
	}
	types := answers(200, "application/json", `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"secrets","kind":"Secret","namespaced":true,"verbs":["get","list","patch"]}]}`)
	for kind, says := range map[string]string{"SecretList": "30 where nobody loses a field", "List": "Not found"} {
		s := halfWell(t, map[string]http.HandlerFunc{"/api/v1": types, secrets: answers(200, "application/json", `{"apiVersion":"v1","kind":"`+kind+`","items":[`+strings.Join(items, ",")+`]}`)})
		p := s.want(http.StatusOK, web.ActOn("half", "label", many(secrets, 30)...)+"&pairs=a%3Db").says(says)
		if canary.Escapes(p.body) {
			t.Errorf("%s: %s", kind, p.body)
		}
	}
}
