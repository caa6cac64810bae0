// Package chunk has the rules for listing a collection in chunks: what each response means, what stays the same from one chunk to the
// next, and what can be done after a continue token has expired. It also compares the list with the changes that happen while it is made.
// It makes no requests.
package chunk

import (
	"encoding/json"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Item is an object of a list: the data that is needed to recognize it.
type Item struct {
	Namespace, Name, UID, Version string
}

// Key gives its place in a list. API servers sort lists by namespace, then by name, byte by byte.
func (i Item) Key() string {
	if i.Namespace == "" {
		return i.Name
	}
	return i.Namespace + "/" + i.Name
}

// Answer is the response to one request of a chunked list.
type Answer struct {
	Version   string // of the list
	Continue  string // the token of the next chunk; empty: this is the last chunk
	Remaining *int64 // nil: unknown
	Items     []Item
	Metadata  json.RawMessage // of the list, as it was sent
}

// listed has the fields of a list that are read. Tables have their objects in rows, but Tables aren't requested here.
type listed struct {
	Kind     string          `json:"kind"`
	Metadata json.RawMessage `json:"metadata"`
	Items    *[]struct {
		Metadata struct {
			Namespace       string `json:"namespace"`
			Name            string `json:"name"`
			UID             string `json:"uid"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	} `json:"items"`
}

// Parse reads a list.
func Parse(body []byte) (Answer, error) {
	var l listed
	if err := json.Unmarshal(body, &l); err != nil {
		return Answer{}, fmt.Errorf("reading a list: %w", err)
	}
	if l.Items == nil {
		return Answer{}, fmt.Errorf("reading a list: a %.40q has no items", l.Kind)
	}
	var meta struct {
		ResourceVersion    string `json:"resourceVersion"`
		Continue           string `json:"continue"`
		RemainingItemCount *int64 `json:"remainingItemCount"`
	}
	if len(l.Metadata) > 0 {
		if err := json.Unmarshal(l.Metadata, &meta); err != nil {
			return Answer{}, fmt.Errorf("reading a list's metadata: %w", err)
		}
	}
	a := Answer{Version: meta.ResourceVersion, Continue: meta.Continue, Remaining: meta.RemainingItemCount, Metadata: l.Metadata, Items: make([]Item, 0, len(*l.Items))}
	for _, i := range *l.Items {
		m := i.Metadata
		a.Items = append(a.Items, Item{Namespace: m.Namespace, Name: m.Name, UID: m.UID, Version: m.ResourceVersion})
	}
	return a, nil
}

// Refusal is an error response to a request of a chunked list.
type Refusal struct {
	Status status.Status
	// Offered is a token with which the list can be continued at another version. An API server that no longer keeps the version
	// of a token sends one in the metadata of its Status. Empty: there is none.
	Offered string
}

// Expired tells whether the token is too old.
func (r Refusal) Expired() bool { return r.Status.Code == status.CodeGone }

// ParseRefusal reads a refusal.
func ParseRefusal(code int, body []byte) Refusal {
	r := Refusal{Status: status.Parse(code, body)}
	var w struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
	}
	if r.Status.Told && json.Unmarshal(body, &w) == nil {
		r.Offered = w.Metadata.Continue
	}
	return r
}
