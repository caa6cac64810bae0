package apply

import (
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/page"
)

const askMay = "may"

// may is what the API server says about whether the reader may do one thing to an object. To apply takes patch, and create
// where there is none yet.
type may struct {
	seq     int
	verb    string
	heard   bool
	Allowed bool
	Why     string // in the server's words
}

// review is a SelfSubjectAccessReview.
type review struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Spec       reviewSpec   `json:"spec"`
	Status     reviewStatus `json:"status,omitzero"`
}

type reviewSpec struct {
	Attributes reviewed `json:"resourceAttributes"`
}

type reviewed struct {
	Namespace   string `json:"namespace,omitempty"`
	Verb        string `json:"verb"`
	Group       string `json:"group,omitempty"`
	Version     string `json:"version,omitempty"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource,omitempty"`
	Name        string `json:"name,omitempty"`
}

type reviewStatus struct {
	Allowed bool   `json:"allowed"`
	Denied  bool   `json:"denied,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Error   string `json:"evaluationError,omitempty"`
}

// mayI asks whether the reader may do something to a document's object, once for each.
func (m *Model) mayI(d *document, verb string) []page.Cmd {
	if slices.ContainsFunc(d.may, func(known *may) bool { return known.verb == verb }) {
		return nil
	}
	m.live.seq++
	d.may = append(d.may, &may{seq: m.live.seq, verb: verb})
	p := d.target.Path
	body, err := json.Marshal(review{
		APIVersion: "authorization.k8s.io/v1", Kind: "SelfSubjectAccessReview",
		Spec: reviewSpec{reviewed{
			Namespace: p.Namespace, Verb: verb, Group: p.Group, Version: p.Version, Resource: p.Resource, Subresource: p.Subresource, Name: p.Name,
		}},
	})
	if err != nil {
		return nil // it is made of strings
	}
	// As a dry run: nothing is stored either way, and --read-only lets it pass.
	path := apipath.Collection("authorization.k8s.io", "v1", "", "selfsubjectaccessreviews").String() + "?dryRun=All"
	return []page.Cmd{page.Send{ID: id(askMay, m.live.seq), Method: "POST", Cluster: m.Shell.Cluster.Slug, Path: path, ContentType: "application/json", Body: body}}
}

// heardMay takes the answer in. Where there is none to be had, the write itself will tell.
func (m *Model) heardMay(seq int, f page.Fetched) {
	for _, d := range m.live.docs {
		for _, asked := range d.may {
			var answer review
			if asked.seq != seq || f.Status < 200 || f.Status > 299 || json.Unmarshal(f.Body, &answer) != nil {
				continue
			}
			asked.heard, asked.Allowed, asked.Why = true, answer.Status.Allowed, answer.Status.Reason
			if answer.Status.Error != "" {
				asked.Why = answer.Status.Error
			}
		}
	}
}

// mayNot says why a document must not be applied; empty: it may be.
func (m Model) mayNot(d *document) string {
	if m.Shell.ReadOnly {
		return "Fieldmark was started with --read-only: previews are all it sends."
	}
	for _, asked := range d.may {
		switch {
		case !asked.heard || asked.Allowed:
		case asked.Why != "":
			return "You may not " + asked.verb + " " + resource(d) + ": " + asked.Why
		default:
			return "You may not " + asked.verb + " " + resource(d) + " here: no rule allows it."
		}
	}
	return ""
}

// resource is what rules call a document's object.
func resource(d *document) string {
	p := d.target.Path
	if p.Subresource != "" {
		return p.Resource + "/" + p.Subresource
	}
	return p.Resource
}

// allowed says by which rule the reader may write, where the server tells.
func (d *document) allowed() string {
	for _, asked := range d.may {
		if asked.heard && asked.Allowed && asked.Why != "" {
			return asked.Why
		}
	}
	return ""
}
