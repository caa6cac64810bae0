package run

import (
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web/run/act"
)

// Bounds for reading several objects. Each of a few is read alone. More of one type are read as a list, chunk by chunk, because hundreds of requests for one
// page are a burst for the API server.
const (
	mostAlone   = 24
	chunk       = 500
	mostChunks  = 4        // of a larger list, the objects that haven't come by then are read alone
	maxChunk    = 32 << 20 // bytes
	maxTogether = 16 << 20 // bytes of all objects of a page
)

// readTargets reads several objects.
func (v making) readTargets(paths []string, targets []act.Target) {
	together := map[apipath.Path][]int{} // by the collection in all namespaces
	for i, path := range paths {
		if targets[i] = v.targetAt(path); targets[i].Problem == nil {
			c := apipath.CollectionOf(targets[i].Path).In("")
			together[c] = append(together[c], i)
		}
	}
	var alone []int
	for _, at := range together {
		if len(at) > mostAlone {
			at = v.readList(at, targets)
		}
		alone = append(alone, at...)
	}
	inParallel(len(alone), func(i int) { targets[alone[i]] = v.read(targets[alone[i]]) })
	bounded(targets)
}

// bounded leaves out objects that are too large for one page together.
func bounded(targets []act.Target) {
	left := maxTogether
	for i, t := range targets {
		if t.Problem != nil {
			continue
		}
		if data, err := json.Marshal(t.Object); err == nil {
			left -= len(data)
		}
		if left < 0 {
			targets[i].Object = object.Object{}
			targets[i].Problem = &components.Notice{
				Tone: components.Warn, Title: "Fieldmark left this object out", Words: "The chosen objects together have more than 16 MB. Choose fewer of them.",
			}
		}
	}
}

// readList reads targets of one type as a list, and returns those that weren't found.
func (v making) readList(at []int, targets []act.Target) (missing []int) {
	first := targets[at[0]]
	collection, wanted := apipath.CollectionOf(first.Path), map[apipath.Path]int{}
	for _, i := range at {
		wanted[targets[i].Path] = i
		if targets[i].Path.Namespace != collection.Namespace {
			collection = collection.In("")
		}
	}
	query := url.Values{"limit": {strconv.Itoa(chunk)}}
	for range mostChunks {
		items, next := v.readChunk(collection.String()+"?"+query.Encode(), first)
		for _, o := range items {
			p := apipath.Object(collection.Group, collection.Version, o.Meta("namespace"), collection.Resource, o.Meta("name"))
			if i, is := wanted[p]; is {
				targets[i].Object = o
				delete(wanted, p)
			}
		}
		if next == "" || len(wanted) == 0 {
			break
		}
		query.Set("continue", next)
	}
	for _, i := range at {
		if _, is := wanted[targets[i].Path]; is {
			missing = append(missing, i)
		}
	}
	return missing
}

// readChunk reads a chunk of a list, masked. If the response isn't a list of the type, it has no items, and each object is read alone. Items don't say
// their type, which decides what is masked.
func (v making) readChunk(target string, of act.Target) (items []object.Object, next string) {
	answer, err := v.Client().Do(v.Context(), api.Request{Path: target, MaxBytes: maxChunk})
	if err != nil {
		return nil, ""
	}
	list, err := object.Parse(answer.Body)
	if err != nil || list.Kind() != of.Type.Kind+"List" {
		return nil, ""
	}
	all, _ := list.Fields["items"].([]any)
	for _, item := range all {
		if fields, is := item.(map[string]any); is {
			fields["apiVersion"], fields["kind"] = list.APIVersion(), of.Type.Kind
			items = append(items, object.Object{Fields: fields}.Masked())
		}
	}
	return items, list.Meta("continue")
}
