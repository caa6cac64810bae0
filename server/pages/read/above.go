package read

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/owned"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
)

const (
	aboveLevels = 5 // generations of owners
	aboveAtOnce = 8 // owners of an object whose state is requested
)

// above are the owners of an object, the first generation first. Only the managing owner, or the only one, is followed upward. It is the
// last of its generation.
func (v making) above(ctx context.Context, o object.Object, catalog discovery.Catalog) []dependents.Ref {
	namespace, owners := o.Meta("namespace"), o.OwnerReferences()
	seen := map[string]bool{o.Meta("uid"): true}
	var generations [][]dependents.Ref
	for len(owners) > 0 && len(generations) < aboveLevels {
		slices.SortStableFunc(owners, func(a, b object.OwnerReference) int { return manages(a) - manages(b) })
		refs, next := v.generation(ctx, owners, namespace, catalog)
		generations = append(generations, refs)
		last := owners[len(owners)-1]
		if seen[last.UID] || len(owners) > 1 && !last.Controller {
			break
		}
		seen[last.UID], owners = true, next
	}
	var all []dependents.Ref
	for i, refs := range slices.Backward(generations) {
		for _, r := range refs {
			r.Depth = len(generations) - 1 - i
			all = append(all, r)
		}
	}
	return all
}

func manages(o object.OwnerReference) int {
	if o.Controller {
		return 1
	}
	return 0
}

// generation are the owners of an object, and the owners of the last of them.
func (v making) generation(ctx context.Context, owners []object.OwnerReference, namespace string, catalog discovery.Catalog) (refs []dependents.Ref, above []object.OwnerReference) {
	refs = make([]dependents.Ref, len(owners))
	var wg rescue.Group
	for i, o := range owners {
		refs[i] = dependents.Ref{Kind: o.Kind, APIVersion: o.APIVersion, Name: o.Name, Controller: o.Controller, Blocks: o.Blocks}
		group, version := discovery.SplitGroupVersion(o.APIVersion)
		t, ok := catalog.Kind(group, version, o.Kind)
		if !ok || apipath.Unfit(o.Name) != "" {
			continue
		}
		if t.Namespaced {
			refs[i].Namespace = namespace
		}
		path := apipath.Object(t.Group, t.Version, refs[i].Namespace, t.Resource, o.Name)
		refs[i].Href = web.Page(v.Cluster().Slug(), path.String())
		if i < len(owners)-aboveAtOnce {
			continue
		}
		wg.Go(func() {
			found := v.owner(ctx, &refs[i], path, o.UID)
			if i == len(owners)-1 {
				above = found
			}
		})
	}
	wg.Wait()
	return refs, above
}

// owner requests an owner's row of the server's Table. It adds the state to the Ref, and returns the owner's own owners. An owner that can't be
// read is shown without its state.
func (v making) owner(ctx context.Context, ref *dependents.Ref, path apipath.Path, uid string) []object.OwnerReference {
	answer, err := v.Client().Do(ctx, api.Request{Path: path.String(), Accept: visit.AsTable, MaxBytes: visit.MaxObject})
	if api.Code(err) == http.StatusNotFound {
		ref.Missing = "doesn’t exist any more"
	}
	var list struct {
		Columns []table.Column `json:"columnDefinitions"`
		Rows    []struct {
			Cells  []table.Cell `json:"cells"`
			Object struct {
				Metadata owned.Meta `json:"metadata"`
			} `json:"object"`
		} `json:"rows"`
	}
	if err != nil || json.Unmarshal(answer.Body, &list) != nil || len(list.Rows) != 1 {
		return nil
	}
	meta := list.Rows[0].Object.Metadata
	if meta.UID != uid {
		ref.Missing = "doesn’t exist any more: another object has its name"
		return nil
	}
	ref.State, ref.Created = dependents.StateOf(list.Columns, list.Rows[0].Cells), meta.CreationTimestamp
	var owners []object.OwnerReference
	for _, o := range meta.OwnerReferences {
		owners = append(owners, object.OwnerReference{APIVersion: o.APIVersion, Kind: o.Kind, Name: o.Name, UID: o.UID, Controller: o.Controller, Blocks: o.Blocks})
	}
	return owners
}
