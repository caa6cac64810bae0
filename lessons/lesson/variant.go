package lesson

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
)

// beside ends the name of an object that a variant is about.
const beside = "-variant"

// Variant is an expanded request as somebody may change and send it without disturbing the lesson. A request that only reads is its own variant. A request
// that writes becomes one about an object beside the lesson's, in the same namespace; object is its name. false: there is no such request,
// because r writes outside of a namespace, or to many objects.
func (r Request) Variant() (v Request, object string, ok bool) {
	if r.Reads() || r.Dry() {
		return r, "", true
	}
	at, query, _ := strings.Cut(r.Target, "?")
	p, err := apipath.Parse(at)
	if err != nil || !p.IsResource() || p.Namespace == "" {
		return Request{}, "", false
	}
	name := p.Name
	if found := named.FindStringSubmatchIndex(r.Body); found != nil {
		if name == "" && r.Method == request.Post {
			name = r.Body[found[2]:found[3]]
		}
		if r.Body[found[2]:found[3]] == name {
			r.Body = r.Body[:found[2]] + name + beside + r.Body[found[3]:]
		}
	}
	if name == "" {
		return Request{}, "", false
	}
	if p.Name != "" {
		p.Name = name + beside
	}
	if r.Target = p.String(); query != "" {
		r.Target += "?" + query
	}
	return r, name + beside, true
}

// Creates tells whether the API server creates the object of the request, if it doesn't exist.
func (r Request) Creates() bool {
	if r.Method == request.Patch {
		return strings.HasPrefix(r.Field("Content-Type"), "application/apply-patch")
	}
	p, err := apipath.Parse(strings.SplitN(r.Target, "?", 2)[0])
	return err == nil && r.Method == request.Post && p.Kind == apipath.KindCollection
}
