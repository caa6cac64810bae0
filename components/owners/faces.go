package owners

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Faces say how the managers of one view look. A manager has the same hue in every view, because the hue follows from its name. If two
// managers of a view have the same hue, the second one has a mark, too. Initials differ between the names of a view.
type Faces struct {
	initials map[string]string
	marks    map[ownership.Manager]int
}

// FacesOf are the faces of the managers of a view, in any order. Marks follow the order of columns.
func FacesOf(managers []ownership.Manager) Faces {
	all := make([]ownership.Manager, 0, len(managers))
	for _, m := range managers {
		all = append(all, m.Identity())
	}
	slices.SortFunc(all, byColumn)
	all = slices.Compact(all)
	f := Faces{initials: map[string]string{}, marks: map[ownership.Manager]int{}}
	taken, used := map[string]bool{}, [components.Hues + 1]int{}
	for _, m := range all {
		hue := hueOf(m.Name)
		f.marks[m] = min(used[hue], components.Marks)
		used[hue]++
	}
	slices.SortFunc(all, func(a, b ownership.Manager) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range all {
		if _, known := f.initials[m.Name]; !known {
			f.initials[m.Name] = initials(m.Name, taken)
		}
	}
	return f
}

// Of is a manager with its face. A manager that isn't of the view has the face that it has alone.
func (f Faces) Of(m ownership.Manager) components.Manager {
	shown := components.Manager{Name: m.Name, Operation: m.Operation, Subresource: m.Subresource, APIVersion: m.APIVersion, History: m.History()}
	shown.Hue, shown.Mark, shown.Initials = hueOf(m.Name), f.marks[m.Identity()], f.initials[m.Name]
	if shown.Initials == "" {
		shown.Initials = components.Initials(m.Name)
	}
	return shown
}

// byColumn orders managers as their columns do, which doesn't change when one of them writes: managers that apply come first, history
// comes last.
func byColumn(a, b ownership.Manager) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name, b.Name),
		strings.Compare(a.Operation, b.Operation), strings.Compare(a.Subresource, b.Subresource), strings.Compare(a.APIVersion, b.APIVersion),
	)
}

func rank(m ownership.Manager) int {
	switch {
	case m.History():
		return 2
	case m.Operation == ownership.Apply:
		return 0
	default:
		return 1
	}
}

// known are hues by the names of managers that often own fields of the same object, chosen so that they differ there. The people of the
// field guide have the hues of its drawings. The release-bot writes objects of the practice cluster.
var known = lazy.Value[map[string]int]{Make: func() map[string]int {
	return map[string]int{
		"ada": 1, "ben": 2, "caro": 3, "release-bot": 1,

		"kube-controller-manager": 3, "kubelet": 4, "kube-scheduler": 5, "kube-apiserver": 8, "cloud-controller-manager": 6,

		"kubectl": 1, "kubectl-client-side-apply": 6, "kubectl-create": 2, "kubectl-edit": 7, "kubectl-scale": 5, "kubectl-patch": 8,
		"kubectl-set": 4, "kubectl-rollout": 5, "kubectl-label": 7, "kubectl-annotate": 7, "kubectl-autoscale": 5, "kubectl-replace": 2, "kubectl-run": 2,

		"helm": 2, "helm-controller": 2, "argocd-controller": 4, "kustomize-controller": 7, "fieldmark": 8,
		"before-first-apply": 5, "ancient-changes": 8, "vpa-admission-controller": 5, "vpa-recommender": 4, "cluster-autoscaler": 5,
	}
}}

// hueOf is a manager's hue, which follows from its name alone.
func hueOf(name string) int {
	if hue := known.Get()[name]; hue > 0 {
		return hue
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32()%components.Hues) + 1
}

// initials are two characters of a name that no other name of the view has, and takes them. If all are taken, a number follows the first.
func initials(name string, taken map[string]bool) string {
	first := components.Initials(name)
	candidates := []string{first}
	words := components.Words(name)
	if len(words) > 0 {
		head := strings.ToUpper(words[0][:1])
		for _, w := range slices.Backward(words[1:]) {
			candidates = append(candidates, head+strings.ToUpper(w[:1]))
		}
		for _, letter := range strings.Join(words, "")[1:] {
			candidates = append(candidates, head+string(letter))
		}
		first = head
	}
	for i := 2; ; i++ {
		for _, c := range candidates {
			if !taken[c] {
				taken[c] = true
				return c
			}
		}
		candidates = []string{first + strconv.Itoa(i)}
	}
}
