// Package why names the topics that the field guide explains, so that a page can link to them. A topic is a lesson, or an entry of the
// glossary. The package also says which topic explains a Kubernetes value: a refusal, a parameter, a header, a media type.
package why

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Topic is something the guide explains. Exactly one of Lesson and Term is set; that there are such a lesson and such a term is tested
// where the guide is.
type Topic struct {
	Lesson string // its id
	Term   string // the entry's id
	Asks   string // what is explained there, as the end of "Explained in the guide, in a new tab: …"
}

// The addresses of the guide.
const (
	Guide    = "/learn"
	Glossary = Guide + "/glossary"
)

// Address is where the topic is explained.
func (t Topic) Address() string {
	if t.Lesson != "" {
		return Guide + "/" + t.Lesson
	}
	return Glossary + "#" + t.Term
}

func lesson(id, asks string) Topic { return Topic{Lesson: id, Asks: asks} }
func term(id, asks string) Topic   { return Topic{Term: id, Asks: asks} }

// The topics that lessons teach, in the order of the guide.
var (
	Kinds             = lesson("kinds-and-resources", "resource types, kinds, and types that only answer")
	Paths             = lesson("paths", "what the parts of a path mean")
	Verbs             = lesson("verbs", "how HTTP methods become verbs of the API")
	Subresources      = lesson("subresources", "what subresources are for")
	Representations   = lesson("representations", "in which forms the API answers, and how to ask for one")
	Envelope          = lesson("protobuf-envelope", "what stands in front of Protobuf in the API")
	Watch             = lesson("watch", "how to follow a collection and miss nothing")
	Expired           = lesson("expired", "why old versions answer 410 Gone, and what to do then")
	Bookmarks         = lesson("bookmarks", "what bookmarks are for")
	StreamingLists    = lesson("streaming-lists", "how a watch can begin with the whole state")
	Compression       = lesson("compression", "when answers are compressed")
	Chunks            = lesson("chunks", "how long lists come in chunks of one snapshot")
	Collections       = lesson("collections", "what kind a collection is of")
	Tables            = lesson("tables", "where columns come from")
	Deletion          = lesson("deletion", "why deletion takes two steps, and what it waits for")
	CorruptObjects    = lesson("corrupt-objects", "objects that can't be read, and how they are deleted")
	OneObjectARequest = lesson("one-object-a-request", "why there are no transactions over several objects")
	FieldValidation   = lesson("field-validation", "what becomes of fields that nobody knows")
	DryRun            = lesson("dry-run", "what a dry run does, and what it can't know")
	LostUpdates       = lesson("lost-updates", "why a write that comes late is refused")
	FiveWays          = lesson("five-ways-to-write", "which ways of writing keep what others wrote")
	ResourceVersions  = lesson("resource-versions", "what a resourceVersion promises")
	FutureVersions    = lesson("future-versions", "versions that the server doesn't have yet, and when to ask again")
	ManagedFields     = lesson("managed-fields", "how the server knows who owns which field")
	Conflicts         = lesson("conflicts", "what a conflict is, and the three ways out")
	ApplyAndUpdate    = lesson("apply-and-update", "what apply and update do to owners")
	MergeStrategies   = lesson("merge-strategies", "how lists and maps of several owners are merged")
	CustomResources   = lesson("custom-resources", "what a schema decides about owners of custom resources")
	Controllers       = lesson("controllers", "how controllers should apply, and when force is right")
	HandingOver       = lesson("handing-over", "how a field changes hands without changing its value")
	ClientSideApply   = lesson("client-side-apply", "what the last-applied annotation does, and how to leave it behind")
	Permissions       = lesson("permissions", "what one must be allowed to apply")
	Clearing          = lesson("clearing-managed-fields", "how managedFields are cleared")
	Untracked         = lesson("untracked-subresources", "where ownership doesn't follow")
	FeatureDetection  = lesson("feature-detection", "how to find out what a server can do")
)

