package watch

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// proof finds out whether the stream has missed changes. It compares the versions from the events with those of a list. The stream may be behind
// the list or ahead of it, so missing changes have a few seconds to arrive.
type proof struct {
	x       call.Call
	count   int
	objects int
	version string            // of the list
	owed    map[string]string // the missing version of an object, by uid; empty: its deletion is missing
	names   map[string]string // of these objects, by uid
	left    int               // seconds to wait for them
	verdict string            // the result; empty: there is none yet
	missed  []string
}

// patience is how long missing changes may take to arrive, in seconds.
const patience = 3

// mostMissed bounds the shown names of missed objects.
const mostMissed = 20

const idProof = "proof/"

// prove requests the list.
func (m Model) prove() []page.Cmd {
	l := m.live
	at, selectors, problem := m.target()
	if problem != nil || l.proof.x.Under() {
		return nil
	}
	p := proof{count: l.proof.count + 1}
	p.x = call.Call{
		ID: numbered(idProof, p.count), Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: listPath(at, selectors, nil),
		Header: []request.Header{{Name: "Accept", Value: Metadata.accept(true)}},
	}
	var call page.Cmd
	p.x, call = p.x.Begin()
	l.proof = p
	return []page.Cmd{call}
}

// proved takes the list in.
func (m Model) proved(msg page.Msg) ([]page.Cmd, bool) {
	p := &m.live.proof
	x, heard := p.x.Hear(msg)
	if !heard {
		return nil, false
	}
	p.x = x
	if !x.Done() || x.State != call.Whole || !x.OK() {
		return nil, true
	}
	var list metadataList
	if err := json.Unmarshal(x.Kept, &list); err != nil {
		p.verdict = "the list can’t be read"
		return nil, true
	}
	p.x.Kept = nil
	p.compare(list, m.live.record)
	return p.decideVerdict(), true
}

// compare notes the changes that are in the list, and not in the stream.
func (p *proof) compare(list metadataList, r *record) {
	p.objects, p.version = len(list.Items), list.Metadata.ResourceVersion
	p.owed, p.names, p.left = map[string]string{}, map[string]string{}, patience
	listed := map[string]bool{}
	for _, o := range list.Items {
		listed[o.Metadata.UID] = true
		if r.versions[o.Metadata.UID] != o.Metadata.ResourceVersion && !r.ahead(o.Metadata.UID, o.Metadata.ResourceVersion) {
			p.owed[o.Metadata.UID], p.names[o.Metadata.UID] = o.Metadata.ResourceVersion, o.Metadata.Name
		}
	}
	for uid := range r.versions {
		if !listed[uid] && !r.cameAfter(uid, list.Metadata.ResourceVersion) {
			p.owed[uid], p.names[uid] = "", uid
		}
	}
}

// ahead tells whether the stream has had this version of an object, and after it a newer one or its deletion.
func (r *record) ahead(uid, version string) bool {
	return slices.ContainsFunc(r.newest, func(e event) bool { return e.head.UID == uid && e.head.Version == version && e.typ != watch.Deleted })
}

// cameAfter tells whether an object was created after a list: the stream had the list's version first, and then the object.
func (r *record) cameAfter(uid, version string) bool {
	passed := false
	for _, e := range r.newest {
		if passed && e.head.UID == uid && e.typ == watch.Added {
			return true
		}
		passed = passed || e.head.Version == version
	}
	return false
}

// handleEvent takes an event in, which may be a missing one.
func (p *proof) handleEvent(e event) {
	version, owed := p.owed[e.head.UID]
	if owed && (version == e.head.Version || version == "" && e.typ == watch.Deleted) {
		delete(p.owed, e.head.UID)
	}
}

// decideVerdict gives the verdict when no change is missing any more, or the time is over.
func (p *proof) decideVerdict() []page.Cmd {
	if p.owed == nil || p.verdict != "" || len(p.owed) > 0 && p.left > 0 {
		return nil
	}
	if len(p.owed) == 0 {
		p.verdict = "Nothing was missed"
	} else {
		p.verdict = fmt.Sprintf("Missed: %s", words.Count(int64(len(p.owed)), "change", "changes"))
		for uid := range p.owed {
			p.missed = append(p.missed, p.names[uid])
		}
		slices.Sort(p.missed)
		p.missed = p.missed[:min(len(p.missed), mostMissed)]
	}
	return []page.Cmd{page.Announce{Words: p.verdict}}
}

func (p *proof) tick() []page.Cmd {
	if p.owed == nil || p.verdict != "" {
		return nil
	}
	p.left--
	return p.decideVerdict()
}

// unprovable says why the page can't compare; empty: it can.
func (m Model) unprovable() string {
	l := m.live
	switch {
	case l == nil || l.record.seq == 0 && !l.rooted:
		return "There is nothing to compare yet."
	case !l.rooted:
		return "The first stream of this page began after a version, so the page doesn’t know the state before it. Begin with initial events or with a list."
	case l.record.overfull:
		return fmt.Sprintf("This page keeps the versions of at most %s objects, and there are more.", words.Thousands(mostObjects))
	}
	return ""
}

const idProbe = "probe/"

// listAt requests a list at exactly one version, to compare the response with that of a watch from this version.
func (m Model) listAt(version string) []page.Cmd {
	l := m.live
	at, selectors, problem := m.target()
	if problem != nil || version == "" {
		return nil
	}
	query := url.Values{"resourceVersion": {version}, "resourceVersionMatch": {"Exact"}, "limit": {"1"}}
	if version == m.version(fromFuture) {
		query.Set("resourceVersionMatch", "NotOlderThan")
	}
	if version == "0" {
		query = url.Values{"resourceVersion": {"0"}, "limit": {"1"}}
	}
	l.asked++
	l.probe = call.Call{
		ID: numbered(idProbe, l.asked), Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: listPath(at, selectors, query),
		Header: []request.Header{{Name: "Accept", Value: Metadata.accept(true)}},
	}
	var call page.Cmd
	l.probe, call = l.probe.Begin()
	return []page.Cmd{call}
}

func (m Model) probed(msg page.Msg) ([]page.Cmd, bool) {
	x, heard := m.live.probe.Hear(msg)
	m.live.probe = x
	if heard && x.Done() {
		return []page.Cmd{page.Announce{Words: "The list has arrived"}}, true
	}
	return nil, heard
}

// seen says in which streams an event with the version of a write arrived.
func seen(streams []int) string {
	switch len(streams) {
	case 0:
		return "not seen yet"
	case 1:
		return fmt.Sprintf("seen once, in stream %d", streams[0])
	}
	var all []string
	for _, n := range streams {
		all = append(all, numbered("", n))
	}
	return fmt.Sprintf("seen %d times, in streams %s", len(streams), strings.Join(all, ", "))
}
