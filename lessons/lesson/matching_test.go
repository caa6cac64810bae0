package lesson

import (
	"fmt"
	"testing"
)

func TestIsMadeBy(t *testing.T) {
	r := Request{Method: "GET", Target: "/api/v1/pods?watch=true&labelSelector=a%3Db"}
	for _, c := range []struct {
		method, path, query string
		same                bool
	}{
		{"GET", "/api/v1/pods", "labelSelector=a%3Db&watch=1", true},
		{"GET", "/api/v1/pods", "labelSelector=a=b&watch=true&resourceVersion=4", true},
		{"GET", "/api/v1/pods", "labelSelector=a%3Db", false},
		{"GET", "/api/v1/pods", "labelSelector=a&watch=1", false},
		{"GET", "/api/v1/nodes", "labelSelector=a%3Db&watch=1", false},
		{"POST", "/api/v1/pods", "labelSelector=a%3Db&watch=1", false},
		{"GET", "/api/v1/pods", "labelSelector=%&watch=1", false},
	} {
		if r.IsMadeBy(c.method, c.path, c.query) != c.same {
			t.Errorf("%+v", c)
		}
	}
}

func TestParametersThatChangeTheMeaningMustMatch(t *testing.T) {
	const maps = "/api/v1/namespaces/a/configmaps"
	for name, c := range map[string]struct {
		target, kubectl, query string
		want                   string // the differences
	}{
		"the same":                          {"?fieldManager=ada", "", "fieldManager=ada", "[]"},
		"kubectl’s defaults":                {"?fieldManager=ada", "", "fieldManager=ada&fieldValidation=Strict&force=false", "[]"},
		"another manager":                   {"?fieldManager=ada", "", "fieldManager=ben", "[{fieldManager ada ben}]"},
		"no manager":                        {"?fieldManager=ada", "", "", "[{fieldManager ada }]"},
		"kubectl’s own manager":             {"", "", "fieldManager=kubectl-create", "[]"},
		"a manager that isn’t asked for":    {"", "", "fieldManager=ben", "[{fieldManager  ben}]"},
		"the manager of the command":        {"", "kubectl create --field-manager=ben -f -", "fieldManager=ben", "[]"},
		"a dry run that isn’t asked for":    {"", "", "dryRun=All", "[{dryRun  All}]"},
		"no dry run":                        {"?dryRun=All", "", "", "[{dryRun All }]"},
		"forced":                            {"", "", "force=true", "[{force  true}]"},
		"not forced":                        {"?force=true", "", "force=false", "[{force true false}]"},
		"not forced, and not said":          {"?force=false", "", "", "[]"},
		"the level of the target":           {"?fieldValidation=Ignore", "", "fieldValidation=Strict", "[{fieldValidation Ignore Strict}]"},
		"the server’s default level":        {"?fieldValidation=Warn", "", "", "[]"},
		"the level of the command":          {"", "kubectl replace --validate=warn -f -", "fieldValidation=Warn", "[]"},
		"without the level of the command":  {"", "kubectl replace --validate=warn -f -", "fieldValidation=Strict", "[{fieldValidation Warn Strict}]"},
		"a level that isn’t asked for":      {"", "", "fieldValidation=Ignore", "[{fieldValidation  Ignore}]"},
		"several":                           {"?dryRun=All&fieldManager=ada", "", "fieldManager=ben&force=true", "[{dryRun All } {fieldManager ada ben} {force  true}]"},
		"a parameter that changes no write": {"", "", "pretty=true&timeout=3s", "[]"},
		"another limit":                     {"?limit=2", "", "limit=500", "[{limit 2 500}]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Request{Method: "PATCH", Target: maps + c.target, Kubectl: c.kubectl}
			all, near := r.Differences("PATCH", maps, c.query)
			if got := fmt.Sprint(all); got != c.want || !near {
				t.Errorf("%s, near: %v; want %s", got, near, c.want)
			}
			if _, near := r.Differences("PUT", maps, c.query); near {
				t.Error("another method is near")
			}
		})
	}
}
