package lesson

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// inquiry finds out whether somebody has changed the object that a failed check is about:
//
//	a check fails ──▶ known: the last response of the lesson with that object ──▶ GET the object now ──▶ what differs
type inquiry struct {
	of    block          // the request that the check is about; its step is none if the check reads the cluster's state
	known block          // the last request whose response had the object
	was   map[string]any // the object in that response
	x     call.Call      // reads the object as it is now
}

// inquire begins to find out why a check failed.
func (m Model) inquire(at block) []page.Cmd {
	if m.mayNotLook() {
		return nil
	}
	c := m.block(at).Check
	i := &inquiry{of: block{step: none}}
	target, _ := m.live.vars.Expand(c.Get)
	before := m.live.order + 1
	if c.Get == "" {
		of, ok := m.of(c.Of, at)
		a := m.live.sent[of]
		if !ok || !a.Known() || m.block(of).Request.As != "" {
			return nil
		}
		i.of, target, before = of, a.Call.Path, a.Order
		if a.Call.Method == request.Post {
			target = path(target) + "/" + nameIn(a)
		}
	}
	p, err := apipath.Parse(path(target))
	if err != nil || p.Kind < apipath.KindObject {
		return nil
	}
	p = apipath.ObjectOf(p)
	if i.known, i.was = m.lastKnown(p.String(), before); i.was == nil {
		return nil
	}
	x, call := m.call("look/"+at.String(), lesson.Request{Method: request.Get, Target: p.String()}).Begin()
	i.x = x
	m.live.looks[at] = i
	return []page.Cmd{call}
}

func path(target string) string {
	path, _, _ := strings.Cut(target, "?")
	return path
}

// nameIn is the name of the object in a response, or of the object that a refusal is about.
func nameIn(a *sent.Request) string {
	if no := a.Call.No(); no != nil {
		return no.Name
	}
	o, _ := a.Object()
	name, _ := meta(o.Fields)["name"].(string)
	return name
}

// lastKnown is the last stored state of an object in the responses of the lesson, before a place in their order. It is nil if there is none, or
// if the lesson has deleted the object since.
func (m Model) lastKnown(object string, before int) (block, map[string]any) {
	var at block
	var was map[string]any
	newest := 0
	for _, all := range []map[block]*sent.Request{m.live.sent, m.live.again} {
		for b, a := range all {
			if a.Order > newest && a.Order < before && storedBy(a) == object {
				at, was, newest = b, nil, a.Order
				if o, _ := a.Object(); a.Call.Method != request.Delete && uidOf(o.Fields) != "" && o.Fields["kind"] != "PartialObjectMetadata" {
					was = o.Fields
				}
			}
		}
	}
	return at, was
}

// storedBy is the path of the object whose stored state a response shows: it was created, changed, read or deleted. It is empty if the response
// shows none.
func storedBy(a *sent.Request) string {
	if !a.Known() || !a.Call.OK() || a.Watch || dry(a.Call) {
		return ""
	}
	p, err := apipath.Parse(path(a.Call.Path))
	switch {
	case err != nil || p.Kind == apipath.KindSubresource && p.Subresource != "status":
		return ""
	case p.Kind == apipath.KindCollection && a.Call.Method == request.Post:
		return p.String() + "/" + nameIn(a)
	}
	return apipath.ObjectOf(p).String()
}

func meta(o map[string]any) map[string]any {
	meta, _ := o["metadata"].(map[string]any)
	return meta
}

func uidOf(o map[string]any) string {
	uid, _ := meta(o)["uid"].(string)
	return uid
}

// heardInquiry takes the current state of the object in; false: the message is about something else.
func (m Model) heardInquiry(msg page.Msg) bool {
	for _, i := range m.live.looks {
		if x, mine := i.x.Hear(msg); mine {
			i.x = x
			return true
		}
	}
	return false
}

