// Package feature has what Fieldmark knows of features that an API server may lack: what each is good for, since which version API servers
// offer it, and what happens without it. Whether a server offers a feature is found by a request (server/cluster), never by the server's
// version. The package makes no requests.
package feature

// ID names a feature. IDs are stable.
type ID string

// Feature is a feature that an API server may lack.
type Feature struct {
	ID   ID     `json:"id"`
	Name string `json:"name"` // for people, as a title
	// What is the name within a sentence.
	What string `json:"what"`
	// Means says what the feature is good for, Since which API servers offer it, and Instead what Fieldmark or the reader does without it.
	// Each has whole sentences.
	Means   string `json:"means"`
	Since   string `json:"since"`
	Instead string `json:"instead"`
	// Why says why nobody knows whether the server offers the feature; empty: it doesn't offer it.
	Why string `json:"why,omitempty"`
}

// Lacking is the sentence for a server without the feature, or for one of which nobody knows.
func (f Feature) Lacking() string {
	if f.Why != "" {
		return "Fieldmark doesn’t know whether this server offers " + f.What + "."
	}
	return "This server doesn’t offer " + f.What + "."
}

// Because is the sentence after it: since when servers offer the feature, or why nobody knows.
func (f Feature) Because() string {
	if f.Why != "" {
		return f.Why
	}
	return f.Since
}

// Unknown is the feature for a server of which nobody knows whether it offers it. Without a reason, the server doesn't.
func (f Feature) Unknown(why string) Feature {
	f.Why = why
	return f
}

// Then is the feature for a page on which something else happens without it.
func (f Feature) Then(instead string) Feature {
	f.Instead = instead
	return f
}

// All are the features, in the order in which they are shown.
func All() []Feature {
	return []Feature{
		StreamingLists, Tables, CBOR, Protobuf, AggregatedDiscovery, OpenAPI, ServerSideApply, FieldValidation, SelfReview,
		EphemeralContainers, UnsafeDeletion, Autoscalers, Budgets, Metrics,
	}
}

// The features. Each is a variable of its own, so that a program for the browser links only those that its pages name.
var (
	StreamingLists = Feature{
		ID: "streaming-lists", Name: "Streaming lists", What: "streaming lists",
		Means:   "A watch can first send all existing objects, one by one, instead of one large list.",
		Since:   "API servers offer them by default since 1.34. The feature gate is WatchList.",
		Instead: "Fieldmark lists first, and then watches.",
	}
	Tables = Feature{
		ID: "tables", Name: "Tables", What: "tables",
		Means:   "The server formats collections as tables. Every collection page of Fieldmark shows these tables.",
		Since:   "API servers offer them since 1.15. Aggregated API servers may lack them.",
		Instead: "Fieldmark shows the names and the ages of the objects.",
	}
	CBOR = Feature{
		ID: "cbor", Name: "CBOR", What: "CBOR",
		Means:   "A compact binary form of JSON, for any resource.",
		Since:   "API servers know it since 1.32. The feature gate CBORServingAndStorage is off by default in all versions up to 1.37.",
		Instead: "Request JSON or Protobuf instead.",
	}
	Protobuf = Feature{
		ID: "protobuf", Name: "Protobuf", What: "Protobuf",
		Means:   "The compact binary form of the built-in resources.",
		Since:   "API servers offer it since 1.3, for built-in types only.",
		Instead: "Request JSON instead.",
	}
	AggregatedDiscovery = Feature{
		ID: "aggregated-discovery", Name: "Aggregated discovery", What: "aggregated discovery",
		Means:   "One request returns the types of all groups, instead of one request for each group.",
		Since:   "API servers offer it by default since 1.27, and in this format since 1.30.",
		Instead: "Fieldmark requests the types of each group and version.",
	}
	OpenAPI = Feature{
		ID: "openapi-v3", Name: "OpenAPI v3", What: "OpenAPI v3",
		Means:   "The schema of every type, with descriptions, defaults and merge strategies.",
		Since:   "API servers offer it by default since 1.24, at the path /openapi/v3.",
		Instead: "Fieldmark explains only the fields that all objects have, and doesn’t know defaults and merge strategies.",
	}
	ServerSideApply = Feature{
		ID: "server-side-apply", Name: "Server-side apply", What: "server-side apply",
		Means:   "The server merges the fields of each manager, and records who owns which field.",
		Since:   "API servers offer it by default since 1.16.",
		Instead: "Use a merge patch in the request console, or the client-side apply of kubectl.",
	}
	FieldValidation = Feature{
		ID: "field-validation", Name: "Field validation", What: "field validation",
		Means:   "The server refuses unknown and duplicate fields, or warns of them, as the request says.",
		Since:   "API servers offer it by default since 1.25.",
		Instead: "The server drops unknown fields without a word. Compare the preview with your manifest.",
	}
	SelfReview = Feature{
		ID: "self-subject-review", Name: "Who am I", What: "SelfSubjectReview",
		Means:   "The server says which user and which groups a request has.",
		Since:   "API servers offer it since 1.28, unless the API authentication.k8s.io/v1 is switched off.",
		Instead: "The refusal of a request often has your user name.",
	}
	EphemeralContainers = Feature{
		ID: "ephemeral-containers", Name: "Ephemeral containers", What: "ephemeral containers",
		Means:   "A container with tools can be added to a pod that runs.",
		Since:   "API servers offer them by default since 1.23.",
		Instead: "Use a shell in a container of the pod, or start a copy of the pod.",
	}
	UnsafeDeletion = Feature{
		ID: "unsafe-deletion", Name: "Deletion of unreadable objects", What: "the deletion of objects that it can’t read",
		Means:   "The option ignoreStoreReadErrorWithClusterBreakingPotential deletes an object that the server can’t read from etcd.",
		Since:   "API servers know the option since 1.32, and offer it by default since 1.37. The feature gate is AllowUnsafeMalformedObjectDeletion.",
		Instead: "An administrator can delete the object in etcd.",
	}
	Autoscalers = Feature{
		ID: "autoscaling-v2", Name: "Autoscalers", What: "autoscaling/v2",
		Means:   "HorizontalPodAutoscalers say who else sets the number of replicas.",
		Since:   "API servers offer it since 1.23, unless it is switched off.",
		Instead: "Fieldmark can’t say whether an autoscaler sets the number of replicas.",
	}
	Budgets = Feature{
		ID: "policy-v1", Name: "Disruption budgets", What: "policy/v1",
		Means:   "PodDisruptionBudgets say how many pods of an application may be evicted at a time.",
		Since:   "API servers offer it since 1.21, unless it is switched off.",
		Instead: "Fieldmark can’t say which budget protects a pod. The server can still refuse to evict the pod.",
	}
	Metrics = Feature{
		ID: "metrics", Name: "Metrics", What: "metrics.k8s.io",
		Means:   "The processor time and memory that pods and nodes use.",
		Since:   "No API server offers it by itself. It comes with an add-on, such as metrics-server.",
		Instead: "Fieldmark shows requests and limits, but not what is used.",
	}
)
