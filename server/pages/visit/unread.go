package visit

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// unreadCodes are the status codes of a page whose types discovery couldn't read.
var unreadCodes = map[discovery.How]int{
	discovery.Slow: http.StatusGatewayTimeout, discovery.Forbidden: http.StatusForbidden, discovery.Broken: http.StatusServiceUnavailable,
}

// Unread is a notice for a page that needs types of a group version, if discovery couldn't read them. It is nil if discovery could: what it
// doesn't list is absent then.
func (v *Visit) Unread(catalog discovery.Catalog, group, version string) (code int, notice *components.Notice) {
	f, is := catalog.Unread(group, version)
	if !is {
		return 0, nil
	}
	n := &components.Notice{
		Tone: components.Bad, Advice: "Fieldmark doesn’t know whether the cluster serves this type. Try again later.",
		Links: []components.Link{{Text: words.TryAgain, Href: v.request.URL.RequestURI(), Primary: true}},
	}
	if name := f.APIService(); name != "" && f.How != discovery.Forbidden {
		path := apipath.Object("apiregistration.k8s.io", "v1", "", "apiservices", name)
		var late bool
		if n.Quoted, late = v.unavailable(path); late {
			f.How, f.Why = discovery.Slow, "another server has this API, and it doesn’t respond in time"
		}
		if n.Quoted != "" {
			n.Advice = "The type exists, or it did: an APIService registers its server. Start that server, or delete the APIService if nobody needs it."
			n.Links = append(n.Links, components.Link{Text: "Open the APIService", Href: web.Page(v.cluster.Slug(), path.String())})
		}
	}
	n.Title, n.Words = f.Title(), components.Sentence(f.Why)
	return unreadCodes[f.How], n
}

// unavailable is why the API server says that the server of an APIService isn't available; empty: it doesn't say so. late tells that the other
// server was too slow.
func (v *Visit) unavailable(path apipath.Path) (why string, late bool) {
	answer, err := v.client.Do(v.Context(), api.Request{Path: path.String(), MaxBytes: MaxObject})
	if err != nil {
		return "", false
	}
	var service struct {
		Status struct {
			Conditions []struct {
				Type    string `json:"type"`
				Status  string `json:"status"`
				Reason  string `json:"reason"`
				Message string `json:"message"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := json.Unmarshal(answer.Body, &service); err != nil {
		return "", false
	}
	for _, c := range service.Status.Conditions {
		if c.Type == "Available" && c.Status != "True" {
			return c.Reason + ": " + c.Message, strings.Contains(c.Message, "deadline exceeded") || strings.Contains(c.Message, "Timeout")
		}
	}
	return "", false
}

// Otherwise are lines about what the cluster serves of a group that lacks a version, or a type.
func Otherwise(catalog discovery.Catalog, group, version string) (details []string) {
	g, _ := catalog.Group(group)
	for _, other := range g.Versions {
		at := discovery.GroupVersion(g.Name, other.Name)
		_, unread := catalog.Unread(group, other.Name)
		switch {
		case unread:
			details = append(details, "The cluster also has "+at+", but its types can’t be listed now.")
		case other.Name == version:
			details = append(details, "The cluster serves "+at+" with other types.")
		default:
			details = append(details, "The cluster serves "+at+".")
		}
	}
	return details
}
