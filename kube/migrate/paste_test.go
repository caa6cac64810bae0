package migrate

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

func TestWhatToPaste(t *testing.T) {
	mine := []manager.Manager{{Name: "old-operator", Operation: "Update"}}
	stuck := []check.Finding{{Kind: check.Stuck, Owners: []ownership.Owner{{Manager: mine[0]}}, Ways: []check.Way{{Way: check.WayHandOver, Text: "kubectl patch it\n"}}}}
	for name, c := range map[string]struct {
		object  Object
		options Options
		want    []string
	}{
		"the last apply":       {Object{Owner: Owner{Tool: Kubectl}, Manifest: Annotation}, Options{}, []string{"kubectl apply view-last-applied deployments.v1.apps web -n shop -o yaml | kubectl apply --server-side -n shop -f -\n", "--dry-run=server"}},
		"a file":               {Object{Owner: Owner{Tool: Kubectl}, Manifest: Given, file: "my web.yaml"}, Options{}, []string{"kubectl apply --server-side -n shop -f 'my web.yaml'\n"}},
		"no manifest":          {Object{Owner: Owner{Tool: Kubectl}}, Options{}, []string{"-f FILE\n"}},
		"kubectl and the past": {Object{Owner: Owner{Tool: Kubectl}, Findings: stuck}, Options{}, []string{"--server-side -n shop -f FILE\nkubectl patch it\n"}},
		"Helm":                 {Object{Owner: Owner{Tool: Helm, Name: "web", Namespace: "shop"}}, Options{}, []string{"helm upgrade web CHART -n shop --server-side=true\n"}},
		"a hostile release":    {Object{Owner: Owner{Tool: Helm, Name: "--post-renderer=sh", Namespace: "$(x)"}}, Options{}, []string{"helm upgrade RELEASE CHART -n '$(x)' --server-side=true\n"}},
		"Argo CD":              {Object{Owner: Owner{Tool: ArgoCD, Name: "web"}}, Options{}, []string{"argocd.argoproj.io/sync-options: ServerSideApply=true", "    - ServerSideApply=true"}},
		"Argo CD, set":         {Object{Owner: Owner{Tool: ArgoCD, Name: "web"}}, Options{ServerSide: true, NoMigration: true}, []string{"Nothing to set", "ClientSideApplyMigration=false"}},
		"Argo CD and the past": {Object{Owner: Owner{Tool: ArgoCD, Older: mine}, Findings: stuck}, Options{}, []string{`client-side-apply-migration-manager: "old-operator"`}},
		"Flux":                 {Object{Owner: Owner{Tool: Flux, Name: "web"}, Findings: stuck}, Options{}, []string{"Nothing to set", "--override-manager=old-operator"}},
		"Flux that removes":    {Object{Owner: Owner{Tool: Flux}, Findings: []check.Finding{{Kind: check.Pruned}}}, Options{}, []string{"kustomize.toolkit.fluxcd.io/ssa: Merge"}},
		"a HelmRelease":        {Object{Owner: Owner{Tool: FluxHelm, Name: "web", Namespace: "flux"}}, Options{}, []string{"HelmRelease flux/web", "serverSideApply: enabled"}},
		"a HelmRelease, set":   {Object{Owner: Owner{Tool: FluxHelm}}, Options{ServerSide: true}, []string{"Nothing to set"}},
	} {
		c.object.Type, c.object.APIVersion, c.object.Namespace, c.object.Name = "deployments.apps", "apps/v1", "shop", "web"
		text := ""
		for _, w := range steps(c.object, c.options) {
			text += w.Text
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q isn't in\n%s", name, want, text)
			}
		}
	}
}
