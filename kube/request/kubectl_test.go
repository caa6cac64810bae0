package request

import (
	"strings"
	"testing"
)

func TestLinesForKubectl(t *testing.T) {
	for i, want := range map[int]Command{
		0: {Line: "kubectl get --raw /version", Raw: "kubectl get --raw /version"},
		1: {Line: "kubectl get pods web -n shop -o json --show-managed-fields", Raw: "kubectl get --raw /api/v1/namespaces/shop/pods/web"},
		2: {
			Line: "kubectl get pods --all-namespaces '--selector=app in (a,b),!c' --chunk-size=500", Note: "The command requests all chunks until it has the whole collection, and prints it as columns.",
			Raw: "kubectl get --raw '/api/v1/pods?labelSelector=app%20in%20(a,b),!c&limit=500'",
		},
		4: {Line: "kubectl get deployments.v1.apps web -n shop --subresource=scale -o json --show-managed-fields", Raw: "kubectl get --raw /apis/apps/v1/namespaces/shop/deployments/web/scale"},
		5: {Line: "kubectl logs web -n shop --container=main --tail=10 --since=60s --follow", Raw: "kubectl get --raw '/api/v1/namespaces/shop/pods/web/log?container=main&follow=true&sinceSeconds=60&tailLines=10'"},
		7: {
			Line: "kubectl create --raw /api/v1/namespaces/shop/pods/web/eviction -f - <<'EOF'\n{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"web\"}}\nEOF",
			Raw:  "kubectl create --raw /api/v1/namespaces/shop/pods/web/eviction -f - <<'EOF'\n{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"web\"}}\nEOF",
		},
		10: {Line: "kubectl apply --server-side -f - -o json --show-managed-fields -n shop --force-conflicts '--field-manager=me' <<'EOF'\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nEOF", Note: "The command reads the object first. It also takes over the fields that kubectl owns by client-side apply."},
		11: {Line: "kubectl label --overwrite nodes n1 'a=b' c- -o json --show-managed-fields", Note: "The command uses the field manager kubectl-label. The command reads the object first."},
		12: {Line: "kubectl scale deployments.v1.apps web -n shop '--replicas=3'", Note: "The command uses the field manager kubectl, and reads the object first."},
		13: {Line: `kubectl patch configmaps a -n shop '--type=json' -o json --show-managed-fields -p '[{"op":"remove","path":"/data/x"}]'`, Note: "The command uses the field manager kubectl-patch. The command reads the object first."},
		14: {
			Line: "kubectl delete pods web -n shop '--wait=false' '--cascade=foreground' '--grace-period=0' --force",
			Raw:  "kubectl delete --raw '/api/v1/namespaces/shop/pods/web?gracePeriodSeconds=0&propagationPolicy=Foreground'",
		},
		15: {
			Line: "kubectl delete pods -n shop '--wait=false' '--selector=app=web' '--dry-run=server'", Note: "The command lists the objects, and deletes each with its own request. The command requests background deletion. The request leaves this to the kind.",
			Raw: "kubectl delete --raw '/api/v1/namespaces/shop/pods?dryRun=All&labelSelector=app%3Dweb'",
		},
		18: {Note: "kubectl has no command for this request."},
		19: {Note: "kubectl has no command for this request."},
	} {
		got := examples[i].Kubectl()
		if plainer(got) != plainer(want) {
			t.Errorf("%d:\n got %q\nwant %q", i, plainer(got), plainer(want))
		}
	}
}

// plainer takes the quotes out that options need not have.
func plainer(c Command) Command {
	bare := strings.NewReplacer("'", "")
	c.Line, c.Raw = bare.Replace(c.Line), strings.ReplaceAll(bare.Replace(c.Raw), "%3D", "=")
	return c
}

func TestRawCommandsTellOfTheirRequests(t *testing.T) {
	for i, r := range examples {
		raw := r.Kubectl().Raw
		if raw == "" {
			continue
		}
		found, err := Parse(raw)
		if err != nil || found[0].Request.Method != r.Method || found[0].Request.Target() != r.Target() ||
			strings.TrimSuffix(string(found[0].Request.Body), "\n") != strings.TrimSuffix(string(r.Body), "\n") {
			t.Errorf("%d: %s: %+v, %v", i, raw, found, err)
		}
	}
}

func TestHereDocumentsEndWhereTheyShould(t *testing.T) {
	got := fed("cat", []byte("a\nEOF\nb\nEOF1"))
	if got != "cat <<'EOF2'\na\nEOF\nb\nEOF1\nEOF2" {
		t.Error(got)
	}
}
