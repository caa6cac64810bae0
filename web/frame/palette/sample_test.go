package palette

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// served is a cluster as one meets it: what Kubernetes brings, and what some well-known controllers add. Each line is
// a group version and then resource/Kind/short names, with ! before cluster-scoped types and - before those that
// can't be listed.
const served = `
v1 -bindings/Binding !-componentstatuses/ComponentStatus/cs configmaps/ConfigMap/cm endpoints/Endpoints/ep events/Event/ev limitranges/LimitRange/limits !namespaces/Namespace/ns !nodes/Node/no persistentvolumeclaims/PersistentVolumeClaim/pvc !persistentvolumes/PersistentVolume/pv pods/Pod/po podtemplates/PodTemplate replicationcontrollers/ReplicationController/rc resourcequotas/ResourceQuota/quota secrets/Secret serviceaccounts/ServiceAccount/sa services/Service/svc
admissionregistration.k8s.io/v1 !mutatingwebhookconfigurations/MutatingWebhookConfiguration !validatingadmissionpolicies/ValidatingAdmissionPolicy !validatingwebhookconfigurations/ValidatingWebhookConfiguration
apiextensions.k8s.io/v1 !customresourcedefinitions/CustomResourceDefinition/crd,crds
apiregistration.k8s.io/v1 !apiservices/APIService
apps/v1 controllerrevisions/ControllerRevision daemonsets/DaemonSet/ds deployments/Deployment/deploy replicasets/ReplicaSet/rs statefulsets/StatefulSet/sts
authorization.k8s.io/v1 -localsubjectaccessreviews/LocalSubjectAccessReview !-selfsubjectaccessreviews/SelfSubjectAccessReview
autoscaling/v2 horizontalpodautoscalers/HorizontalPodAutoscaler/hpa
batch/v1 cronjobs/CronJob/cj jobs/Job
certificates.k8s.io/v1 !certificatesigningrequests/CertificateSigningRequest/csr
coordination.k8s.io/v1 leases/Lease
discovery.k8s.io/v1 endpointslices/EndpointSlice
events.k8s.io/v1 events/Event/ev
flowcontrol.apiserver.k8s.io/v1 !flowschemas/FlowSchema !prioritylevelconfigurations/PriorityLevelConfiguration
networking.k8s.io/v1 !ingressclasses/IngressClass ingresses/Ingress/ing networkpolicies/NetworkPolicy/netpol
node.k8s.io/v1 !runtimeclasses/RuntimeClass
policy/v1 poddisruptionbudgets/PodDisruptionBudget/pdb
rbac.authorization.k8s.io/v1 !clusterrolebindings/ClusterRoleBinding !clusterroles/ClusterRole rolebindings/RoleBinding roles/Role
scheduling.k8s.io/v1 !priorityclasses/PriorityClass/pc
storage.k8s.io/v1 !csidrivers/CSIDriver !csinodes/CSINode !storageclasses/StorageClass/sc !volumeattachments/VolumeAttachment
metrics.k8s.io/v1beta1 !nodes/NodeMetrics pods/PodMetrics
acme.cert-manager.io/v1 challenges/Challenge orders/Order
argoproj.io/v1alpha1 applications/Application/app,apps applicationsets/ApplicationSet/appset,appsets appprojects/AppProject/appproj,appprojs
cert-manager.io/v1 certificaterequests/CertificateRequest/cr,crs certificates/Certificate/cert,certs !clusterissuers/ClusterIssuer issuers/Issuer
gateway.networking.k8s.io/v1 !gatewayclasses/GatewayClass/gc gateways/Gateway/gtw grpcroutes/GRPCRoute httproutes/HTTPRoute
monitoring.coreos.com/v1 alertmanagers/Alertmanager podmonitors/PodMonitor/pmon prometheuses/Prometheus/prom prometheusrules/PrometheusRule/promrule servicemonitors/ServiceMonitor/smon
serving.knative.dev/v1 services/Service/ksvc,kservice routes/Route/rt
postgresql.cnpg.io/v1 backups/Backup clusters/Cluster poolers/Pooler
`