// changed says what has happened to the object that a failed check is about. It has no words if the page knows no change.
func (m Model) changed(at block) reason {
	i := m.live.looks[at]
	if i == nil || !i.x.Done() || i.x.Status == 0 {
		return reason{}
	}
	kind, _ := i.was["kind"].(string)
	name, _ := meta(i.was)["name"].(string)
	object, since := "The "+kind+" "+name, "step "+strconv.Itoa(i.known.step+1)
	now, isObject := (&sent.Request{Call: i.x}).Object()
	switch {
	case i.x.Status == status.CodeNotFound:
		return m.deleted(i, at, object+" was deleted after "+since+". ")
	case !i.x.OK() || !isObject:
		return reason{}
	case uidOf(now.Fields) != uidOf(i.was):
		return plainly(object + " was deleted after " + since + ", and created again.")
	}
	if a := m.live.sent[i.of]; a.Known() && a.Call.OK() && a.Call.Method != request.Get && !dry(a.Call) {
		return m.changedBy(i, object, since, a) // the request itself has changed the object
	}
	paths := apart(i.was, now.Fields)
	if len(paths) == 0 {
		return reason{}
	}
	return plainly(object + " has changed since " + since + ", in " + strings.Join(paths[:min(len(paths), mostNamed)], ", ") + ".")
}

// deleted advises the step that created a deleted object, if this step can create it again.
func (m Model) deleted(i *inquiry, at block, words string) reason {
	a := m.live.sent[i.known]
	if a == nil || a.Call.Status != status.CodeCreated || m.late(i.known.step, at) != "" {
		return plainly(strings.TrimSpace(words))
	}
	return about(i.known.step, words+"Send step "+strconv.Itoa(i.known.step+1)+" again.")
}

// changedBy says who else has written an object. It compares the managers with those of the known state.
func (m Model) changedBy(i *inquiry, object, since string, a *sent.Request) reason {
	now, _ := (&sent.Request{Call: i.x}).Object()
	own := request.New(a.Call.Method, a.Call.Path).Query.Get("fieldManager")
	var others []string
	for _, e := range ownership.Parse(now.Fields).Entries {
		known := slices.ContainsFunc(ownership.Parse(i.was).Entries, func(o ownership.Entry) bool { return o.Name == e.Name && o.Operation == e.Operation })
		if !known && e.Subresource == "" && e.Name != own && own != "" {
			others = append(others, e.Name)
		}
	}
	if len(others) == 0 {
		return reason{}
	}
	slices.Sort(others)
	return plainly(object + " has changed since " + since + ": " + strings.Join(slices.Compact(others), ", ") + " wrote to it.")
}

// mostNamed bounds the changed fields that a reason names.
const mostNamed = 3

// unstated are fields that can change although nobody writes to the fields of the lesson.
var unstated = []string{".status", ".metadata.managedFields", ".metadata.resourceVersion", ".metadata.generation"}

// apart are the paths of the fields in which two states of an object differ, in alphabetical order. They have no values, because values may be
// secret.
func apart(was, is map[string]any) []string {
	var all []string
	differ("", was, is, &all)
	slices.Sort(all)
	return all
}

func differ(at string, was, is any, all *[]string) {
	if slices.Contains(unstated, at) || strings.HasPrefix(at, ".metadata.annotations.") && strings.Contains(at, "kubernetes.io/") {
		return
	}
	if at == ".metadata.finalizers" && was == nil { // a controller added its finalizer, as that of Scenarios does
		return
	}
	a, isMap := was.(map[string]any)
	b, both := is.(map[string]any)
	switch {
	case isMap && both, isMap && is == nil && at == ".metadata.annotations", both && was == nil && at == ".metadata.annotations":
		for _, name := range slices.Sorted(maps.Keys(merged(a, b))) {
			differ(at+"."+name, a[name], b[name], all)
		}
	case !reflect.DeepEqual(was, is):
		*all = append(*all, cmp.Or(at, "."))
	}
}

func merged(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return all
}
