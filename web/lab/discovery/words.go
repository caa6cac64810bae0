package discovery

import (
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/words"
)

func titled(group string) string {
	if group == "" {
		return "core"
	}
	return group
}

func facts(t discovery.Type) []components.Fact {
	return []components.Fact{
		{Name: "resource", Text: t.Resource, Mono: true},
		{Name: "singular", Text: t.Singular, Mono: true},
		{Name: "group", Text: titled(t.Group), Why: &why.APIGroup},
		{Name: "scope", Text: t.Scope(), Why: &why.Paths},
		{Name: "short names", Text: or(strings.Join(t.ShortNames, ", ")), Why: &why.ShortName},
		{Name: "categories", Text: or(strings.Join(t.Categories, ", ")), Hint: "kubectl get " + strings.Join(t.Categories, ",") + " also lists this type", Why: &why.Category},
		{Name: "path", Text: collection(t).String(), Mono: true},
	}
}

// eight are the verbs that most types have.
var eight = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// verbs are the verbs of a type as text.
func verbs(t discovery.Type) string {
	for _, verb := range eight {
		if !t.Can(verb) {
			return strings.Join(t.Verbs, " ")
		}
	}
	if len(t.Verbs) > len(eight) {
		return strings.Join(t.Verbs, " ")
	}
	return "all eight"
}

func or(words string) string {
	if words == "" {
		return "none"
	}
	return words
}

// verbPath is the path of a verb's requests.
func verbPath(t discovery.Type, verb string) string {
	c := collection(t)
	switch verb {
	case "list", "create", "deletecollection":
		return c.String()
	case "watch":
		return c.String() + "?watch=1"
	}
	return apipath.Object(c.Group, c.Version, c.Namespace, c.Resource, someName).String()
}

// defined words what the definition says of a version.
func defined(d Detail, version string) string {
	if d.Definition == nil {
		return ""
	}
	for _, v := range d.Definition.Versions {
		if v.Name != version {
			continue
		}
		var words []string
		if v.Storage {
			words = append(words, "the storage version")
		}
		switch {
		case v.Deprecated && v.Warning != "":
			words = append(words, "deprecated, with the warning “"+v.Warning+"”")
		case v.Deprecated:
			words = append(words, "deprecated")
		}
		return strings.Join(words, "; ")
	}
	return ""
}

// short is the beginning of a hash, long enough to compare hashes by eye.
func short(hash string) string {
	if len(hash) > 16 {
		return hash[:16] + "…"
	}
	return hash
}

func fileName(document string) string { return strings.ReplaceAll(document, "/", "_") + ".json" }

const byHand = "kubectl get --raw /apis                      # not aggregated\n" +
	"kubectl api-resources -o wide                # the same types, from the aggregated format\n" +
	"curl -H 'Accept: " + acceptAggregated + "' …/apis"

// mostPeeked bounds the shown part of a document, in bytes.
const mostPeeked = 64 << 10

// peeked is the beginning of the aggregated document.
func (l *live) peeked() string {
	text := call.Laid(l.peek.Kept)
	if len(text) > mostPeeked {
		return strings.ToValidUTF8(text[:mostPeeked], "") + "\n… " + components.Bytes(int64(len(text)-mostPeeked)) + " more. Download the document to see all of it."
	}
	return text
}

func (l *live) bars() []call.Bars {
	a, o := &l.aggregated, &l.one
	return []call.Bars{
		call.Compared("requests", int64(a.done), int64(o.done), words.Thousands),
		call.Compared("bytes", a.bytes(), o.bytes(), components.Bytes),
		call.Compared("time, one after the other", a.took.Milliseconds(), o.took.Milliseconds(), func(n int64) string { return words.Thousands(n) + " ms" }),
	}
}
