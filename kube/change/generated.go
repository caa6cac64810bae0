package change

import (
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// rule names fields to which the server gives a different value in each request.
type rule struct {
	path *regexp.Regexp
	kind string // only for this kind, as apiVersion/kind; empty: for all kinds
	made bool   // only when the object is created
	why  string
}

var rules = []rule{
	{path: regexp.MustCompile(`^\.metadata\.uid$`), made: true, why: "The server gives each new object its own uid."},
	{path: regexp.MustCompile(`^\.metadata\.creationTimestamp$`), made: true, why: "The field has the time when the object is created."},
	{path: regexp.MustCompile(`^\.metadata\.deletionTimestamp$`), why: "The field depends on the time of the deletion request."},
	{path: regexp.MustCompile(`^\.metadata\.resourceVersion$`), why: "The store numbers each write, and a dry run writes nothing."},
	{path: regexp.MustCompile(`^\.metadata\.selfLink$`), why: "The server writes this field."},
	{
		path: regexp.MustCompile(`^\.spec\.(clusterIPs?\b|healthCheckNodePort$|ports\[.*\]\.nodePort$)`), kind: "v1/Service",
		why: "The server takes a free value from its range. A dry run reserves nothing, so a real request may get a different value.",
	},
	{
		path: regexp.MustCompile(`\[name="kube-api-access-[a-z0-9]{5}"\]`), kind: "v1/Pod", made: true,
		why: "The ServiceAccount admission plug-in gives the volume with the token a random name.",
	},
}

// generator knows the fields that have a different value in a real request.
type generator struct {
	kind      string
	made      bool
	uid, name string // of a new object, if the server made them up for the dry run
}

func generatorOf(in Input) generator {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	g := generator{kind: text(in.Predicted, "apiVersion") + "/" + text(in.Predicted, "kind"), made: in.Live == nil}
	metadata, _ := in.Predicted["metadata"].(map[string]any)
	sent, _ := in.Sent["metadata"].(map[string]any)
	if g.made {
		g.uid = text(metadata, "uid")
		if text(sent, "name") == "" && text(sent, "generateName") != "" {
			g.name = text(metadata, "name")
		}
	}
	return g
}

// why says why the server gives a field a different value in a real request. It returns false if the value stays the same.
func (g generator) why(r *Row) (string, bool) {
	for _, rule := range rules {
		if (rule.kind == "" || rule.kind == g.kind) && (g.made || !rule.made) && rule.path.MatchString(r.Path) {
			return rule.why, true
		}
	}
	value, is := r.Is.Value.(string)
	switch {
	case !is:
		return "", false
	case g.name != "" && r.Path == ".metadata.name":
		return "The server adds a random ending to generateName.", true
	case g.uid != "" && strings.Contains(value, g.uid):
		return "The value contains the object's uid, which will be different.", true
	case g.name != "" && strings.Contains(value, g.name):
		return "The value contains the object's name, which will have a different ending.", true
	default:
		return "", false
	}
}

func pathOf(n *manifest.Node) schema.Path { return schema.PathOf(n) }
