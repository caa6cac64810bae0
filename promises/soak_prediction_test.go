package promises

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

func keys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// finding is a finding of check.
type finding struct {
	Finding, Path, Why string
	Owners             []struct{ Manager string }
}

func (f finding) String() string { return f.Finding + " " + f.Path }

var withIt = regexp.MustCompile(`, and with it (.+)\.$`)

// tells whether the finding says that a field changes. What nobody owned goes along with a removed field.
func (f finding) tells(at string) bool {
	if around := withIt.FindStringSubmatch(f.Why); f.Finding == "pruned" && around != nil && related(around[1], at) {
		return true
	}
	return related(f.Path, at)
}

type checked struct{ Findings []finding }

// predict asks check about a move, makes the move, and compares. The error says what check got wrong.
func (o object) predict(ctx context.Context, s move) error {
	args := []string{"-f", "-", "--manager", s.Manager}
	if s.How == "force" {
		args = append(args, "--force-conflicts")
	}
	var said checked
	if err := o.says(ctx, &said, o.manifest(s), "check", args...); err != nil {
		return err
	}
	before, err := o.get(ctx, s.Version)
	if err != nil {
		return err
	}
	no, err := o.send(ctx, s)
	if err != nil {
		return err
	}
	if no != nil {
		return said.refused(no)
	}
	after, err := o.get(ctx, s.Version)
	if err != nil {
		return err
	}
	return o.compare(said, before, after)
}

var quoted = regexp.MustCompile(`conflict with "([^"]+)"`)

// refused compares the findings with a refusal.
func (c checked) refused(no *metav1.Status) error {
	want, got := map[string][]string{}, map[string][]string{}
	if no.Details != nil {
		for _, cause := range no.Details.Causes {
			if cause.Type == metav1.CauseTypeFieldManagerConflict {
				want[cause.Field] = append(want[cause.Field], quoted.FindStringSubmatch(cause.Message)[1])
			}
		}
	}
	if len(want) == 0 {
		if c.of("invalid") == nil {
			return fmt.Errorf("the server refuses the apply (%s), and check says only %v", no.Message, c.Findings)
		}
		return nil
	}
	for _, f := range c.of("conflict") {
		for _, one := range f.Owners {
			got[f.Path] = append(got[f.Path], one.Manager)
		}
	}
	for _, names := range []map[string][]string{want, got} {
		for at := range names {
			slices.Sort(names[at])
			names[at] = slices.Compact(names[at])
		}
	}
	if !maps.EqualFunc(want, got, slices.Equal) {
		return fmt.Errorf("check predicts conflicts %v. The server says %v", got, want)
	}
	return nil
}

func (c checked) of(kinds ...string) []finding {
	var all []finding
	for _, f := range c.Findings {
		if slices.Contains(kinds, f.Finding) {
			all = append(all, f)
		}
	}
	return all
}

// compare compares the findings with what an apply did.
func (o object) compare(c checked, before, after *unstructured.Unstructured) error {
	if wrong := c.of("conflict", "unknown", "unserved"); wrong != nil {
		return fmt.Errorf("the apply passes, and check says %v", wrong)
	}
	if before == nil {
		if c.of("created") == nil {
			return fmt.Errorf("the apply creates the object, and check says only %v", c.Findings)
		}
		return nil
	}
	was, is, moved, err := o.changes(before, after)
	if err != nil {
		return err
	}
	for _, at := range moved {
		if !slices.ContainsFunc(c.of("changed", "taken", "pruned", "server", "invalid"), func(f finding) bool { return f.tells(at) }) {
			return fmt.Errorf("the apply changes %s, and no finding says so: %v", at, c.Findings)
		}
	}
	for _, f := range c.of("changed", "taken", "pruned") {
		if strings.HasPrefix(f.Path, ".spec") && !slices.ContainsFunc(moved, func(at string) bool { return related(f.Path, at) }) {
			return fmt.Errorf("check says %v, and the apply changes nothing there, only %v", f, moved)
		}
	}
	for _, f := range c.of("pruned") {
		if slices.Contains(is, f.Path) && !slices.Contains(moved, f.Path) { // a default may take its place
			return fmt.Errorf("check says %v, and the apply leaves it", f)
		}
	}
	for _, f := range c.of("released", "stuck") {
		if slices.Contains(was, f.Path) && !slices.Contains(is, f.Path) {
			return fmt.Errorf("check says %v, and the apply removes it", f)
		}
	}
	return nil
}

// changes are the paths before and after, and those whose values differ.
func (o object) changes(before, after *unstructured.Unstructured) (was, is, moved []string, err error) {
	old, err := o.typed(before)
	if err != nil {
		return nil, nil, nil, err
	}
	now, err := o.typed(after)
	if err != nil {
		return nil, nil, nil, err
	}
	compared, err := old.Compare(now)
	if err != nil {
		return nil, nil, nil, err
	}
	all, err := old.ToFieldSet()
	if err != nil {
		return nil, nil, nil, err
	}
	rest, err := now.ToFieldSet()
	if err != nil {
		return nil, nil, nil, err
	}
	return paths(all), paths(rest), slices.Concat(paths(compared.Added), paths(compared.Modified), paths(compared.Removed)), nil
}

func paths(s *fieldpath.Set) []string {
	var all []string
	s.Iterate(func(at fieldpath.Path) {
		if strings.HasPrefix(at.String(), ".spec") {
			all = append(all, at.String())
		}
	})
	return all
}

// related tells whether two paths are the same, or one is inside the other.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, in := strings.CutPrefix(b, a)
	return in && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
