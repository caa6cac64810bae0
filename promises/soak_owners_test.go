package promises

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// typed is an object's spec with its type. The metadata is not part of it, because the server writes most of it.
func (c *ground) typed(o *unstructured.Unstructured) (*typed.TypedValue, error) {
	spec := map[string]any{"apiVersion": o.GetAPIVersion(), "kind": o.GetKind()}
	if o.Object["spec"] != nil {
		spec["spec"] = o.Object["spec"]
	}
	return c.types.ObjectToTyped(&unstructured.Unstructured{Object: spec})
}

// entry is an entry of managedFields.
type entry struct {
	metav1.ManagedFieldsEntry
	set *fieldpath.Set
}

func entriesOf(o *unstructured.Unstructured) ([]entry, error) {
	var all []entry
	for _, one := range o.GetManagedFields() {
		set := &fieldpath.Set{}
		if err := set.FromJSON(one.FieldsV1.GetRawReader()); err != nil {
			return nil, err
		}
		all = append(all, entry{one, set})
	}
	return all, nil
}

// owners are those whose entries have a path.
func owners(all []entry, at fieldpath.Path) string {
	var names []string
	for _, one := range all {
		if one.set.Has(at) {
			names = append(names, written(one.Manager, string(one.Operation), one.APIVersion))
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func written(manager, operation, version string) string {
	return manager + " (" + operation + ", " + version + ")"
}

// blamed is what blame prints as JSON.
type blamed struct {
	Lines []struct {
		Text, Path string
		Owners     []struct{ Manager, Operation, APIVersion string }
	}
}

// blames compares blame with managedFields. The error says at which path they differ.
func (o object) blames(ctx context.Context, version string) error {
	live, err := o.get(ctx, version)
	if live == nil || err != nil {
		return err
	}
	var got blamed
	if err := o.says(ctx, &got, nil, "blame", "randoms."+version+"."+o.group, o.name); err != nil {
		return err
	}
	value, err := o.ground.typed(live)
	if err != nil {
		return fmt.Errorf("the second opinion can't read the object: %w", err)
	}
	set, err := value.ToFieldSet()
	if err != nil {
		return err
	}
	entries, err := entriesOf(live)
	if err != nil {
		return err
	}
	want := map[string]string{}
	set.Iterate(func(at fieldpath.Path) {
		if at[len(at)-1].Key == nil { // the line of such an item is that of its first field
			want[at.String()] = owners(entries, at)
		}
	})
	said := map[string]string{}
	for _, line := range got.Lines {
		said[line.Path] = ownersIn(line.Owners)
	}
	for _, at := range slices.Sorted(keys(want)) {
		if !strings.HasPrefix(at, ".spec.") {
			continue
		}
		if now, ok := said[at]; !ok {
			return fmt.Errorf("blame in %s has no line for %s", version, at)
		} else if now != want[at] {
			return fmt.Errorf("blame in %s says that %s belongs to %q. The entries say %q", version, at, now, want[at])
		}
	}
	return nil
}

func ownersIn(all []struct{ Manager, Operation, APIVersion string }) string {
	var names []string
	for _, one := range all {
		names = append(names, written(one.Manager, one.Operation, one.APIVersion))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
