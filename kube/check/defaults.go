package check

// defaults are fields of Kubernetes' own types with the values that API servers give them. They are compiled into API servers, and
// only few of them are in the schemas.
var defaults = map[string]bool{
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
	`reinvocationPolicy "Never"`: true, `scope "*"`: true, `timeoutSeconds 10`: true,
}
