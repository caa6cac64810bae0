package inquiry

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/explain"
)

// A type that the catalog doesn't have is absent only if nothing prevented the catalog from being read. The sentence says what did.
func TestAbsentTypesAreToldFromTypesThatNobodyCouldRead(t *testing.T) {
	const refused = `no matches for kind "Rollout" in version "argoproj.io/v1alpha1"`
	of := func(how discovery.How, version string) []discovery.Failure {
		return []discovery.Failure{{Group: "argoproj.io", Version: version, How: how, Why: "the reason"}}
	}
	const mayExist, registered = "the reason. So the type may exist.", "kubectl get apiservice v1alpha1.argoproj.io\n"
	for name, c := range map[string]struct {
		failures         []discovery.Failure
		says, look       string
		installs, served bool
	}{
		"absent":                   {nil, "The cluster serves no type with this name in any group.", "", true, false},
		"slow":                     {of(discovery.Slow, "v1alpha1"), "The API server is too slow to list the types of argoproj.io/v1alpha1: " + mayExist, registered, false, false},
		"broken":                   {of(discovery.Broken, "v1alpha1"), "The API server failed to list the types of argoproj.io/v1alpha1: " + mayExist, registered, false, false},
		"forbidden":                {of(discovery.Forbidden, "v1alpha1"), "You have no permission to list the types of argoproj.io/v1alpha1: " + mayExist, registered, false, false},
		"all groups slow":          {[]discovery.Failure{{Group: "all named groups", Root: discovery.NamedRoot, How: discovery.Slow, Why: "the reason"}}, "The API server is too slow to list the types of all named groups: " + mayExist, "", false, false},
		"another group is broken":  {[]discovery.Failure{{Group: "metrics.k8s.io", Version: "v1beta1", How: discovery.Broken, Why: "x"}}, "serves no type with this name", "", true, false},
		"the core group is broken": {[]discovery.Failure{{Group: "core", Root: discovery.CoreRoot, How: discovery.Broken, Why: "x"}}, "serves no type with this name", "", true, false},
		"in another version":       {nil, "The cluster serves it in argoproj.io/v1beta1.", "", true, true},
		"partly absent":            {of(discovery.Broken, "v1alpha1"), "The API server failed to list the types of argoproj.io/v1alpha1: " + mayExist, registered, false, true},
		"another version broken":   {of(discovery.Broken, "v1"), "The cluster serves it in argoproj.io/v1beta1.", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			all := catalog()
			all.Failures = c.failures
			if c.served {
				all.Groups = append(all.Groups, discovery.Group{Name: "argoproj.io", Preferred: "v1beta1", Versions: []discovery.Version{{Name: "v1beta1", Types: []discovery.Type{
					{Group: "argoproj.io", Version: "v1beta1", Resource: "rollouts", Kind: "Rollout", Namespaced: true, Verbs: verbs},
				}}}})
			}
			e := explained(t, refused, &server{}, Options{Catalog: all}).Explanations[0]
			if notes := strings.Join(e.Notes, " "); !strings.Contains(notes, c.says) {
				t.Errorf("it says %q", notes)
			}
			ways := func(way string) (texts []string) {
				for _, w := range e.Ways {
					if w.Way == way {
						texts = append(texts, w.Text)
					}
				}
				return texts
			}
			if looks := ways(explain.WayLook); c.look != "" && !slices.Contains(looks, c.look) || c.look == "" && strings.Contains(strings.Join(looks, ""), "apiservice") {
				t.Errorf("ways to look: %q", looks)
			}
			if installs := ways(explain.WayInstall); (len(installs) > 0) != c.installs {
				t.Errorf("ways to install: %q", installs)
			}
		})
	}
}
