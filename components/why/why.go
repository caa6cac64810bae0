// Package why names the topics that the field guide explains, so that a page can link to them. A topic is a lesson, or an entry of the
// glossary. The package also says which topic explains a Kubernetes value: a refusal, a parameter, a header, a media type.
package why

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Topic is something that the guide explains. Exactly one of Lesson and Term is set. A test of package lessons checks that the lesson or
// the term exists.
type Topic struct {
	Lesson string // its id
	Term   string // the entry's id
	Asks   string // what is explained there, as the end of "Explained in the guide: …"
}

// The addresses of the guide.
const (
	Guide    = "/learn"
	Glossary = Guide + "/glossary"
)

// Address is the address of the explanation.
func (t Topic) Address() string {
	if t.Lesson != "" {
		return Guide + "/" + t.Lesson
	}
	return Glossary + "#" + t.Term
}

// The topics that lessons teach, in the order of their concepts.
var (
	Kinds             = Topic{Lesson: "kinds-and-resources", Asks: "resource types, kinds, and types without a collection"}
	Paths             = Topic{Lesson: "paths", Asks: "what the parts of a path mean"}
	Verbs             = Topic{Lesson: "verbs", Asks: "how HTTP methods become verbs of the API"}
	Subresources      = Topic{Lesson: "subresources", Asks: "what subresources are for"}
	Representations   = Topic{Lesson: "representations", Asks: "the formats of responses, and how to request one"}
	Envelope          = Topic{Lesson: "protobuf-envelope", Asks: "the envelope around Protobuf in the API"}
	Watch             = Topic{Lesson: "watch", Asks: "how to watch a collection without missing a change"}
	Expired           = Topic{Lesson: "expired", Asks: "why requests with old resource versions get 410 Gone, and what to do then"}
	Bookmarks         = Topic{Lesson: "bookmarks", Asks: "what bookmarks are for"}
	StreamingLists    = Topic{Lesson: "streaming-lists", Asks: "how a watch can start with the current objects"}
	Compression       = Topic{Lesson: "compression", Asks: "when responses are compressed"}
	Chunks            = Topic{Lesson: "chunks", Asks: "how a long list is split into chunks of one snapshot"}
	Collections       = Topic{Lesson: "collections", Asks: "the kind of a collection"}
	Tables            = Topic{Lesson: "tables", Asks: "who defines the columns of a table"}
	Deletion          = Topic{Lesson: "deletion", Asks: "why deletion has two phases, and what blocks it"}
	CorruptObjects    = Topic{Lesson: "corrupt-objects", Asks: "objects that can’t be read, and how to delete them"}
	OneObjectARequest = Topic{Lesson: "one-object-a-request", Asks: "why there are no transactions over several objects"}
	FieldValidation   = Topic{Lesson: "field-validation", Asks: "what the server does with unknown fields"}
	DryRun            = Topic{Lesson: "dry-run", Asks: "what a dry run does, and what it can’t predict"}
	LostUpdates       = Topic{Lesson: "lost-updates", Asks: "why the server refuses a write with an old resource version"}
	FiveWays          = Topic{Lesson: "five-ways-to-write", Asks: "which ways to write keep the fields of others"}
	ResourceVersions  = Topic{Lesson: "resource-versions", Asks: "what a resourceVersion guarantees"}
	FutureVersions    = Topic{Lesson: "future-versions", Asks: "resource versions that the server doesn’t have yet, and when to try again"}
	ManagedFields     = Topic{Lesson: "managed-fields", Asks: "how the server knows who owns which field"}
	Conflicts         = Topic{Lesson: "conflicts", Asks: "what a conflict is, and the three ways out"}
	ApplyAndUpdate    = Topic{Lesson: "apply-and-update", Asks: "what apply and update do to owners"}
	MergeStrategies   = Topic{Lesson: "merge-strategies", Asks: "how lists and maps of several owners are merged"}
	CustomResources   = Topic{Lesson: "custom-resources", Asks: "what a schema decides about owners of custom resources"}
	Controllers       = Topic{Lesson: "controllers", Asks: "how controllers should apply, and when force is right"}
	HandingOver       = Topic{Lesson: "handing-over", Asks: "how to move a field to another manager without changing its value"}
	ClientSideApply   = Topic{Lesson: "client-side-apply", Asks: "what the last-applied annotation does, and how to stop using it"}
	Permissions       = Topic{Lesson: "permissions", Asks: "which permissions an apply needs"}
	Clearing          = Topic{Lesson: "clearing-managed-fields", Asks: "how to clear managedFields"}
	Untracked         = Topic{Lesson: "untracked-subresources", Asks: "which changes ownership doesn’t record"}
	FeatureDetection  = Topic{Lesson: "feature-detection", Asks: "how to find out which features a server has"}
	WhoRuns           = Topic{Lesson: "who-runs-this-cluster", Asks: "what the managers of a cluster prove, and what they don’t"}
	Moving            = Topic{Lesson: "the-first-apply", Asks: "what the first server-side apply of an object does"}
	DroppedVersions   = Topic{Lesson: "a-version-is-dropped", Asks: "why an object can’t be applied after its type dropped a version"}
	WhoCan            = Topic{Lesson: "who-can-and-who-did", Asks: "why a manager isn’t an account, and where rights come from"}
)

