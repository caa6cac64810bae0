package condition

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
)

// meaning is which status of a condition is the good one.
type meaning int

const (
	untold  meaning = iota
	good            // True is as it should be; False isn't
	trouble         // False is as it should be
	working         // False is as it should be; True says that the controller is at work
	noted           // the controller adds the condition only if there is something wrong, whatever its status
)

// everywhere are types that mean the same in each group that uses them.
var everywhere = lazy.Value[map[string]meaning]{Make: func() map[string]meaning {
	return map[string]meaning{
		"Ready": good, "Available": good, "Healthy": good, "Synced": good, "Succeeded": good,
		"Degraded": trouble, "Stalled": trouble, "Reconciling": working,
	}
}}

// builtIn are types of the groups of Kubernetes.
var builtIn = lazy.Value[map[string]map[string]meaning]{Make: func() map[string]map[string]meaning {
	return map[string]map[string]meaning{
		"": { // Pod, Node, Namespace, PersistentVolumeClaim, Service, ReplicationController
			"PodReadyToStartContainers": good, "Initialized": good, "ContainersReady": good, "PodScheduled": good, "DisruptionTarget": trouble,
			"PodResizePending": working, "PodResizeInProgress": working,
			"MemoryPressure": trouble, "DiskPressure": trouble, "PIDPressure": trouble, "NetworkUnavailable": trouble,
			"NamespaceDeletionDiscoveryFailure": trouble, "NamespaceDeletionContentFailure": trouble, "NamespaceDeletionGroupVersionParsingFailure": trouble,
			"NamespaceContentRemaining": trouble, "NamespaceFinalizersRemaining": trouble,
			"Resizing": working, "FileSystemResizePending": working, "ControllerResizeError": trouble, "NodeResizeError": trouble,
			"ModifyVolumeError": trouble, "ModifyingVolume": working, "LoadBalancerPortsError": trouble, "ReplicaFailure": trouble,
		},
		"apps":        {"Progressing": good, "ReplicaFailure": trouble},
		"batch":       {"Complete": good, "SuccessCriteriaMet": good, "Failed": trouble, "FailureTarget": trouble, "Suspended": working},
		"autoscaling": {"AbleToScale": good, "ScalingActive": good, "ScalingLimited": trouble},
		"policy":      {"DisruptionAllowed": good},
		"apiextensions.k8s.io": {
			"Established": good, "NamesAccepted": good, "KubernetesAPIApprovalPolicyConformant": good, "NonStructuralSchema": trouble, "Terminating": trouble,
		},
		"certificates.k8s.io":          {"Approved": good, "Denied": trouble, "Failed": trouble},
		"flowcontrol.apiserver.k8s.io": {"Dangling": trouble},
	}
}}

// projects are types of the groups of other projects. A group that begins with a dot stands for all groups that end like that.
var projects = lazy.Value[map[string]map[string]meaning]{Make: func() map[string]map[string]meaning {
	return map[string]map[string]meaning{
		"gateway.networking.k8s.io": {
			"Accepted": good, "Programmed": good, "ResolvedRefs": good, "SupportedVersion": good, "Scheduled": good, "Conflicted": trouble,
			"OverlappingTLSConfig": trouble, "PartiallyInvalid": trouble,
		},
		"argoproj.io": { // Argo CD and Argo Rollouts
			"ComparisonError": noted, "SyncError": noted, "InvalidSpecError": noted, "UnknownError": noted, "DeletionError": noted,
			"SharedResourceWarning": noted, "RepeatedResourceWarning": noted, "OrphanedResourceWarning": noted, "ExcludedResourceWarning": noted,
			"ErrorOccurred": trouble, "ParametersGenerated": good, "ResourcesUpToDate": good, "RolloutProgressing": working,
			"Progressing": good, "Completed": good, "InvalidSpec": trouble, "ReplicaFailure": trouble, "Paused": working,
		},
		".toolkit.fluxcd.io": {
			"ArtifactInStorage": good, "SourceVerified": good, "Released": good, "TestSuccess": good, "FetchFailed": trouble, "StorageOperationFailed": trouble,
			"BuildFailed": trouble, "IncludeUnavailable": trouble, "ArtifactOutdated": working,
		},
		".cert-manager.io": {"Issuing": working, "Approved": good, "Denied": trouble, "InvalidRequest": trouble},
		".crossplane.io":   {"Established": good, "Offered": good, "Installed": good, "Responsive": good, "RevisionHealthy": good, "Valid": good},
		".cluster.x-k8s.io": {
			"ControlPlaneReady": good, "InfrastructureReady": good, "BootstrapReady": good, "ControlPlaneInitialized": good, "ControlPlaneAvailable": good,
			"WorkersAvailable": good, "MachinesReady": good, "MachinesUpToDate": good, "NodeHealthy": good, "NodeReady": good, "UpToDate": good,
			"TopologyReconciled": good, "RemoteConnectionProbe": good, "BootstrapConfigReady": good, "HealthCheckSucceeded": good,
			"RollingOut": working, "ScalingUp": working, "ScalingDown": working, "Remediating": working, "Deleting": working, "Paused": working,
		},
	}
}}

