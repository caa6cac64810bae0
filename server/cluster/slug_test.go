package cluster

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"kind-kind":                             "kind-kind",
		"minikube":                              "minikube",
		"gke_project_zone_name":                 "gke_project_zone_name",
		"a.b-c_D9":                              "a.b-c_D9",
		strings.Repeat("x", maxSlug):            strings.Repeat("x", maxSlug),
		"arn:aws:eks:eu-west-1:42:cluster/shop": `^arn-aws-eks-eu-west-1-42-cluster-shop-[0-9a-f]{8}$`,
		"admin@prod":                            `^admin-prod-[0-9a-f]{8}$`,
		"-":                                     `^context-[0-9a-f]{8}$`,
		".":                                     `^context-[0-9a-f]{8}$`,
		"..":                                    `^context-[0-9a-f]{8}$`,
		"../etc":                                `^etc-[0-9a-f]{8}$`,
		"ключ":                                  `^context-[0-9a-f]{8}$`,
		"a b\n<script>":                         `^a-b-script-[0-9a-f]{8}$`,
		"":                                      `^context-[0-9a-f]{8}$`,
		strings.Repeat("y", 300):                `^y{60}-[0-9a-f]{8}$`,
	} {
		got := Slug(name)
		if got != want && !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%q gave %q", name, got)
		}
		if got != Slug(name) || !fits(got) && len(got) <= maxSlug {
			t.Errorf("%q is no plain, stable slug", got)
		}
	}
}

func TestSlugsAreUnique(t *testing.T) {
	taken := map[string]bool{}
	all := []string{"a/b", "a:b", "a-b", Slug("a/b"), "a b"}
	for _, name := range all {
		slug := unique(name, func(s string) bool { return taken[s] })
		if taken[slug] {
			t.Errorf("%q twice", slug)
		}
		taken[slug] = true
	}
	if got := unique("x", func(string) bool { return true }); len(got) != len("x-")+64 {
		t.Errorf("%q", got)
	}
}

func TestPracticeOwnsItsNames(t *testing.T) {
	r, err := Load(Options{Kubeconfig: writeText(t, contextsOnly("practice", "zoo"))})
	must(t, err)
	digested := digested("practice", 8)
	slugs := func(want ...string) {
		t.Helper()
		var got []string
		for _, c := range r.List() {
			got = append(got, c.Slug())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	slugs("practice", "zoo")
	own, _ := r.Get(Practice)
	if also, ok := r.Get(digested); !ok || also != own {
		t.Error("links from when a practice cluster ran lead nowhere")
	}
	if _, err := own.Target(); err != nil {
		t.Error(err)
	}
	login := r.Login(Practice)

	r.Put(r.Waiting(Practice, FromPractice, func() State { return State{Phase: Starting, Text: "soon", Advice: "wait"} }))
	r.Put(r.Waiting(PracticeViewer, FromPractice, func() State { return State{} }))
	slugs("practice", "practice-viewer", digested, "zoo")
	if moved, _ := r.Get(digested); moved == own || moved.Origin() != FromKubeconfig || moved.Info() != own.Info() {
		t.Error("one's own context is not what it was")
	}
	select {
	case <-login.Over:
	default:
		t.Error("what was asked for at the address goes on, with what is another cluster now")
	}
	if now := r.Login(Practice); now.Over == login.Over || !now.Later {
		t.Errorf("%+v", now)
	}
	c, _ := r.Get(Practice)
	if s := c.State(t.Context(), nil); c.Origin() != FromPractice || s.Phase != Starting || s.CheckedAt.IsZero() {
		t.Errorf("%+v", s)
	}
	if _, err := c.Target(); err == nil || err.Error() != "soon" {
		t.Errorf("got %v", err)
	}
	must(t, r.AddFile(writeText(t, contextsOnly("practice", "practice-viewer")), FromPractice))
	if now, _ := r.Get(Practice); now == c || now.Info().Server == "" || len(r.List()) != 4 {
		t.Errorf("%q", names(r))
	}
	r.Remove(Practice)
	r.Remove("nobody")
	slugs("practice-viewer", digested, "zoo")
}