// The topics that an entry of the glossary explains.
var (
	APIGroup          = Topic{Term: "api-group", Asks: "what an API group is"}
	APIVersion        = Topic{Term: "api-version", Asks: "why an object has several API versions"}
	AccessReview      = Topic{Term: "access-review", Asks: "how to ask the API which permissions you have"}
	Apply             = Topic{Term: "apply", Asks: "what apply means"}
	CBOR              = Topic{Term: "cbor", Asks: "what CBOR is good for"}
	Category          = Topic{Term: "category", Asks: "how one word can name several types"}
	Event             = Topic{Term: "event", Asks: "what an Event is, and how long it is kept"}
	FieldManager      = Topic{Term: "field-manager", Asks: "who counts as a manager of fields"}
	Gap               = Topic{Term: "gap", Asks: "which changes a client can miss"}
	JSON              = Topic{Term: "json", Asks: "the default format of responses"}
	JSONPatch         = Topic{Term: "json-patch", Asks: "how a JSON Patch changes an object"}
	MergePatch        = Topic{Term: "merge-patch", Asks: "how a merge patch changes an object"}
	Operation         = Topic{Term: "operation", Asks: "what Apply and Update mean in managedFields"}
	Ownership         = Topic{Term: "ownership", Asks: "what it means to own a field"}
	Protobuf          = Topic{Term: "protobuf", Asks: "what Protobuf is good for"}
	PUT               = Topic{Term: "put", Asks: "how PUT changes an object"}
	ResourceType      = Topic{Term: "resource-type", Asks: "what a resource type is"}
	Resume            = Topic{Term: "resume", Asks: "how a watch continues after an interruption"}
	ShortName         = Topic{Term: "short-name", Asks: "who defines short names"}
	StorageVersion    = Topic{Term: "storage-version", Asks: "the version in which objects are stored"}
	StrategicPatch    = Topic{Term: "strategic-merge-patch", Asks: "how a strategic merge patch changes an object"}
	WatchEvent        = Topic{Term: "watch-event", Asks: "what the types of a watch’s events mean"}
	YAML              = Topic{Term: "yaml", Asks: "what YAML is good for"}
	UID               = Topic{Term: "uid", Asks: "how to recognize the same object"}
	Generation        = Topic{Term: "generation", Asks: "when the generation of an object increases"}
	LabelSelector     = Topic{Term: "label-selector", Asks: "how a label selector selects objects"}
	FieldSelector     = Topic{Term: "field-selector", Asks: "how a field selector selects objects"}
	ColumnPriority    = Topic{Term: "column-priority", Asks: "why some columns are shown only in a wide view"}
	StatusObject      = Topic{Term: "status-object", Asks: "how the API describes a refusal"}
	Admission         = Topic{Term: "admission", Asks: "what can change or refuse a write before it is stored"}
	Defaulting        = Topic{Term: "defaulting", Asks: "which values the server adds"}
	Validation        = Topic{Term: "validation", Asks: "which objects the server refuses to store"}
	Warning           = Topic{Term: "warning", Asks: "what a warning of the API is"}
	GeneratedName     = Topic{Term: "generated-name", Asks: "why generated values differ each time"}
	OwnerReference    = Topic{Term: "owner-reference", Asks: "what an owner reference is for"}
	GarbageCollector  = Topic{Term: "garbage-collector", Asks: "what deletes objects whose owner is gone"}
	PropagationPolicy = Topic{Term: "propagation-policy", Asks: "what happens to dependents"}
	GracePeriod       = Topic{Term: "grace-period", Asks: "how long a deletion waits"}
	Precondition      = Topic{Term: "precondition", Asks: "how a request names the exact object and version it is for"}
	Finalizer         = Topic{Term: "finalizer", Asks: "what must finish before an object is deleted"}
	Force             = Topic{Term: "force", Asks: "what force takes away, and from whom"}
	SharedOwnership   = Topic{Term: "shared-ownership", Asks: "what it means that a field has several owners"}
	WatchCache        = Topic{Term: "watch-cache", Asks: "the cache from which the API server responds"}
	Compaction        = Topic{Term: "compaction", Asks: "why etcd deletes its history"}
	RemainingItems    = Topic{Term: "remaining-item-count", Asks: "how many objects remain in a list"}
	ContinueToken     = Topic{Term: "continue-token", Asks: "what a continue token contains"}
	RetryAfter        = Topic{Term: "retry-after", Asks: "when to try again"}
	PriorityFairness  = Topic{Term: "priority-and-fairness", Asks: "why the server limits requests"}
	AggregatedAPI     = Topic{Term: "aggregated-api", Asks: "APIs that a second server serves"}
	Discovery         = Topic{Term: "discovery", Asks: "how clients find out which types a server has"}
	OpenAPI           = Topic{Term: "openapi", Asks: "where a field’s description and type come from"}
	ResourceLimit     = Topic{Term: "resource-limit", Asks: "what happens to a container at its limit"}
	Scenario          = Topic{Term: "scenario", Asks: "what a Scenario of the practice cluster is"}
)