// The topics that an entry of the glossary explains.
var (
	APIGroup          = term("api-group", "what a group of the API is")
	APIVersion        = term("api-version", "why an object can be written in several versions")
	AccessReview      = term("access-review", "how the API is asked what one may do")
	Apply             = term("apply", "what it is to apply")
	CBOR              = term("cbor", "what CBOR is good for")
	Category          = term("category", "how one word names several types")
	Event             = term("event", "what an Event is, and how long it is kept")
	FieldManager      = term("field-manager", "who counts as a manager of fields")
	Gap               = term("gap", "which changes a client can't have seen")
	JSON              = term("json", "what the API answers if nothing else is asked for")
	JSONPatch         = term("json-patch", "how a JSON Patch changes an object")
	MergePatch        = term("merge-patch", "how a merge patch changes an object")
	Operation         = term("operation", "what Apply and Update mean in managedFields")
	Ownership         = term("ownership", "what it is to own a field")
	Protobuf          = term("protobuf", "what Protobuf is good for")
	PUT               = term("put", "how PUT changes an object")
	ResourceType      = term("resource-type", "what a resource type is")
	Resume            = term("resume", "how a stream goes on where it broke off")
	ShortName         = term("short-name", "where short names are known")
	StorageVersion    = term("storage-version", "in which version objects are stored")
	StrategicPatch    = term("strategic-merge-patch", "how a strategic merge patch changes an object")
	WatchEvent        = term("watch-event", "what the types of a watch's events mean")
	YAML              = term("yaml", "what YAML is good for")
	UID               = term("uid", "what makes an object the same one")
	Generation        = term("generation", "when generation goes up")
	LabelSelector     = term("label-selector", "how a label selector chooses")
	FieldSelector     = term("field-selector", "how a field selector chooses")
	ColumnPriority    = term("column-priority", "why some columns wait until they are asked for")
	StatusObject      = term("status-object", "how the API says no")
	Admission         = term("admission", "who changes or refuses a write on its way in")
	Defaulting        = term("defaulting", "what the server fills in")
	Validation        = term("validation", "what the server refuses to store")
	Warning           = term("warning", "what a warning of the API is")
	GeneratedName     = term("generated-name", "why such values differ each time")
	OwnerReference    = term("owner-reference", "what an owner reference is for")
	GarbageCollector  = term("garbage-collector", "who removes what has no owner any more")
	PropagationPolicy = term("propagation-policy", "what happens to dependents")
	GracePeriod       = term("grace-period", "how long a deletion waits")
	Precondition      = term("precondition", "how a request says for which object it is meant")
	Finalizer         = term("finalizer", "who has to agree before an object goes")
	Force             = term("force", "what force takes away, and from whom")
	SharedOwnership   = term("shared-ownership", "what it means that a field has several owners")
	WatchCache        = term("watch-cache", "out of what the API server answers")
	Compaction        = term("compaction", "why the store forgets its history")
	RemainingItems    = term("remaining-item-count", "how many are still to come")
	ContinueToken     = term("continue-token", "what a continue token holds")
	RetryAfter        = term("retry-after", "when to ask again")
	PriorityFairness  = term("priority-and-fairness", "why the server asks for patience")
	AggregatedAPI     = term("aggregated-api", "APIs that another server serves")
	Discovery         = term("discovery", "how clients learn what a server serves")
	OpenAPI           = term("openapi", "where a field's description and type come from")
	Scenario          = term("scenario", "what a Scenario of the practice cluster is")
)

// All are all topics there are. Nothing else holds them together, so that a program has those that it uses and no others.
func All() []Topic {
	return []Topic{
		Kinds, Paths, Verbs, Subresources, Representations, Envelope, Watch, Expired, Bookmarks, StreamingLists, Compression, Chunks,
		Collections, Tables, Deletion, CorruptObjects, OneObjectARequest, FieldValidation, DryRun, LostUpdates, FiveWays,
		ResourceVersions, FutureVersions, ManagedFields, Conflicts, ApplyAndUpdate, MergeStrategies, CustomResources, Controllers,
		HandingOver, ClientSideApply, Permissions, Clearing, Untracked, FeatureDetection, APIGroup, APIVersion, AccessReview, Apply,
		CBOR, Category, Event, FieldManager, Gap, JSON, JSONPatch, MergePatch, Operation, Ownership, Protobuf, PUT, ResourceType,
		Resume, ShortName, StorageVersion, StrategicPatch, WatchEvent, YAML, UID, Generation, LabelSelector, FieldSelector,
		ColumnPriority, StatusObject, Admission, Defaulting, Validation, Warning, GeneratedName, OwnerReference, GarbageCollector,
		PropagationPolicy, GracePeriod, Precondition, Finalizer, Force, SharedOwnership, WatchCache, Compaction, RemainingItems,
		ContinueToken, RetryAfter, PriorityFairness, AggregatedAPI, Discovery, OpenAPI, Scenario,
	}
}

// In is what explains one of several things; nil: nothing does.
func In[K comparable](topics map[K]Topic, one K) *Topic {
	if t, ok := topics[one]; ok {
		return &t
	}
	return nil
}

// Header is what explains a field in the head of a request or an answer, by its name in whichever case; false: the guide has nothing
// on it.
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

// Body is what explains a media type of a request's body; false: it is none that the guide tells of.
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

// Write is what explains a way of writing, by its HTTP method and the media type of its body; false: it has no topic of its own.
func Write(method, contentType string) (Topic, bool) {
	switch method {
	case "PUT":
		return PUT, true
	case "POST":
		return Verbs, true
	}
	return Body(contentType)
}

// reasons are the topics that refusals lead to, by the Status' reason.
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

// byCode are the topics of refusals that give no reason of ours.
var byCode = map[int]Topic{
	400: FieldValidation, 401: Permissions, 403: Permissions, 404: Paths, 405: Verbs, 406: Representations, 409: LostUpdates, 410: Expired,
	415: Representations, 422: Validation, 429: PriorityFairness, 503: AggregatedAPI, 504: FutureVersions,
}

// Refusal is what explains an API server's refusal. If nothing better is known, it is the topic that explains Status objects.
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

// Parameter is what explains a query parameter, by its name; false: the guide has nothing on it.
func Parameter(name string) (Topic, bool) {
	t, ok := parameters[name]
	return t, ok
}