// mains are the types that the people of a project look at first.
var mains = lazy.Value[map[string][]string]{Make: func() map[string][]string {
	return map[string][]string{
		"argoproj.io": {"applications", "rollouts"}, "kustomize.toolkit.fluxcd.io": {"kustomizations"}, "helm.toolkit.fluxcd.io": {"helmreleases"},
		"cert-manager.io": {"certificates"}, "gateway.networking.k8s.io": {"gateways"}, "cluster.x-k8s.io": {"clusters"},
	}
}}

// words are the states of projects that have them beside conditions.
var words = lazy.Value[map[string]map[string]Verdict]{Make: func() map[string]map[string]Verdict {
	return map[string]map[string]Verdict{
		"argoproj.io": {
			"Healthy": Fine, "Synced": Fine, "Progressing": Busy, "Suspended": Busy, "Unknown": Busy, "Degraded": Ill, "Missing": Ill, "OutOfSync": Ill,
		},
	}
}}

// meaningOf is the meaning of a condition's type in a group.
func meaningOf(group, kind string) meaning {
	if m := builtIn.Get()[group][kind]; m != untold {
		return m
	}
	if m := projects.Get()[family(group)][kind]; m != untold {
		return m
	}
	return everywhere.Get()[kind]
}

// family is the entry of projects for a group; empty if there is none.
func family(group string) string {
	for name := range projects.Get() {
		if group == name || strings.HasPrefix(name, ".") && strings.HasSuffix("."+group, name) {
			return name
		}
	}
	return ""
}

// Known tells whether the table has types for the objects of a project's group.
func Known(group string) bool { return family(group) != "" }

// Main tells whether a type is one that the people of its project look at first.
func Main(group, resource string) bool { return slices.Contains(mains.Get()[group], resource) }

// Custom tells groups whose types CustomResourceDefinitions define from those of Kubernetes, by their names.
func Custom(group string) bool {
	return Known(group) || strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// silent are the groups of Kubernetes whose Tables don't say how an object is.
var silent = []string{"autoscaling", "policy"}

// judged are the types of Kubernetes, by group, whose Tables say it in part: numbers without a reason.
var judged = lazy.Value[map[string][]string]{Make: func() map[string][]string {
	return map[string][]string{
		"":                    {"namespaces", "persistentvolumeclaims", "replicationcontrollers"},
		"apps":                {"deployments", "replicasets"}, // no controller writes those of daemonsets and statefulsets
		"batch":               {"jobs"},
		"certificates.k8s.io": {"certificatesigningrequests"},
	}
}}

// Listed tells whether lists of a type read the conditions of its objects, which takes whole objects. Pods and nodes are large and
// many, and their Tables have a reason.
func Listed(group, resource string) bool {
	return Custom(group) || slices.Contains(silent, group) || slices.Contains(judged.Get()[group], resource)
}

// Telling tells whether an object with these Words is a reason to show conditions in a list. Where the Table says in part how an
// object is, only trouble is.
func Telling(group, words string) bool {
	if !Custom(group) && !slices.Contains(silent, group) {
		return Read(group, words) > Fine
	}
	return words != ""
}
