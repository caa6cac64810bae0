package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/api"
)

const (
	// indexLife is how long the list of documents is valid. If a document is missing in it, the list is requested again sooner.
	indexLife = 10 * time.Second
	// documentLife is how long a document with a hash is kept. The document is the same while its hash is the same.
	documentLife = 24 * time.Hour
	// documentLimit bounds the request, even if somebody still waits for it.
	documentLimit = 30 * time.Second
	// maxDocument bounds one document; those of Kubernetes itself stay below 2 MB.
	maxDocument = 16 << 20
	// maxDocuments is how many are kept, and maxKept how many bytes they may have had.
	maxDocuments = 24
	maxKept      = 64 << 20

	openapiRoot = "/openapi/v3"
)

// Undescribed is a group version of which the server publishes no OpenAPI document.
type Undescribed struct {
	Group, Version string
}

// Error names the group version.
func (u *Undescribed) Error() string {
	return fmt.Sprintf("the server publishes no OpenAPI v3 document of %s", discovery.GroupVersion(u.Group, u.Version))
}

// openapi is what is kept of the documents that a cluster publishes.
type openapi struct {
	index memo[*map[string]string] // of names, their hashes

	mu   sync.Mutex
	kept map[string]*published
}

// published is one document in one state.
type published struct {
	hash string
	used time.Time
	memo memo[*sized]
}

type sized struct {
	document schema.Document
	bytes    int
}

// Document is the OpenAPI v3 document of a group version. It is requested once, as long as the server names it by the same hash. client
// may be nil; otherwise it records the requests. Errors are *Undescribed, *Problem, those of api.Client.Do, those of schema.Parse, or
// ctx's; if a caller stops waiting, the next one makes the request.
func (c *Cluster) Document(ctx context.Context, client *api.Client, group, version string) (schema.Document, error) {
	name := documentName(group, version)
	for {
		index, err := c.documents(ctx, client)
		if err != nil {
			return schema.Document{}, err
		}
		err = &Undescribed{Group: group, Version: version}
		if hash, listed := index[name]; listed {
			var got schema.Document
			got, err = c.document(ctx, client, name, hash)
			if code := api.Code(err); code < 300 || code > 399 && code != http.StatusNotFound {
				return got, err
			} // otherwise it has another hash now, or none
		}
		if !c.openapi.index.forgetOlder(c.settings.now().Add(-catalogFresh)) {
			return schema.Document{}, err
		}
	}
}

func documentName(group, version string) string {
	if group == "" {
		return "api/" + version
	}
	return "apis/" + group + "/" + version
}

// documents are the names of all documents, with their hashes.
func (c *Cluster) documents(ctx context.Context, client *api.Client) (map[string]string, error) {
	got, err := c.openapi.index.get(ctx, recipe[*map[string]string]{
		now: c.settings.now, life: indexLife, limit: documentLimit,
		make: func(ctx context.Context) (*map[string]string, error) {
			client, err := c.client(client)
			if err != nil {
				return nil, err
			}
			answer, err := client.Do(ctx, api.Request{Path: openapiRoot, MaxBytes: maxDocument, Gzip: true})
			if err != nil {
				return nil, err
			}
			return shelved(c.shelf(), digestOf("index", answer.Body), func() (map[string]string, error) { return parseIndex(answer.Body) })
		},
	})
	if err != nil {
		return nil, err
	}
	return *got, nil
}

// parseIndex reads the list of documents. It uses only the hashes in their addresses. Fieldmark makes the paths of its requests itself.
func parseIndex(body []byte) (map[string]string, error) {
	var read struct {
		Paths map[string]struct {
			Address string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(body, &read); err != nil {
		return nil, fmt.Errorf("reading the list of OpenAPI documents: %w", err)
	}
	hashes := make(map[string]string, len(read.Paths))
	for name, entry := range read.Paths {
		hashes[name] = ""
		if u, err := url.Parse(entry.Address); err == nil {
			hashes[name] = u.Query().Get("hash")
		}
	}
	return hashes, nil
}

func (c *Cluster) document(ctx context.Context, client *api.Client, name, hash string) (schema.Document, error) {
	life := documentLife
	if hash == "" {
		life = indexLife
	}
	now := c.settings.now()
	got, err := c.openapi.get(name, hash, now).get(ctx, recipe[*sized]{
		now: c.settings.now, life: life, limit: documentLimit,
		make: func(ctx context.Context) (*sized, error) {
			client, err := c.client(client)
			if err != nil {
				return nil, err
			}
			answer, err := client.Do(ctx, api.Request{Path: documentPath(name, hash), MaxBytes: maxDocument, Gzip: true})
			if err != nil {
				return nil, err
			}
			return shelved(c.shelf(), digestOf("document", answer.Body), func() (sized, error) {
				document, err := schema.Parse(answer.Body)
				return sized{document, len(answer.Body)}, err
			})
		},
	})
	c.openapi.shrink()
	if err != nil {
		return schema.Document{}, err
	}
	return got.document, nil
}

func documentPath(name, hash string) string {
	path := (&url.URL{Path: openapiRoot + "/" + name}).EscapedPath()
	if hash == "" {
		return path
	}
	return path + "?" + url.Values{"hash": {hash}}.Encode()
}

// get returns the cache entry of a document. Each name has one entry, for its newest hash.
func (o *openapi) get(name, hash string, now time.Time) *memo[*sized] {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil {
		o.kept = map[string]*published{}
	}
	p := o.kept[name]
	if p == nil || p.hash != hash {
		p = &published{hash: hash}
		o.kept[name] = p
	}
	p.used = now
	return &p.memo
}

// shrink drops the documents that were not used for longest until the others keep within their bounds; the last stays.
func (o *openapi) shrink() {
	o.mu.Lock()
	defer o.mu.Unlock()
	names := slices.SortedFunc(maps.Keys(o.kept), func(a, b string) int {
		return cmp.Or(o.kept[b].used.Compare(o.kept[a].used), cmp.Compare(a, b))
	})
	bytes := 0
	for i, name := range names {
		last, _, _, _ := o.kept[name].memo.past()
		if last != nil {
			bytes += last.bytes
		}
		if i > 0 && (i >= maxDocuments || bytes > maxKept) {
			delete(o.kept, name)
		}
	}
}