// All returns all topics. No variable has all of them, so a program contains only the topics that it uses.
func All() []Topic {
	return []Topic{
		Kinds, Paths, Verbs, Subresources, Representations, Envelope, Watch, Expired, Bookmarks, StreamingLists, Compression, Chunks,
		Collections, Tables, Deletion, CorruptObjects, OneObjectARequest, FieldValidation, DryRun, LostUpdates, FiveWays,
		ResourceVersions, FutureVersions, ManagedFields, Conflicts, ApplyAndUpdate, MergeStrategies, CustomResources, Controllers,
		HandingOver, ClientSideApply, Permissions, Clearing, Untracked, FeatureDetection, WhoRuns, Moving, DroppedVersions, WhoCan,
		APIGroup, APIVersion, AccessReview, Apply, CBOR, Category, Event, FieldManager, Gap, JSON, JSONPatch, MergePatch, Operation,
		Ownership, Protobuf, PUT, ResourceType, Resume, ShortName, StorageVersion, StrategicPatch, WatchEvent, YAML, UID, Generation,
		LabelSelector, FieldSelector, ColumnPriority, StatusObject, Admission, Defaulting, Validation, Warning, GeneratedName,
		OwnerReference, GarbageCollector, PropagationPolicy, GracePeriod, Precondition, Finalizer, Force, SharedOwnership, WatchCache,
		Compaction, RemainingItems, ContinueToken, RetryAfter, PriorityFairness, AggregatedAPI, Discovery, OpenAPI, ResourceLimit,
		Scenario,
	}
}

// In is the topic for a key of a map; nil: there is none.
func In[K comparable](topics map[K]Topic, one K) *Topic {
	if t, ok := topics[one]; ok {
		return &t
	}
	return nil
}

// Header is the topic for a header of a request or a response, by its name without regard to case; ok is false if there is none.
func Header(name string) (Topic, bool) {
	switch strings.ToLower(name) {
	case "accept", "content-type":
		return Representations, true
	case "accept-encoding", "content-encoding":
		return Compression, true
	case "retry-after":
		return RetryAfter, true
	case "warning":
		return Warning, true
	case "x-kubernetes-pf-flowschema-uid":
		return PriorityFairness, true
	}
	return Topic{}, false
}

