package identity

import "testing"

func TestViewsHaveIdsOfTheirOwn(t *testing.T) {
	one := View{Cluster: "a", As: Impersonation{User: "ada"}}
	id := ViewID("browser-1", one, "x")
	if viewer, ok := ViewerOf(id); !ok || viewer != "browser-1" {
		t.Errorf("%q belongs to %q %v", id, viewer, ok)
	}
	if _, ok := ViewerOf("browser-1"); ok {
		t.Error("a session is taken for a view")
	}
	for name, other := range map[string]string{
		"another session": ViewID("browser-2", one, "x"),
		"another cluster": ViewID("browser-1", View{Cluster: "b", As: one.As}, "x"),
		"another user":    ViewID("browser-1", View{Cluster: "a", As: Impersonation{User: "ben"}}, "x"),
		"another group":   ViewID("browser-1", View{Cluster: "a", As: Impersonation{User: "ada", Groups: []string{"g"}}}, "x"),
		"another start":   ViewID("browser-1", one, "y"),
	} {
		if other == id {
			t.Errorf("%s has the same id", name)
		}
	}
}
