package refusal

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Reason is the rule by which the server refused. If no reason of ours fits better, it is the server's status reason, also one that isn't listed here,
// such as InternalError.
type Reason string

// The reasons that package refusal distinguishes.
const (
	Unknown              Reason = ""              // refused, but no known words in the text say why
	Conflict             Reason = "Conflict"      // other managers own fields that an apply would change
	Modified             Reason = "Modified"      // the object has changed since it was read
	Invalid              Reason = "Invalid"       // a value, an unknown field or a duplicate one
	Immutable            Reason = "Immutable"     // a field can't be changed after creation
	Forbidden            Reason = "Forbidden"     // no rule of RBAC allows it
	Denied               Reason = "Denied"        // by an admission plugin, a policy or a webhook
	WebhookFailed        Reason = "WebhookFailed" // a required webhook could not be called
	QuotaExceeded        Reason = "QuotaExceeded"
	NotFound             Reason = "NotFound" // no such object
	Unserved             Reason = "Unserved" // no such type
	AlreadyExists        Reason = "AlreadyExists"
	NotAdopted           Reason = "NotAdopted" // Helm doesn't take over an object that it didn't create
	Expired              Reason = "Expired"    // a resource version or a continue token is too old
	Unauthorized         Reason = "Unauthorized"
	NotAcceptable        Reason = "NotAcceptable"
	UnsupportedMediaType Reason = "UnsupportedMediaType"
	TooManyRequests      Reason = "TooManyRequests"
)

// Tool is the program that printed the refusal.
type Tool string

// The tools that package refusal distinguishes. If one tool runs another, as Argo CD runs kubectl, it is the outer one.
const (
	UnknownTool Tool = ""
	ClientGo    Tool = "client-go"
	Status      Tool = "Status" // no tool: the server's Status as JSON
	Kubectl     Tool = "kubectl"
	Helm        Tool = "Helm"
	Pulumi      Tool = "Pulumi"
	Terraform   Tool = "Terraform"
	Flux        Tool = "Flux"
	ArgoCD      Tool = "Argo CD"
	KubeRS      Tool = "kube-rs"
	// KubectlProvider is the provider kubectl of Terraform, with the resource kubectl_manifest.
	KubectlProvider Tool = "Terraform's kubectl provider"
)

// Refusal is one refused request. Fields that the text doesn't tell are empty.
type Refusal struct {
	Reason Reason `json:"reason"`
	Code   int    `json:"code,omitempty"` // HTTP status code
	Tool   Tool   `json:"tool,omitempty"`
	// Manager is the manager of the refused request; empty if the text doesn't name it.
	Manager string `json:"manager,omitempty"`
	// File is the file from which the tool read the manifest.
	File string `json:"file,omitempty"`
	// Around is the namespace that a controller's log line is about. The refused object is probably in it, too.
	Around  string   `json:"around,omitempty"`
	Objects []Object `json:"objects,omitempty"`
	Fields  []Field  `json:"fields,omitempty"`
	// Untold is how many conflicting fields are missing from the text, because it was cut.
	Untold  int            `json:"untold,omitempty"`
	Denial  *status.Denial `json:"denial,omitempty"`
	Policy  *Policy        `json:"policy,omitempty"`
	Quota   *Quota         `json:"quota,omitempty"`
	Accepts []string       `json:"accepts,omitempty"` // media types that the server would accept
	// RetryAfterSeconds is how long the server asks to wait.
	RetryAfterSeconds int `json:"retryAfterSeconds,omitempty"`
	// Message is the server's message, or the part of it that says why.
	Message string `json:"message,omitempty"`
}

// Object is an object or a type in a refusal. Most texts name a resource or a kind, but not both.
type Object struct {
	Group     string `json:"group,omitempty"`
	Version   string `json:"version,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Resource  string `json:"resource,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// Field is a field that a refusal names.
type Field struct {
	Path string `json:"path"`
	// Owners are the managers that own the field and conflict with the request.
	Owners []manager.Owner `json:"owners,omitempty"`
	// Several tells that the text has the path more than once, so it is that of several fields. Paths don't quote names with dots.
	Several bool `json:"several,omitempty"`
	// Message says what is wrong with the field.
	Message string `json:"message,omitempty"`
	// Immutable tells that the field can't be changed after creation.
	Immutable bool `json:"immutable,omitempty"`
}

// Policy is the policy or webhook by which admission refused the request.
type Policy struct {
	Type    string `json:"type"` // one of the types below
	Name    string `json:"name,omitempty"`
	Binding string `json:"binding,omitempty"`
}

// Types of policies.
const (
	Webhook          = "webhook"
	ValidatingPolicy = "ValidatingAdmissionPolicy"
	MutatingPolicy   = "MutatingAdmissionPolicy"
	PodSecurity      = "PodSecurity" // its name is the level and version, such as restricted:latest
)

// Quota is the ResourceQuota that would be exceeded.
type Quota struct {
	Name   string  `json:"name"`
	Limits []Limit `json:"limits,omitempty"`
}

// Limit is one resource in a quota, with its quantities as the server prints them.
type Limit struct {
	Resource  string `json:"resource"`
	Requested string `json:"requested"`
	Used      string `json:"used"`
	Limited   string `json:"limited"`
}

// Holding is a manager with the fields that it owns.
type Holding struct {
	manager.Owner
	Paths []string
}

// Holdings are the managers of a conflict, each with its fields.
func (r Refusal) Holdings() []Holding {
	var all []Holding
	known := map[manager.Owner]int{}
	for _, f := range r.Fields {
		for _, o := range f.Owners {
			i, ok := known[o]
			if !ok {
				i = len(all)
				known[o] = i
				all = append(all, Holding{Owner: o})
			}
			all[i].Paths = append(all[i].Paths, f.Path)
		}
	}
	return all
}

// refused is a refusal with the status code that servers send for it.
func refused(reason Reason) *Refusal { return &Refusal{Reason: reason, Code: codes[reason]} }

// on sets the object of the refusal.
func (r *Refusal) on(o Object) *Refusal {
	r.Objects = []Object{o}
	return r
}

// own adds an owner of a field. Known has the index of each field by its path.
func (r *Refusal) own(known map[string]int, path string, o manager.Owner) {
	i, ok := known[path]
	if !ok {
		i = len(r.Fields)
		known[path] = i
		r.Fields = append(r.Fields, Field{Path: path})
	}
	if slices.Contains(r.Fields[i].Owners, o) {
		r.Fields[i].Several = true
		return
	}
	r.Fields[i].Owners = append(r.Fields[i].Owners, o)
}

// name adds an object to the refusal. If an object of the refusal can be the same one, it gets the new information instead.
func (r *Refusal) name(o Object) {
	for i := range r.Objects {
		if merged, ok := r.Objects[i].with(o); ok {
			r.Objects[i] = merged
			return
		}
	}
	if o != (Object{}) {
		r.Objects = append(r.Objects, o)
	}
}

// with merges two objects; ok is false if they differ.
func (o Object) with(other Object) (merged Object, ok bool) {
	merged = o
	for _, part := range []struct {
		to   *string
		from string
	}{
		{&merged.Name, other.Name},
		{&merged.Namespace, other.Namespace},
		{&merged.Kind, other.Kind},
		{&merged.Resource, other.Resource},
		{&merged.Group, other.Group},
		{&merged.Version, other.Version},
	} {
		if *part.to != "" && part.from != "" && *part.to != part.from {
			return o, false
		}
		if *part.to == "" {
			*part.to = part.from
		}
	}
	return merged, true
}
