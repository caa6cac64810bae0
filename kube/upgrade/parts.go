package upgrade

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/release"
)

// APIService is what the API server says about a version of a group that another server serves.
type APIService struct {
	Name      string
	Server    string // namespace/name of its Service; empty: the API server serves it itself
	Available bool
	Why       string // of the condition Available
}

// ParseAPIService reads an APIService.
func ParseAPIService(raw []byte) (APIService, error) {
	var o struct {
		Metadata struct{ Name string }
		Spec     struct {
			Service *struct{ Namespace, Name string }
		}
		Status struct {
			Conditions []struct{ Type, Status, Reason, Message string }
		}
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return APIService{}, fmt.Errorf("reading an APIService: %w", err)
	}
	s := APIService{Name: o.Metadata.Name}
	if o.Spec.Service != nil {
		s.Server = o.Spec.Service.Namespace + "/" + o.Spec.Service.Name
	}
	for _, c := range o.Status.Conditions {
		if c.Type == "Available" {
			s.Available, s.Why = c.Status == "True", strings.TrimSpace(c.Reason+": "+c.Message)
		}
	}
	return s, nil
}

// Hook is one webhook of a configuration.
type Hook struct {
	Kind          string // ValidatingWebhookConfiguration or MutatingWebhookConfiguration
	Configuration string
	Name          string
	Fail          bool // failurePolicy is Fail
	Rules         []HookRule
}

// HookRule says for which requests the API server calls a webhook.
type HookRule struct {
	APIGroups, Resources, Operations []string
}

// ParseHooks reads the webhooks of a configuration of one of the two kinds.
func ParseHooks(kind string, raw []byte) ([]Hook, error) {
	var o struct {
		Metadata struct{ Name string }
		Webhooks []struct {
			Name          string
			FailurePolicy string
			Rules         []HookRule
		}
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("reading a %s: %w", kind, err)
	}
	var all []Hook
	for _, w := range o.Webhooks {
		all = append(all, Hook{Kind: kind, Configuration: o.Metadata.Name, Name: w.Name, Fail: w.FailurePolicy != "Ignore", Rules: w.Rules})
	}
	return all, nil
}

// calls tells whether the API server calls the webhook when an object of a type is updated. It ignores the versions of rules, because webhooks match
// equivalent versions unless they say otherwise.
func (h Hook) calls(group, resource string) bool {
	has := func(list []string, value string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, value)
	}
	return slices.ContainsFunc(h.Rules, func(r HookRule) bool {
		return has(r.APIGroups, group) && (has(r.Resources, resource) || slices.Contains(r.Resources, "*/*")) && has(r.Operations, "UPDATE")
	})
}

// Request is a deprecated version that somebody requested, as the API server counts it.
type Request struct {
	Group, Version, Resource, Subresource string
	Removed                               release.Version // unknown: no release is named
}

// Type is the full name of the type.
func (r Request) Type() string {
	return discovery.Type{Group: r.Group, Resource: r.Resource}.FullName()
}

// Metric is the name of the API server's metric that says which deprecated versions were requested.
const Metric = "apiserver_requested_deprecated_apis"

// ParseMetric reads a line of the API server's metrics. ok is false if it is another metric's, or says that nobody made the request.
func ParseMetric(line string) (r Request, ok bool) {
	rest, ok := strings.CutPrefix(line, Metric+"{")
	if !ok {
		return Request{}, false
	}
	for !strings.HasPrefix(rest, "}") {
		name, after, named := strings.Cut(rest, "=")
		value, after, quoted := labelValue(after)
		if !named || !quoted {
			return Request{}, false
		}
		switch name {
		case "group":
			r.Group = value
		case "version":
			r.Version = value
		case "resource":
			r.Resource = value
		case "subresource":
			r.Subresource = value
		case "removed_release":
			r.Removed = release.Of(value)
		}
		rest = strings.TrimPrefix(after, ",")
	}
	return r, r.Resource != "" && strings.TrimSpace(rest[1:]) != "0"
}

// labelValue reads the value of a label, in quotes, with the escapes of the format.
func labelValue(text string) (value, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return b.String(), text[i+1:], true
		case '\\':
			if i++; i < len(text) {
				b.WriteString(map[bool]string{true: "\n", false: string(text[i])}[text[i] == 'n'])
			}
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", false
}
