package discovery

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// live is the state that only the browser has: the responses to the page's requests.
type live struct {
	deprecated batch
	documents  batch
	aggregated batch
	one        batch // the same, not aggregated
	peek       call.Call
}

// batch is a number of requests, of which a few are on their way at a time.
type batch struct {
	name  string
	all   []call.Call
	names []string // what each request is about
	next  int
	done  int
	stop  bool
	took  time.Duration // the sum over all requests
	then  func(answer call.Call) (more []wanted)
}

// wanted is a request of a batch.
type wanted struct{ name, path, accept string }

const (
	atOnce = 4
	// enough is how many bytes of a body are kept. It is enough for a refusal.
	enough = 4 << 10
)

// startBatch sends the first requests.
func startBatch(name, cluster string, requests []wanted) (batch, []page.Cmd) {
	b := batch{name: name}
	for _, r := range requests {
		b.addRequest(cluster, r, enough)
	}
	cmds := b.sendRequests()
	return b, cmds
}

func (b *batch) addRequest(cluster string, r wanted, keep int64) {
	b.names = append(b.names, r.name)
	b.all = append(b.all, call.Call{
		ID: b.name + "/" + strconv.Itoa(len(b.all)), Cluster: cluster, Method: "GET", Path: r.path, Keep: keep,
		Header: []request.Header{{Name: "Accept", Value: r.accept}},
	})
}

// sendRequests sends requests until enough are on their way.
func (b *batch) sendRequests() []page.Cmd {
	var cmds []page.Cmd
	for !b.stop && b.next < len(b.all) && b.next-b.done < atOnce {
		var call page.Cmd
		b.all[b.next], call = b.all[b.next].Begin()
		cmds = append(cmds, call)
		b.next++
	}
	return cmds
}

// handleMessage takes a part of a response in; false: the message is about something else.
func (b *batch) handleMessage(msg page.Msg) ([]page.Cmd, bool) {
	for i := range b.next {
		if !b.all[i].Under() {
			continue
		}
		x, heard := b.all[i].Hear(msg)
		if !heard {
			continue
		}
		if x.Done() {
			b.done++
			b.took += x.Took
			if b.then != nil && x.OK() {
				for _, r := range b.then(x) {
					b.addRequest(x.Cluster, r, enough)
				}
			}
			if x.OK() {
				x.Kept = nil
			}
		}
		b.all[i] = x
		cmds := b.sendRequests()
		if b.over() {
			cmds = append(cmds, page.Announce{Words: words.Count(int64(b.done), "request", "requests") + " answered"})
		}
		return cmds, true
	}
	return nil, false
}

// over tells whether all responses have arrived.
func (b *batch) over() bool {
	return b.done == b.next && (b.stop || b.next == len(b.all)) && b.next > 0
}

func (b *batch) under() bool { return b.next > b.done }

// bytes is the size of all responses.
func (b *batch) bytes() (n int64) {
	for _, x := range b.all {
		n += x.Bytes
	}
	return n
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) {
	m.live = &live{}
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if m.live == nil {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Addressed:
		return m, []page.Cmd{page.Navigate{Address: m.queryAddress(ParseQuery(msg.Query))}}
	case page.Typed:
		if msg.Field == QueryFilter {
			m.Query.Filter = msg.Text
			return m, []page.Cmd{page.Remember{Address: m.queryAddress(m.Query), Replace: true}}
		}
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Opened, page.Arrived, page.Ended:
		return m.called(msg)
	}
	return m, nil
}

func (m Model) called(msg page.Msg) (page.Page, []page.Cmd) {
	l := m.live
	for _, b := range []*batch{&l.deprecated, &l.documents, &l.aggregated, &l.one} {
		if cmds, heard := b.handleMessage(msg); heard {
			return m, append(cmds, m.race()...)
		}
	}
	l.peek, _ = l.peek.Hear(msg)
	return m, nil
}

// The actions of the page's buttons (data-do).
const (
	doDeprecated = "deprecated"
	doSizes      = "sizes"
	doRaw        = "raw"
	doStop       = "stop"
	doPeek       = "peek"
	doSave       = "save"
)

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	l, slug := m.live, m.Shell.Cluster.Slug
	var cmds []page.Cmd
	switch action {
	case doDeprecated:
		if !l.deprecated.under() {
			l.deprecated, cmds = startBatch(doDeprecated, slug, m.candidates())
		}
	case doSizes:
		if !l.documents.under() {
			l.documents, cmds = startBatch(doSizes, slug, m.described())
		}
	case doStop:
		l.deprecated.stop, l.documents.stop = true, true
	case doRaw:
		if !l.aggregated.under() && !l.one.under() {
			l.one = batch{}
			l.aggregated, cmds = startBatch(doRaw, slug, []wanted{{"core group", "/api", acceptAggregated}, {"named groups", "/apis", acceptAggregated}})
		}
	case doPeek:
		l.peek = call.Call{
			ID: doPeek, Cluster: slug, Method: "GET", Path: "/apis", Header: []request.Header{{Name: "Accept", Value: acceptAggregated}},
		}
		var call page.Cmd
		l.peek, call = l.peek.Begin()
		cmds = []page.Cmd{call}
	case doSave:
		if l.peek.State == call.Whole {
			cmds = []page.Cmd{page.Download{Name: "apis.json", MediaType: "application/json", Body: l.peek.Kept}}
		}
	}
	return m, cmds
}

