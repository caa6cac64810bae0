package inquiry

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/policy"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/request"
)

// denied explains that admission refused a request.
func (t *telling) denied() {
	t.e.What = "A request" + t.about() + " was refused by admission: a rule of this cluster forbids it."
	t.e.Why = "After the check of permissions, the API server asks its admission plugins, policies and webhooks about each write. Each of them can refuse it."
	namespace := t.subject.object.Namespace
	p := t.no.Policy
	switch {
	case p == nil && strings.Contains(t.no.Message, "is being terminated"):
		t.e.Why = "The namespace is being deleted. After its deletion has begun, nothing can be created in a namespace."
		if _, rest, ok := strings.Cut(t.no.Message, "in namespace "); ok {
			namespace, _, _ = strings.Cut(rest, " ")
		}
		t.way(explain.WayLook, "# The conditions say what the deletion waits for\nkubectl get namespace "+orName(namespace)+" -o yaml\n")
		t.way(explain.WayRetry, "Wait until the namespace is deleted, create it again, and send the request again.")
		return
	case p == nil:
		t.wrong()
	case p.Type == refusal.Webhook:
		t.e.What = "A request" + t.about() + " was refused by the admission webhook " + p.Name + "."
		t.wrong()
		if strings.Contains(t.no.Message, "does not support dry run") {
			t.e.Why = "The webhook's configuration doesn't say that it has no side effects, so the API server refuses dry runs. The request itself may succeed."
			t.way(explain.WayCorrect, "# In the webhook's configuration, if the webhook has no side effects\nsideEffects: None\n")
		}
		t.way(explain.WayLook, webhooks(p.Name))
	case p.Type == refusal.PodSecurity:
		level, _, _ := strings.Cut(p.Name, ":")
		t.e.What = "A request" + t.about() + " was refused by Pod Security: the Pod doesn't meet the level " + level + "."
		t.e.Why = "A label of the namespace sets a level of the Pod Security Standards, and all its Pods must meet it."
		t.way(explain.WayLook, "kubectl get namespace "+orName(namespace)+" --show-labels\n")
	default:
		t.e.What = fmt.Sprintf("A request%s was refused by the %s %s.", t.about(), p.Type, p.Name)
		t.way(explain.WayLook, "kubectl get "+strings.ToLower(p.Type)+" "+request.Quote(p.Name)+" -o yaml\n")
		if p.Binding != "" {
			t.way(explain.WayLook, "kubectl get "+strings.ToLower(p.Type)+"binding "+request.Quote(p.Binding)+" -o yaml\n")
		}
		if t.ofManagers(p.Name) {
			return
		}
	}
	t.way(explain.WayCorrect, "Change the manifest so that it meets the rule: "+strings.Join(strings.Fields(t.e.Message), " "))
}

// ofManagers explains a policy about field managers that fieldmark policy wrote. It tells whether it is one.
func (t *telling) ofManagers(name string) bool {
	kind, is := strings.CutPrefix(name, policy.NamePrefix)
	switch {
	case is && policy.Kind(kind) == policy.Forced:
		t.e.Why = "The policy refuses applies that take fields from other managers. Only an apply with force does that. The message names the managers that would lose fields."
		t.way(explain.WayRetry, "# Without force, the API server names each conflict, and changes nothing\nkubectl apply --server-side -f FILE\n")
		t.way(explain.WayLook, "# Which fields would change hands, and the ways out\nkubectl fieldmark check -f FILE --force-conflicts --ways\n")
	case is && policy.Kind(kind) == policy.GitOps:
		t.e.Why = "The policy refuses writes of people's tools and of assistants to objects that a GitOps tool applies. The tool would write its manifest again. The message names it."
		t.way(explain.WayCorrect, "Change the manifest in Git, and let the tool apply it.")
	default:
		return false
	}
	return true
}

// webhooks is the command that finds a webhook's configuration.
func webhooks(name string) string {
	return "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name | grep -F " + request.Quote(name) + "\n"
}

// orName is the namespace for a command, or a placeholder.
func orName(namespace string) string {
	if namespace == "" {
		return "NAMESPACE"
	}
	return request.Quote(namespace)
}

// webhookFailed explains that a webhook couldn't be called.
func (t *telling) webhookFailed() {
	t.e.What = "A request" + t.about() + " was refused, because an admission webhook could not be called."
	if t.no.Policy != nil {
		t.e.What = "A request" + t.about() + " was refused, because the admission webhook " + t.no.Policy.Name + " could not be called."
		t.way(explain.WayLook, webhooks(t.no.Policy.Name))
	}
	t.e.Why = "The webhook's configuration requires its response (failurePolicy: Fail), but the API server got no usable one. The request itself may be correct."
	if _, rest, ok := strings.Cut(t.no.Message, `service "`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		t.way(explain.WayLook, "# Does the webhook's service have endpoints?\nkubectl get endpointslices -A -l kubernetes.io/service-name="+request.Quote(name)+"\n")
	}
	t.way(explain.WayRetry, "Send the request again once the webhook's Pods are ready.")
}

// quota explains that a ResourceQuota would be exceeded.
func (t *telling) quota() {
	t.e.What = "A request" + t.about() + " was refused: it doesn't fit into the resource quota."
	t.e.Why = "A ResourceQuota limits the total requests of all objects in a namespace."
	name := ""
	if q := t.no.Quota; q != nil {
		name = q.Name
		for _, l := range q.Limits {
			t.addNote(fmt.Sprintf("%s: %s requested, %s of %s used.", l.Resource, l.Requested, l.Used, l.Limited))
		}
		if len(q.Limits) == 0 {
			t.way(explain.WayCorrect, "Set the fields that the quota counts: "+t.e.Message)
		}
	}
	quota := "resourcequota"
	if name != "" {
		quota = request.Named(quota, name)
	}
	t.way(explain.WayLook, "kubectl describe "+quota+" -n "+orName(t.subject.object.Namespace)+"\n")
	t.way(explain.WayCorrect, "Request less, delete objects that the namespace doesn't need, or ask for a larger quota.")
}
