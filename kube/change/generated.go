package change

import (
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// rule says that a field gets another value each time the server fills it in.
type rule struct {
	path *regexp.Regexp
	kind string // only of this kind, as apiVersion/kind; empty: of all
	made bool   // only when the object comes to be
	why  string
}

var rules = []rule{
	{path: regexp.MustCompile(`^\.metadata\.uid$`), made: true, why: "Each object gets a uid of its own when it is made."},
	{path: regexp.MustCompile(`^\.metadata\.creationTimestamp$`), made: true, why: "It is the time at which the object is made."},
	{path: regexp.MustCompile(`^\.metadata\.deletionTimestamp$`), why: "It is the time at which the deletion is asked for."},
	{path: regexp.MustCompile(`^\.metadata\.resourceVersion$`), why: "The store numbers each write; a dry run is none."},
	{path: regexp.MustCompile(`^\.metadata\.selfLink$`), why: "The server writes it."},
	{
		path: regexp.MustCompile(`^\.spec\.(clusterIPs?\b|healthCheckNodePort$|ports\[.*\]\.nodePort$)`), kind: "v1/Service",
		why: "The server takes a free one from its range. A dry run reserves none, so a real run may get another.",
	},
	{
		path: regexp.MustCompile(`\[name="kube-api-access-[a-z0-9]{5}"\]`), kind: "v1/Pod", made: true,
		why: "The ServiceAccount admission plug-in gives the volume with the token a random name.",
	},
}

// generator knows which fields a real run fills in with other values.
type generator struct {
	kind      string
	made      bool
	uid, name string // of an object that comes to be: what the dry run made up
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

// why says why a field that the server filled in will have another value in a real run.
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
		return "The server puts a random ending behind generateName.", true
	case g.uid != "" && strings.Contains(value, g.uid):
		return "It holds the object's uid, which will be another one.", true
	case g.name != "" && strings.Contains(value, g.name):
		return "It holds the object's name, which will have another ending.", true
	default:
		return "", false
	}
}

func pathOf(n *manifest.Node) schema.Path { return schema.PathOf(n) }

// plainText is a value as a schema's field words it: text without quotes, anything else as JSON.
func plainText(v any) string {
	if text, is := v.(string); is && text != "" && strings.TrimSpace(text) == text {
		return text
	}
	return written(v)
}