// The media types of discovery.
const (
	acceptAggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	acceptMetadata   = accept.MetadataList + accept.OrJSON
)

// candidates are requests for one object of every type, in each of its versions. The headers of the responses have the warnings.
func (m Model) candidates() []wanted {
	var all []wanted
	for _, g := range m.Shell.Catalog.Groups {
		for _, v := range g.Versions {
			for _, t := range v.Types {
				if t.Listable() && m.Query.passes(t) {
					path := apipath.Collection(t.Group, t.Version, "", t.Resource).String() + "?limit=1"
					all = append(all, wanted{t.Resource + " in " + t.GroupVersion(), path, acceptMetadata})
				}
			}
		}
	}
	return all
}

// described are requests for all OpenAPI documents.
func (m Model) described() []wanted {
	var all []wanted
	for _, d := range m.Documents {
		all = append(all, wanted{d.Name, d.Path, accept.JSON})
	}
	return all
}

// race requests the same types without aggregation, after the aggregated responses have arrived: /api and /apis, then each group version.
func (m Model) race() []page.Cmd {
	l := m.live
	if !l.aggregated.over() || l.one.next > 0 {
		return nil
	}
	b := batch{name: "one", then: groupVersions}
	for _, r := range []wanted{{"core versions", "/api", accept.JSON}, {"groups", "/apis", accept.JSON}} {
		b.addRequest(m.Shell.Cluster.Slug, r, 0)
	}
	cmds := b.sendRequests()
	l.one = b
	return cmds
}

// groupVersions are the paths of the documents that a list of versions or groups names.
func groupVersions(x call.Call) []wanted {
	var c discovery.Catalog
	var err error
	switch x.Path {
	case "/api":
		c, err = discovery.ParseVersions(x.Kept)
	case "/apis":
		c, err = discovery.ParseGroupList(x.Kept)
	}
	if err != nil {
		return nil
	}
	var all []wanted
	for _, g := range c.Groups {
		for _, v := range g.Versions {
			all = append(all, wanted{discovery.GroupVersion(g.Name, v.Name), apipath.DiscoveryOf(g.Name, v.Name).String(), accept.JSON})
		}
	}
	return all
}

// warned is a type whose responses have warnings.
type warned struct {
	Name, Path string
	Warnings   []status.Warning
}

// warnings are the types with warnings, and the number of types whose requests were refused.
func (l *live) warnings() (all []warned, refused int) {
	b := &l.deprecated
	for i, x := range b.all[:b.next] {
		if x.Done() && !x.OK() {
			refused++
		}
		if warnings := x.Warnings(); len(warnings) > 0 {
			path, _, _ := strings.Cut(x.Path, "?")
			all = append(all, warned{b.names[i], path, warnings})
		}
	}
	return all, refused
}

// size is the size of a document, if it has arrived.
func (m Model) size(d Document) (n int64, known bool) {
	if m.live == nil {
		return 0, false
	}
	b := &m.live.documents
	for i, x := range b.all[:b.next] {
		if b.names[i] == d.Name && x.State == call.Whole && x.OK() {
			return x.Bytes, true
		}
	}
	return 0, false
}

// ParseIndex reads the list of OpenAPI v3 documents. An aggregated API can write anything there, so only paths are taken.
func ParseIndex(body []byte) ([]Document, error) {
	var index struct {
		Paths map[string]struct {
			Address string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(body, &index); err != nil {
		return nil, fmt.Errorf("reading the list of OpenAPI documents: %w", err)
	}
	all := make([]Document, 0, len(index.Paths))
	for name, entry := range index.Paths {
		d := Document{Name: name, Path: (&url.URL{Path: "/openapi/v3/" + name}).EscapedPath()}
		if u, err := url.Parse(entry.Address); err == nil {
			if d.Hash = u.Query().Get("hash"); d.Hash != "" {
				d.Path += "?" + url.Values{"hash": {d.Hash}}.Encode()
			}
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b Document) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// ParseDefinition reads what a CustomResourceDefinition says about versions.
func ParseDefinition(body []byte) (*Definition, error) {
	var crd struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec struct {
			Conversion struct {
				Strategy string `json:"strategy"`
			} `json:"conversion"`
			Versions []Defined `json:"versions"`
		} `json:"spec"`
		Status struct {
			Stored []string `json:"storedVersions"`
		} `json:"status"`
	}
	if err := json.Unmarshal(body, &crd); err != nil {
		return nil, fmt.Errorf("reading the CustomResourceDefinition: %w", err)
	}
	return &Definition{Name: crd.Metadata.Name, Conversion: crd.Spec.Conversion.Strategy, Stored: crd.Status.Stored, Versions: crd.Spec.Versions}, nil
}
