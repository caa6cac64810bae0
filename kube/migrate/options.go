package migrate

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
)

// Options are what an Application or a HelmRelease says about server-side apply.
type Options struct {
	ServerSide  bool // it applies server-side from its next sync or upgrade on
	NoMigration bool // Argo CD doesn't fold the entry of client-side apply
}

// OptionsOf reads an Application of Argo CD, or a HelmRelease of Flux. Key is the name by which objects refer to it.
func OptionsOf(raw []byte) (tool Tool, key string, options Options) {
	o, err := object.Parse(raw)
	if err != nil {
		return "", "", Options{}
	}
	spec, _ := o.Fields["spec"].(map[string]any)
	switch o.Kind() {
	case "Application":
		policy, _ := spec["syncPolicy"].(map[string]any)
		list, _ := policy["syncOptions"].([]any)
		has := func(option string) bool {
			return slices.ContainsFunc(list, func(v any) bool { text, _ := v.(string); return strings.ReplaceAll(text, " ", "") == option })
		}
		return ArgoCD, o.Meta("name"), Options{ServerSide: has("ServerSideApply=true"), NoMigration: has("ClientSideApplyMigration=false")}
	case "HelmRelease":
		upgrade, _ := spec["upgrade"].(map[string]any)
		return FluxHelm, o.Meta("namespace") + "/" + o.Meta("name"), Options{ServerSide: upgrade["serverSideApply"] == "enabled"}
	}
	return "", "", Options{}
}
