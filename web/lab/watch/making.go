package watch

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The laboratory's own namespace, and the object in it that is written.
const (
	ownNamespace = "watch-laboratory"
	ownName      = "watched"
	ownScenario  = "watch-laboratory"
)

// The kinds of writes.
const (
	makeCreate = "create"
	makeChange = "change"
	makeDelete = "delete"
	makeChurn  = "churn"
	makeClean  = "clean"
)

// write is a request of the buttons with its response, and the streams that had an event of it.
type write struct {
	what    string
	x       call.Call
	uid     string
	version string // of the object after the write; empty: the write deleted it
	streams []int
	early   []event // events that arrived before the response
}

const (
	idWrite    = "write/"
	mostWrites = 10
)

// objectNamespace is the namespace of the object: the watched namespace, or else the laboratory's own.
func (m Model) objectNamespace() (namespace string, own bool) {
	at, _, problem := m.target()
	if problem == nil && at.Namespace != "" {
		return at.Namespace, false
	}
	return ownNamespace, true
}

// shows tells whether the stream has events of the written object.
func (m Model) shows() bool {
	at, _, problem := m.target()
	namespace, _ := m.objectNamespace()
	return problem == nil && at.Group == "" && at.Resource == "configmaps" && (at.Namespace == "" || at.Namespace == namespace)
}

// produce sends the requests of a button.
func (m Model) produce(what string) []page.Cmd {
	if m.Shell.ReadOnly || !m.practice() {
		return nil
	}
	l := m.live
	namespace, own := m.objectNamespace()
	configMaps := apipath.Collection("", "v1", namespace, "configmaps").String()
	one := configMaps + "/" + ownName
	l.wrote++
	var all []write
	add := func(what, method, path, mediaType, body string) {
		all = append(all, write{what: what, x: call.New(m.Shell.Cluster.Slug, method, path, mediaType, []byte(body))})
	}
	switch what {
	case makeCreate:
		if own {
			add("namespace", "POST", "/api/v1/namespaces", jsonType, fmt.Sprintf(`{"metadata":{"name":%q}}`, namespace))
		}
		add(what, "POST", configMaps, jsonType, fmt.Sprintf(`{"metadata":{"name":%q},"data":{"n":"0"}}`, ownName))
	case makeChange:
		add(what, "PATCH", one, mergeType, fmt.Sprintf(`{"data":{"n":"%d"}}`, l.wrote))
	case makeDelete:
		add(what, "DELETE", one, "", "")
	case makeChurn:
		add(what, "POST", scenario.Path().String(), jsonType, churn(namespace))
	case makeClean:
		add("stop", "DELETE", scenario.Named(ownScenario).String(), "", "")
		if own {
			add(what, "DELETE", "/api/v1/namespaces/"+namespace, "", "")
		}
	}
	l.queued = append(l.queued, all...)
	return m.sendNext()
}

const (
	jsonType  = "application/json"
	mergeType = "application/merge-patch+json"
)

// churn is a Scenario that writes for some time.
func churn(namespace string) string {
	spec := fmt.Sprintf(`{"actors":[{"name":"churn","churn":{"namespace":%q,"kind":"ConfigMap","objects":20,"perSecond":20,"seconds":30}}]}`, namespace)
	return string(scenario.New(ownScenario, spec))
}

// sendNext sends the next request after the response to the one before.
func (m Model) sendNext() []page.Cmd {
	l := m.live
	if len(l.queued) == 0 || len(l.writes) > 0 && l.writes[len(l.writes)-1].x.Under() {
		return nil
	}
	w := l.queued[0]
	l.queued = l.queued[1:]
	l.asked++
	w.x.ID = numbered(idWrite, l.asked)
	var call page.Cmd
	w.x, call = w.x.Begin()
	l.writes = append(l.writes, w)
	if len(l.writes) > mostWrites {
		l.writes = l.writes[1:]
	}
	return []page.Cmd{call}
}

// done takes the response to a write in.
func (m Model) done(msg page.Msg) ([]page.Cmd, bool) {
	l := m.live
	for i := range l.writes {
		w := &l.writes[i]
		x, heard := w.x.Hear(msg)
		if !heard {
			continue
		}
		w.x = x
		if x.Done() {
			w.answered()
			return append(m.sendNext(), page.Announce{Words: w.what + ": " + strconv.Itoa(x.Status)}), true
		}
		return nil, true
	}
	return nil, false
}

// answered reads the object and its version from a response, and looks for them in the early events.
func (w *write) answered() {
	var o struct {
		Metadata struct {
			UID             string `json:"uid"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Details struct {
			UID string `json:"uid"`
		} `json:"details"`
	}
	if !w.x.OK() || json.Unmarshal(w.x.Kept, &o) != nil {
		w.early = nil
		return
	}
	w.uid, w.version = o.Metadata.UID, o.Metadata.ResourceVersion
	if w.what == makeDelete {
		w.version = ""
		if o.Details.UID != "" {
			w.uid = o.Details.UID
		}
	}
	early := w.early
	w.early = nil
	for _, e := range early {
		w.matchEvent(e)
	}
}

// mostEarly bounds the events that are kept until a response arrives.
const mostEarly = 200

// matchEvent checks whether an event is from the write.
func (w *write) matchEvent(e event) {
	switch {
	case w.x.Under():
		if len(w.early) < mostEarly {
			e.line = nil
			w.early = append(w.early, e)
		}
	case w.uid == "" || e.head.UID != w.uid:
	case w.version == "" && e.typ == watch.Deleted, w.version != "" && e.head.Version == w.version && e.typ != watch.Deleted:
		w.streams = append(w.streams, e.stream)
	}
}

// follows tells whether the stream can have an event of a write.
func (w *write) follows() bool {
	return w.x.OK() && strings.Contains(w.x.Path, "/configmaps") && w.uid != ""
}