// Body is the topic for the media type of a request's body; ok is false if there is none.
func Body(contentType string) (Topic, bool) {
	switch contentType {
	case "application/json":
		return JSON, true
	case "application/yaml":
		return YAML, true
	case "application/cbor":
		return CBOR, true
	case "application/vnd.kubernetes.protobuf":
		return Protobuf, true
	case "application/apply-patch+yaml":
		return Apply, true
	case "application/merge-patch+json":
		return MergePatch, true
	case "application/json-patch+json":
		return JSONPatch, true
	case "application/strategic-merge-patch+json":
		return StrategicPatch, true
	}
	return Topic{}, false
}

// Write is the topic for a kind of write, by its HTTP method and the media type of its body; ok is false if there is none.
func Write(method, contentType string) (Topic, bool) {
	switch method {
	case "PUT":
		return PUT, true
	case "POST":
		return Verbs, true
	}
	return Body(contentType)
}

// reasons are the topics for refusals, by the reason of the Status.
var reasons = lazy.Value[map[string]Topic]{Make: func() map[string]Topic {
	return map[string]Topic{
		"AlreadyExists":         Verbs,
		"BadRequest":            FieldValidation,
		"Conflict":              LostUpdates,
		"Expired":               Expired,
		"Forbidden":             Permissions,
		"Gone":                  Expired,
		"InternalError":         StatusObject,
		"Invalid":               Validation,
		"MethodNotAllowed":      Verbs,
		"NotAcceptable":         Representations,
		"NotFound":              Paths,
		"RequestEntityTooLarge": StatusObject,
		"ServerTimeout":         FutureVersions,
		"ServiceUnavailable":    AggregatedAPI,
		"StoreReadError":        CorruptObjects,
		"Timeout":               FutureVersions,
		"TooManyRequests":       PriorityFairness,
		"Unauthorized":          Permissions,
		"UnsupportedMediaType":  Representations,
	}
}}

// byCode are the topics for refusals whose reason isn't in reasons.
var byCode = lazy.Value[map[int]Topic]{Make: func() map[int]Topic {
	return map[int]Topic{
		400: FieldValidation, 401: Permissions, 403: Permissions, 404: Paths, 405: Verbs, 406: Representations, 409: LostUpdates, 410: Expired,
		415: Representations, 422: Validation, 429: PriorityFairness, 503: AggregatedAPI, 504: FutureVersions,
	}
}}

// Refusal is the topic for a refusal of an API server. If there is no special one, it is the topic of Status objects.
func Refusal(no *status.Status) *Topic {
	t := StatusObject
	if found, ok := reasons.Get()[no.Reason]; ok {
		t = found
	} else if found, ok := byCode.Get()[no.Code]; ok {
		t = found
	}
	if no.ManagerConflict() {
		t = Conflicts
	}
	return &t
}

// parameters are the topics of query parameters, by their names.
var parameters = lazy.Value[map[string]Topic]{Make: func() map[string]Topic {
	return map[string]Topic{
		"allowWatchBookmarks":  Bookmarks,
		"continue":             ContinueToken,
		"dryRun":               DryRun,
		"fieldManager":         ManagedFields,
		"fieldSelector":        FieldSelector,
		"fieldValidation":      FieldValidation,
		"force":                Force,
		"gracePeriodSeconds":   GracePeriod,
		"includeObject":        Tables,
		"labelSelector":        LabelSelector,
		"limit":                Chunks,
		"propagationPolicy":    PropagationPolicy,
		"resourceVersion":      ResourceVersions,
		"resourceVersionMatch": ResourceVersions,
		"sendInitialEvents":    StreamingLists,
		"watch":                Watch,
		"ignoreStoreReadErrorWithClusterBreakingPotential": CorruptObjects,
	}
}}

// Parameter is the topic for a query parameter, by its name; ok is false if there is none.
func Parameter(name string) (Topic, bool) {
	t, ok := parameters.Get()[name]
	return t, ok
}
