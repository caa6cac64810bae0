package lesson

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
)

// Difference is a parameter by which a recorded request differs from the one that a lesson has.
type Difference struct {
	Name string // of the parameter
	Want string // its value in the lesson; empty: the lesson's request doesn't have it
	Got  string // its value in the recorded request; empty: the parameter is missing
}

// The parameters that change what a write means. They must match even if the lesson's request doesn't have them.
const (
	fieldValidation = "fieldValidation"
	dryRun          = "dryRun"
	force           = "force"
	fieldManager    = "fieldManager"
)

// IsMadeBy tells whether a recorded request is this one, which is expanded. It may have further parameters that don't change its meaning.
func (r Request) IsMadeBy(method, path, query string) bool {
	all, near := r.Differences(method, path, query)
	return near && len(all) == 0
}

// Differences are the parameters by which a recorded request differs from this one, which is expanded. near tells whether both have the
// same method and path; without that, there is nothing to compare.
func (r Request) Differences(method, path, query string) (all []Difference, near bool) {
	_, wantQuery, _ := strings.Cut(r.Target, "?")
	if method != r.Method || request.New(method, path).Path != request.New(r.Method, r.Target).Path {
		return nil, false
	}
	want, err := url.ParseQuery(wantQuery)
	got, err2 := url.ParseQuery(query)
	if err != nil || err2 != nil {
		return nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !r.same(name, want, got) {
			all = append(all, Difference{name, strings.Join(want[name], ", "), strings.Join(got[name], ", ")})
		}
	}
	for _, name := range []string{dryRun, fieldManager, fieldValidation, force} {
		if !want.Has(name) && got.Has(name) && !r.same(name, want, got) {
			all = append(all, Difference{name, r.said(name), got.Get(name)})
		}
	}
	return all, true
}

// same tells whether a parameter means the same in both queries.
func (r Request) same(name string, want, got url.Values) bool {
	is, was := want.Get(name), got.Get(name)
	switch {
	case name == "watch": // it can be written in several ways
		return got.Has(name)
	case name == force:
		return (is == "true") == (was == "true")
	case name == fieldValidation && is == "":
		return was == "" || was == r.said(name) || was == "Warn" && r.said(name) == "" || was == "Strict" && r.said(name) == ""
	case name == fieldValidation && is == "Warn":
		return was == "" || was == is // it is the server's default
	case name == fieldManager && is == "":
		return was == "" || was == r.said(name) || strings.HasPrefix(was, "kubectl")
	case !got.Has(name):
		return !want.Has(name)
	}
	return slices.Equal(want[name], got[name])
}

// The options of kubectl that become parameters.
var (
	validates = regexp.MustCompile(`--validate[= ]"?'?(\w+)`)
	manages   = regexp.MustCompile(`--field-manager[= ]"?'?([\w.-]+)`)
)

// said is the value that the lesson's own commands give to a parameter that its request doesn't have; empty: none.
func (r Request) said(name string) string {
	option := map[string]*regexp.Regexp{fieldValidation: validates, fieldManager: manages}[name]
	if option == nil {
		return ""
	}
	found := option.FindStringSubmatch(r.Kubectl)
	switch {
	case found == nil:
		return ""
	case name == fieldManager:
		return found[1]
	}
	return map[string]string{"warn": "Warn", "ignore": "Ignore", "false": "Ignore", "strict": "Strict", "true": "Strict"}[strings.ToLower(found[1])]
}
