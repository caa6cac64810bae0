package check

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// defaults are the default values of fields of built-in types. API servers have them in their code, and only few of them are in the schemas.
var defaults = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		// pods
		`restartPolicy "Always"`: true, `dnsPolicy "ClusterFirst"`: true, `schedulerName "default-scheduler"`: true,
		`terminationGracePeriodSeconds 30`: true, `terminationMessagePath "/dev/termination-log"`: true, `terminationMessagePolicy "File"`: true,
		`imagePullPolicy "Always"`: true, `imagePullPolicy "IfNotPresent"`: true, `enableServiceLinks true`: true,
		`preemptionPolicy "PreemptLowerPriority"`: true, `priority 0`: true, `serviceAccount "default"`: true, `serviceAccountName "default"`: true,
		`protocol "TCP"`: true, `defaultMode 420`: true, `readOnly false`: true, `scheme "HTTP"`: true,
		`failureThreshold 3`: true, `periodSeconds 10`: true, `successThreshold 1`: true, `timeoutSeconds 1`: true, `initialDelaySeconds 0`: true,
		// workloads
		`replicas 1`: true, `progressDeadlineSeconds 600`: true, `revisionHistoryLimit 10`: true, `type "RollingUpdate"`: true,
		`maxSurge "25%"`: true, `maxUnavailable "25%"`: true, `maxSurge 0`: true, `maxUnavailable 1`: true, `podManagementPolicy "OrderedReady"`: true,
		`partition 0`: true, `whenDeleted "Retain"`: true, `whenScaled "Retain"`: true,
		`backoffLimit 6`: true, `completions 1`: true, `parallelism 1`: true, `completionMode "NonIndexed"`: true, `suspend false`: true,
		`manualSelector false`: true, `podReplacementPolicy "TerminatingOrFailed"`: true, `concurrencyPolicy "Allow"`: true,
		`failedJobsHistoryLimit 1`: true, `successfulJobsHistoryLimit 3`: true,
		// services, volumes, webhooks
		`type "ClusterIP"`: true, `sessionAffinity "None"`: true, `internalTrafficPolicy "Cluster"`: true, `externalTrafficPolicy "Cluster"`: true,
		`ipFamilyPolicy "SingleStack"`: true, `allocateLoadBalancerNodePorts true`: true, `volumeMode "Filesystem"`: true,
		`persistentVolumeReclaimPolicy "Retain"`: true, `failurePolicy "Fail"`: true, `matchPolicy "Equivalent"`: true,
		`reinvocationPolicy "Never"`: true, `scope "*"`: true, `timeoutSeconds 10`: true, `port 443`: true, `path "/"`: true,
		`reclaimPolicy "Delete"`: true, `volumeBindingMode "Immediate"`: true, `type ""`: true, `type "Opaque"`: true, `policyTypes ["Ingress"]`: true,
		`strategy "None"`: true,
		// autoscalers
		`minReplicas 1`: true, `stabilizationWindowSeconds 0`: true, `selectPolicy "Max"`: true,
		`policies [{"periodSeconds":15,"type":"Percent","value":100}]`:                                                    true,
		`policies [{"periodSeconds":15,"type":"Pods","value":4},{"periodSeconds":15,"type":"Percent","value":100}]`:       true,
		`metrics [{"resource":{"name":"cpu","target":{"averageUtilization":80,"type":"Utilization"}},"type":"Resource"}]`: true,
	}
}}

// derived tells whether a value is a default that the server computes from another field.
func derived(o Object, n *manifest.Node) bool {
	switch n.Key {
	case "targetPort":
		return string(written(n.Value)) == string(written(beside(n, "port")))
	case "singular":
		kind, _ := beside(n, "kind").(string)
		name, _ := n.Value.(string)
		return strings.EqualFold(name, kind)
	case "listKind":
		kind, _ := beside(n, "kind").(string)
		return n.Value == kind+"List"
	case "kubernetes.io/metadata.name":
		return n.Value == o.Name
	case "deprecated.daemonset.template.generation":
		return o.Kind == "DaemonSet"
	}
	return false
}

// beside is the value of another field in the same map as a node; nil if there is none.
func beside(n *manifest.Node, key string) any {
	if n.Parent != nil {
		for _, other := range n.Parent.Children {
			if other.Key == key {
				return other.Value
			}
		}
	}
	return nil
}
