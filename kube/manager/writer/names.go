package writer

import (
	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/manager"
)

// names are whole names in lower case.
var names = lazy.Value[map[string]Kind]{Make: func() map[string]Kind {
	return table(map[Kind][]string{
		System: {
			"kube-controller-manager", "kube-scheduler", "kubelet", "kube-apiserver", "kube-proxy", "cloud-controller-manager", "apiserver",
			"kube-aggregator", "hyperkube", "kubelite", "k3s", "rke2", "k0s", "kubeadm", "coredns",
			"api-priority-and-fairness-config-consumer-v1", "api-priority-and-fairness-config-producer-v1",
			"podgc", "nodetaintmanager", "taintmanager", "persistentvolumebinder", "resourceclaimcontroller", "storageversionmigrator",
			"attachdetach-controller", "bootstrap-signer", "certificate-controller", "clusterrole-aggregation-controller", "clusterroleaggregator",
			"cronjob-controller", "daemon-set-controller", "daemonset-controller", "deployment-controller", "device-taint-eviction",
			"disruption-controller", "endpoint-controller", "endpointslice-controller", "endpointslicemirroring-controller",
			"ephemeral-volume-controller", "expand-controller", "garbage-collector", "horizontal-pod-autoscaler", "ipallocator-repair-controller",
			"job-controller", "namespace-controller", "node-controller", "node-ipam-controller", "node-lifecycle-controller",
			"persistent-volume-binder", "pod-garbage-collector", "pv-protection-controller", "pvc-protection-controller", "replicaset-controller",
			"replication-controller", "resourceclaim-controller", "resource-claim-controller", "resourcequota-controller",
			"root-ca-cert-publisher", "route-controller", "selinux-warning-controller", "service-account-controller", "service-cidr-controller",
			"service-controller", "serviceaccount-controller", "statefulset-controller", "storage-version-garbage-collector",
			"storageversion-garbage-collector", "tokens-controller", "ttl-after-finished-controller", "ttl-controller",
			"validatingadmissionpolicy-status", "validatingadmissionpolicy-status-controller", "volumeattributesclass-protection-controller",
		},
		GitOps: {
			"argo-cd", "flux", "flux-operator", "kustomize-controller", "helm-controller", "source-controller", "notification-controller",
			"image-automation-controller", "image-reflector-controller", "source-watcher", "fleet-agent", "fleetagent", "fleet-controller",
			"fleetcontroller", "kapp", "kapp-controller", "kluctl", "kluctl-controller", "configsync", "config-sync", "reconciler-manager",
			"sveltos", "sveltos-agent",
		},
		Helm:      {"helm", "helmfile", "helmsman", "nelm", "werf", "tiller"},
		Terraform: {"terraform", "hashicorp", "opentofu", "tofu", "terragrunt"},
		Person: {
			"k9s", "lens", "openlens", "freelens", "headlamp", "dashboard", "kubernetes-dashboard", "rancher", "rancher-dashboard",
			"openshift-console", "console", "kubesphere", "ks-console", "octant", "portainer", "kubenav", "kubeapps", "devtron", "infra-app",
			"aptakube", "seabird", "monokle", "kui", "oc", "kustomize", "kubectx", "fieldmark", "cmctl", "kubebuilder", "eksctl", "istioctl",
		},
		Script: {
			"node-fetch", "node", "undici", "axios", "okhttp", "curl", "wget", "go-http-client", "python-requests", "python-urllib", "python-httpx",
			"aiohttp", "openapi-generator", "swagger-codegen", "kubernetes-client", "kube-rs", "fabric8-kubernetes-client", "java", "ruby", "perl",
			"httpie", "postmanruntime", "unknown", "kopf", "default", "kubernetes.core", "ansible", "ansible-httpget", "libwww-perl",
		},
		Agent: {"kubectl-ai", "k8sgpt", "holmesgpt", "kagent", "claude", "claude-code", "copilot", "robusta-runner"},
		Controller: {
			"cluster-autoscaler", "keda", "keda-operator", "istiod", "pilot-discovery", "karpenter", "crossplane", "cert-manager", "external-secrets",
			"external-dns", "vault-secrets-operator", "sealed-secrets", "eks", "gatekeeper", "kyverno", "velero", "velero-server", "traefik",
			"nginx-ingress", "cilium-agent", "calico-node", "calico-kube-controllers", "metallb-speaker", "longhorn-manager", "rook", "rook-ceph-operator",
			"metrics-server", "prometheus-operator", "prometheusoperator", "knative", "tekton", "argo", "linkerd", "istio-operator", "cainjector",
			"manager", "spark-operator", "vpa-recommender", "vpa-updater", "vpa-admission-controller", "admission-controller",
			"node-problem-detector", "descheduler", "kured", "reloader", "snapshot-controller", "csi-provisioner", "csi-attacher", "csi-resizer",
			"csi-snapshotter", "capi-kubeadmcontrolplane", "speaker", "spegel", "pulumi-kubernetes-operator",
		},
	})
}}

// beginnings are how names in lower case begin. The first that fits decides.
var beginnings = []struct {
	text string
	kind Kind
}{
	{manager.AgentPrefix, Agent},
	{"kubectl-ai", Agent},
	{"kubectl", Person}, // kubectl names itself after its verb: kubectl-edit
	{"argocd", GitOps},
	{"gotk", GitOps},
	{"kustomize-controller", GitOps},
	{"fleet-agent", GitOps},
	{"terraform", Terraform},
	{"hashicorp", Terraform},
	{"pulumi-kubernetes-operator", Controller},
	{"pulumi", Terraform},
	{"kube-controller-manager", System},
	{"deploy@", System}, // k3s applies its own manifests as deploy@node
	{"mozilla", Person},
	{"chrome", Person},
	{"safari", Person},
	{"headlamp", Person},
	{"fieldmark", Person},
	{"lens-", Person},
	{"k9s", Person},
	{"python", Script},
	{"openapi-generator", Script},
	{"node-fetch", Script},
	{"okhttp", Script},
	{"axios", Script},
	{"go-http-client", Script},
	{"apache-httpclient", Script},
	{"kubernetes-client", Script},
	{"curl", Script},
	{"ruby", Script},
	{"cert-manager", Controller},
	{"keda-", Controller},
	{"vpa-", Controller},
	{"gke-", Controller},
	{"aks", Controller},
	{"eks-", Controller},
	{"crossplane", Controller},
	{"apiextensions.crossplane.io", Controller},
	{"external-secrets", Controller},
	{"cilium", Controller},
}

// spoken are words in names that have no place of their own.
var spoken = map[string]Kind{"mcp": Agent, "llm": Agent, "gpt": Agent, "copilot": Agent, "agentic": Agent}

// ends are how programs that write by themselves end their names.
var ends = []string{"controller", "controllers", "operator", "reconciler", "autoscaler", "scheduler", "manager", "webhook"}

// table has the kind of each name.
func table(all map[Kind][]string) map[string]Kind {
	kinds := map[string]Kind{}
	for _, k := range Kinds() {
		for _, name := range all[k] {
			kinds[name] = k
		}
	}
	return kinds
}
