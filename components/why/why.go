// Package why names the topics that the field guide explains, so that a page can link to them. A topic is a lesson, or an entry of the
// glossary. The package also says which topic explains a Kubernetes value: a refusal, a parameter, a header, a media type.
package why

import (
	"strings"

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

func lesson(id, asks string) Topic { return Topic{Lesson: id, Asks: asks} }
func term(id, asks string) Topic   { return Topic{Term: id, Asks: asks} }

// The topics that lessons teach, in the order of their concepts.
var (
	Kinds             = lesson("kinds-and-resources", "resource types, kinds, and types without a collection")
	Paths             = lesson("paths", "what the parts of a path mean")
	Verbs             = lesson("verbs", "how HTTP methods become verbs of the API")
	Subresources      = lesson("subresources", "what subresources are for")
	Representations   = lesson("representations", "the formats of responses, and how to request one")
	Envelope          = lesson("protobuf-envelope", "the envelope around Protobuf in the API")
	Watch             = lesson("watch", "how to watch a collection without missing a change")
	Expired           = lesson("expired", "why requests with old resource versions get 410 Gone, and what to do then")
	Bookmarks         = lesson("bookmarks", "what bookmarks are for")
	StreamingLists    = lesson("streaming-lists", "how a watch can start with the current objects")
	Compression       = lesson("compression", "when responses are compressed")
	Chunks            = lesson("chunks", "how a long list is split into chunks of one snapshot")
	Collections       = lesson("collections", "the kind of a collection")
	Tables            = lesson("tables", "who defines the columns of a table")
	Deletion          = lesson("deletion", "why deletion has two phases, and what blocks it")
	CorruptObjects    = lesson("corrupt-objects", "objects that can’t be read, and how to delete them")
	OneObjectARequest = lesson("one-object-a-request", "why there are no transactions over several objects")
	FieldValidation   = lesson("field-validation", "what the server does with unknown fields")
	DryRun            = lesson("dry-run", "what a dry run does, and what it can’t predict")
	LostUpdates       = lesson("lost-updates", "why the server refuses a write with an old resource version")
	FiveWays          = lesson("five-ways-to-write", "which ways to write keep the fields of others")
	ResourceVersions  = lesson("resource-versions", "what a resourceVersion guarantees")
	FutureVersions    = lesson("future-versions", "resource versions that the server doesn’t have yet, and when to try again")
	ManagedFields     = lesson("managed-fields", "how the server knows who owns which field")
	Conflicts         = lesson("conflicts", "what a conflict is, and the three ways out")
	ApplyAndUpdate    = lesson("apply-and-update", "what apply and update do to owners")
	MergeStrategies   = lesson("merge-strategies", "how lists and maps of several owners are merged")
	CustomResources   = lesson("custom-resources", "what a schema decides about owners of custom resources")
	Controllers       = lesson("controllers", "how controllers should apply, and when force is right")
	HandingOver       = lesson("handing-over", "how to move a field to another manager without changing its value")
	ClientSideApply   = lesson("client-side-apply", "what the last-applied annotation does, and how to stop using it")
	Permissions       = lesson("permissions", "which permissions an apply needs")
	Clearing          = lesson("clearing-managed-fields", "how to clear managedFields")
	Untracked         = lesson("untracked-subresources", "which changes ownership doesn’t record")
	FeatureDetection  = lesson("feature-detection", "how to find out which features a server has")
	WhoRuns           = lesson("who-runs-this-cluster", "what the managers of a cluster prove, and what they don’t")
	Moving            = lesson("the-first-apply", "what the first server-side apply of an object does")
	DroppedVersions   = lesson("a-version-is-dropped", "why an object can’t be applied after its type dropped a version")
	WhoCan            = lesson("who-can-and-who-did", "why a manager isn’t an account, and where rights come from")
)

// The topics that an entry of the glossary explains.
var (
	APIGroup          = term("api-group", "what an API group is")
	APIVersion        = term("api-version", "why an object has several API versions")
	AccessReview      = term("access-review", "how to ask the API which permissions you have")
	Apply             = term("apply", "what apply means")
	CBOR              = term("cbor", "what CBOR is good for")
	Category          = term("category", "how one word can name several types")
	Event             = term("event", "what an Event is, and how long it is kept")
	FieldManager      = term("field-manager", "who counts as a manager of fields")
	Gap               = term("gap", "which changes a client can miss")
	JSON              = term("json", "the default format of responses")
	JSONPatch         = term("json-patch", "how a JSON Patch changes an object")
	MergePatch        = term("merge-patch", "how a merge patch changes an object")
	Operation         = term("operation", "what Apply and Update mean in managedFields")
	Ownership         = term("ownership", "what it means to own a field")
	Protobuf          = term("protobuf", "what Protobuf is good for")
	PUT               = term("put", "how PUT changes an object")
	ResourceType      = term("resource-type", "what a resource type is")
	Resume            = term("resume", "how a watch continues after an interruption")
	ShortName         = term("short-name", "who defines short names")
	StorageVersion    = term("storage-version", "the version in which objects are stored")
	StrategicPatch    = term("strategic-merge-patch", "how a strategic merge patch changes an object")
	WatchEvent        = term("watch-event", "what the types of a watch’s events mean")
	YAML              = term("yaml", "what YAML is good for")
	UID               = term("uid", "how to recognize the same object")
	Generation        = term("generation", "when the generation of an object increases")
	LabelSelector     = term("label-selector", "how a label selector selects objects")
	FieldSelector     = term("field-selector", "how a field selector selects objects")
	ColumnPriority    = term("column-priority", "why some columns are shown only in a wide view")
	StatusObject      = term("status-object", "how the API describes a refusal")
	Admission         = term("admission", "what can change or refuse a write before it is stored")
	Defaulting        = term("defaulting", "which values the server adds")
	Validation        = term("validation", "which objects the server refuses to store")
	Warning           = term("warning", "what a warning of the API is")
	GeneratedName     = term("generated-name", "why generated values differ each time")
	OwnerReference    = term("owner-reference", "what an owner reference is for")
	GarbageCollector  = term("garbage-collector", "what deletes objects whose owner is gone")
	PropagationPolicy = term("propagation-policy", "what happens to dependents")
	GracePeriod       = term("grace-period", "how long a deletion waits")
	Precondition      = term("precondition", "how a request names the exact object and version it is for")
	Finalizer         = term("finalizer", "what must finish before an object is deleted")
	Force             = term("force", "what force takes away, and from whom")
	SharedOwnership   = term("shared-ownership", "what it means that a field has several owners")
	WatchCache        = term("watch-cache", "the cache from which the API server responds")
	Compaction        = term("compaction", "why etcd deletes its history")
	RemainingItems    = term("remaining-item-count", "how many objects remain in a list")
	ContinueToken     = term("continue-token", "what a continue token contains")
	RetryAfter        = term("retry-after", "when to try again")
	PriorityFairness  = term("priority-and-fairness", "why the server limits requests")
	AggregatedAPI     = term("aggregated-api", "APIs that a second server serves")
	Discovery         = term("discovery", "how clients find out which types a server has")
	OpenAPI           = term("openapi", "where a field’s description and type come from")
	ResourceLimit     = term("resource-limit", "what happens to a container at its limit")
	Scenario          = term("scenario", "what a Scenario of the practice cluster is")
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
var reasons = map[string]Topic{
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

// byCode are the topics for refusals whose reason isn't in reasons.
var byCode = map[int]Topic{
	400: FieldValidation, 401: Permissions, 403: Permissions, 404: Paths, 405: Verbs, 406: Representations, 409: LostUpdates, 410: Expired,
	415: Representations, 422: Validation, 429: PriorityFairness, 503: AggregatedAPI, 504: FutureVersions,
}

// Refusal is the topic for a refusal of an API server. If there is no special one, it is the topic of Status objects.
func Refusal(no *status.Status) *Topic {
	t := StatusObject
	if found, ok := reasons[no.Reason]; ok {
		t = found
	} else if found, ok := byCode[no.Code]; ok {
		t = found
	}
	if no.ManagerConflict() {
		t = Conflicts
	}
	return &t
}

// parameters are the topics of query parameters, by their names.
var parameters = map[string]Topic{
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

// Parameter is the topic for a query parameter, by its name; ok is false if there is none.
func Parameter(name string) (Topic, bool) {
	t, ok := parameters[name]
	return t, ok
}
