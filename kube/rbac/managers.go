package rbac

import (
	"path"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
)

// Likely is a subject that a field manager could be.
type Likely struct {
	Subject Subject `json:"subject"` // a * in its name stands for any text
	Why     string  `json:"why"`
	Guess   bool    `json:"guess"` // only by the likeness of names
}

// known are the managers of Kubernetes' own components, and the subjects as which they write.
var known = lazy.Value[map[string][]Likely]{Make: func() map[string][]Likely {
	return map[string][]Likely{
		"kube-controller-manager": {
			{Subject: Subject{User, "", "system:kube-controller-manager"}, Why: "the controllers of the control plane, if they share one identity"},
			{Subject: Subject{ServiceAccount, "kube-system", "*-controller"}, Why: "each controller of the control plane, with --use-service-account-credentials"},
		},
		"cloud-controller-manager": {
			{Subject: Subject{User, "", "system:cloud-controller-manager"}, Why: "the controllers of the cloud provider"},
			{Subject: Subject{ServiceAccount, "kube-system", "cloud-controller-manager"}, Why: "the controllers of the cloud provider, if they run as a Pod"},
		},
		"kube-scheduler": {{Subject: Subject{User, "", "system:kube-scheduler"}, Why: "the scheduler"}},
		"kubelet":        {{Subject: Subject{Group, "", nodes}, Why: "the kubelet of a node. The Node authorizer decides what it may do, so RBAC often doesn’t show it"}},
		"kube-apiserver": {{Subject: Subject{Group, "", masters}, Why: "the API server itself, which needs no binding"}},
		"kube-proxy":     {{Subject: Subject{User, "", "system:kube-proxy"}, Why: "kube-proxy on each node"}, {Subject: Subject{ServiceAccount, "kube-system", "kube-proxy"}, Why: "kube-proxy, if it runs as a Pod"}},
	}
}}

// Candidates are the subjects that a manager could be: those that are known by the manager's name and, as a guess, the holders whose names are like the
// manager's. A client chooses its manager's name freely, so the name proves nothing.
func (a Answer) Candidates(manager string) []Likely {
	if all, is := known.Get()[manager]; is {
		return all
	}
	var all []Likely
	for _, g := range a.Grants {
		if s := g.Subject; s.Kind != Group && alike(s.Name, manager) && !slices.ContainsFunc(all, func(l Likely) bool { return l.Subject == s }) {
			all = append(all, Likely{s, "a name like the manager’s", true})
		}
	}
	return all
}

// leastAlike is how long a name must be so that it can be found within another one.
const leastAlike = 4

// alike tells whether one name is in the other, apart from case and separators.
func alike(subject, manager string) bool {
	letters := func(name string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("-_.:/@ ", r) {
				return -1
			}
			return r
		}, strings.ToLower(name))
	}
	s, m := letters(subject), letters(manager)
	return min(len(s), len(m)) >= leastAlike && (strings.Contains(s, m) || strings.Contains(m, s))
}

// Fits tells whether a subject is the one that a candidate means.
func (l Likely) Fits(s Subject) bool {
	if namespace, name, ok := s.Account(); ok {
		s = Subject{ServiceAccount, namespace, name}
	}
	if l.Subject == s {
		return true
	}
	matches, err := path.Match(l.Subject.Name, s.Name)
	return err == nil && matches && l.Subject.Kind == s.Kind && l.Subject.Namespace == s.Namespace
}
