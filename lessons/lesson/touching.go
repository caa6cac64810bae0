package lesson

import (
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
)

// named is the name in the metadata of a body, in JSON or YAML.
var named = regexp.MustCompile(`"?metadata"?:[\s{]*"?name"?:\s*"?([^\s",}]+)`)

// Touches is the path of what an expanded request is about: an object, also if the request creates the object, or a collection. It is empty
// if the request is about neither.
func (r Request) Touches() string {
	path, _, _ := strings.Cut(r.Target, "?")
	p, err := apipath.Parse(path)
	switch {
	case err != nil || !p.IsResource():
		return ""
	case p.Kind == apipath.KindCollection:
		if name := named.FindStringSubmatch(r.Body); r.Method == request.Post && name != nil {
			return p.String() + "/" + name[1]
		}
		return p.String()
	}
	return apipath.ObjectOf(p).String()
}

// Dry tells whether a request is a dry run: nothing is stored.
func (r Request) Dry() bool {
	return request.New(r.Method, r.Target).Query.Has("dryRun") || r.Method == request.Delete && strings.Contains(r.Body, "dryRun")
}

// Overlap tells whether two paths of Touches are about the same object, or about a collection and an object in it.
func Overlap(a, b string) bool {
	return a != "" && b != "" && (a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/"))
}