func catalogOf(list string) discovery.Catalog {
	var c discovery.Catalog
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		words := strings.Fields(line)
		group, version, named := strings.Cut(words[0], "/")
		if !named {
			group, version = "", words[0]
		}
		v := discovery.Version{Name: version}
		for _, w := range words[1:] {
			v.Types = append(v.Types, typeOf(group, version, w))
		}
		c.Groups = append(c.Groups, discovery.Group{Name: group, Preferred: version, Versions: []discovery.Version{v}})
	}
	return c
}

func typeOf(group, version, words string) discovery.Type {
	t := discovery.Type{Group: group, Version: version, Namespaced: true, Verbs: []string{"get", "list", "watch"}}
	if rest, marked := strings.CutPrefix(words, "!"); marked {
		words, t.Namespaced = rest, false
	}
	if rest, marked := strings.CutPrefix(words, "-"); marked {
		words, t.Verbs = rest, []string{"create"}
	}
	parts := strings.Split(words, "/")
	t.Resource, t.Kind, t.Singular = parts[0], parts[1], strings.ToLower(parts[1])
	if len(parts) > 2 {
		t.ShortNames = strings.Split(parts[2], ",")
	}
	return t
}

// frameAt is the shell of the page of an API path in that cluster.
func frameAt(t testing.TB, path string) shell.Model {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	here := shell.Cluster{Slug: "practice", Name: "practice"}
	return shell.Model{
		Cluster: here, Clusters: []shell.Cluster{here, {Slug: "staging-eu", Name: "staging/eu"}, {Slug: "production", Name: "production"}},
		Catalog: catalogOf(served), Path: p, Namespaces: []string{"default", "kube-system", "payments", "shop", "shop-staging"},
	}
}

func kind(t testing.TB, m shell.Model, word string) discovery.Type {
	t.Helper()
	found := m.Catalog.Find(word)
	if len(found) == 0 {
		t.Fatalf("no type is called %s", word)
	}
	return found[0]
}

// stocked is a palette over the page of a path, that knows some objects.
func stocked(t testing.TB, path string) Model {
	t.Helper()
	frame := frameAt(t, path)
	extra := []Entry{
		{Kind: Page, Text: "Events of this object", Href: "/c/practice/api/v1/namespaces/shop/pods/web?tab=events"},
		{Kind: Action, Text: "Sort by Restarts", Run: "sort Restarts"},
		{Kind: Action, Text: "All columns", Run: "wide"},
		{Kind: Action, Text: "Change colours", Run: "theme"},
		{Kind: Action, Text: "Keys and help", Run: "help"},
	}
	var known []Known
	for word, names := range map[string][]Name{
		"deploy": {{"shop", "web"}, {"shop", "cart"}, {"payments", "web"}, {"payments", "ledger"}, {"shop-staging", "web-canary"}, {"kube-system", "coredns"}},
		"svc":    {{"shop", "web"}, {"shop", "cart"}, {"default", "kubernetes"}, {"kube-system", "kube-dns"}},
		"po": {
			{"shop", "web-7d4b9c6f5-x2x9z"},
			{"shop", "web-7d4b9c6f5-qk8rm"},
			{"shop", "cart-5f6d8b7c9-abcde"},
			{"payments", "ledger-0"},
			{"payments", "workshop-1"},
			{"kube-system", "coredns-76f75df574-4bkzq"},
			{"kube-system", "etcd-control-plane"},
		},
		"no": {{"", "node-1"}, {"", "control-plane"}},
		"cm": {{"shop", "web-config"}, {"kube-system", "coredns"}, {"kube-system", "kube-root-ca.crt"}, {"default", "podinfo"}},
	} {
		known = append(known, Known{Type: kind(t, frame, word), Names: names})
	}
	m, _ := Open(frame, Everything, extra, known...)
	return m
}
