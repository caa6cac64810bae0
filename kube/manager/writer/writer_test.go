package writer

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/plain"
)

func TestKindsOfNames(t *testing.T) {
	for kind, all := range map[Kind]string{
		System: "kube-controller-manager kube-scheduler kubelet kube-apiserver cloud-controller-manager kube-proxy k3s deploy@server-0 PodGC " +
			"job-controller endpointslice-controller service-cidr-controller ResourceClaimController kubeadm",
		GitOps: "argocd-controller argocd-application-controller argocd-server argocd-applicationset-controller kustomize-controller " +
			"helm-controller source-controller flux gotk-controller fleetagent kapp-controller",
		Helm:      "helm Helm helmfile",
		Terraform: "Terraform terraform HashiCorp terraform-provider-kubernetes Terraform-v1.9 pulumi pulumi-kubernetes-a1b2c3",
		Person: "kubectl kubectl-client-side-apply kubectl-edit kubectl-patch kubectl-create kubectl-scale kubectl-label kubectl-annotate " +
			"kubectl-replace kubectl-rollout kubectl-set kubectl-taint kubectl-last-applied kubectl-run kubectl-expose kubectl1.31 lens Lens " +
			"headlamp Headlamp dashboard rancher Mozilla k9s openshift-console fieldmark",
		Script: "node-fetch okhttp axios python-requests Python-urllib OpenAPI-Generator Go-http-client curl unknown ansible",
		Agent:  "agent/claude agent/ Agent/X mcp kubernetes-mcp-server my.mcp kubectl-ai k8sgpt",
		Controller: "cert-manager cert-manager-certificates-trigger cluster-autoscaler keda-operator istiod karpenter external-secrets eks aks-link " +
			"vpa-recommender my-operator shop-controller FooReconciler",
		Unknown: "ada release-bot amcps my-agent agents/x  ancient-changes before-first-apply ci",
	} {
		for name := range strings.SplitSeq(all, " ") {
			if got := Of(name); got != kind {
				t.Errorf("%q is %q, want %q", name, got, kind)
			}
		}
	}
}

func TestHostileNamesHaveAKind(t *testing.T) {
	for _, name := range []string{"", strings.Repeat("x", 128), strings.Repeat("-", 1<<16), "\x00\xff", "<script>", "kubectl\u202e", "İ"} {
		if got := Of(name); !slices.Contains(Kinds(), got) {
			t.Errorf("%.20q is %q", name, got)
		}
		if got := Tool(name); got != name {
			t.Errorf("%.20q belongs to %q", name, got)
		}
	}
}

func TestToolsHaveOneName(t *testing.T) {
	for name, want := range map[string]string{
		"argocd-controller": "Argo CD", "argocd-application-controller": "Argo CD", "flux": "kustomize-controller",
		"kustomize-controller": "kustomize-controller", "helm-controller": "helm-controller", "other": "other",
	} {
		if got := Tool(name); got != want {
			t.Errorf("%s belongs to %s, want %s", name, got, want)
		}
	}
}

func TestEachKindHasWords(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		words := k.Words()
		if words == "" || seen[words] || plain.Output(words) != words {
			t.Errorf("%q is called %q", k, words)
		}
		seen[words] = true
	}
}
