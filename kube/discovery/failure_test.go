package discovery

import "testing"

// Absent, slow, broken and partly absent are told apart.
func TestUnread(t *testing.T) {
	c := Catalog{
		Groups: []Group{{Name: "apps", Versions: []Version{{Name: "v1"}}}, {Name: "metrics.k8s.io", Versions: []Version{{Name: "v1", Stale: true}, {Name: "v2"}}}},
		Failures: []Failure{
			{Group: "metrics.k8s.io", Version: "v1", How: Broken, Why: Registered},
			{Group: "slow.example.com", Version: "v1", How: Slow, Why: "the API server does not respond in time"},
			{Group: "closed.example.com", Version: "v1", How: Forbidden, Why: "forbidden"},
		},
	}
	for gv, want := range map[[2]string]string{
		{"apps", "v1"}:               "",
		{"apps", "v9"}:               "",
		{"", "v1"}:                   "",
		{"nosuch.example.com", "v1"}: "",
		{"metrics.k8s.io", "v2"}:     "",
		{"metrics.k8s.io", "v1"}:     "The API server failed to list the types of metrics.k8s.io/v1: another server has this API, and the API server gets no response from it.",
		{"metrics.k8s.io", ""}:       "The API server failed to list the types of metrics.k8s.io/v1: another server has this API, and the API server gets no response from it.",
		{"slow.example.com", "v1"}:   "The API server is too slow to list the types of slow.example.com/v1: the API server does not respond in time.",
		{"closed.example.com", ""}:   "You have no permission to list the types of closed.example.com/v1: forbidden.",
	} {
		f, unread := c.Unread(gv[0], gv[1])
		if unread != (want != "") || unread && f.Words() != want {
			t.Errorf("%v: %v %s", gv, unread, f.Words())
		}
	}
}

// If one of the roots can't be read, nobody knows any group below it.
func TestUnreadRoots(t *testing.T) {
	c := Catalog{Failures: []Failure{{Group: "the named groups (/apis)", Root: NamedRoot, How: Slow, Why: "late"}}}
	if f, unread := c.Unread("apps", "v1"); !unread || f.Words() != "The API server is too slow to list the types of the named groups (/apis): late." || f.APIService() != "" {
		t.Errorf("%v", f)
	}
	if _, unread := c.Unread("", "v1"); unread {
		t.Error("the core group could be read")
	}
	c.Failures[0].Root = CoreRoot
	if _, unread := c.Unread("", "v1"); !unread {
		t.Error("the core group couldn't be read")
	}
}

func TestHowOf(t *testing.T) {
	for _, c := range []struct {
		code int
		late bool
		want How
	}{{504, false, Slow}, {0, true, Slow}, {0, false, Broken}, {503, false, Broken}, {500, false, Broken}, {403, false, Forbidden}, {401, false, Forbidden}} {
		if got := HowOf(c.code, c.late); got != c.want {
			t.Errorf("%d, %v: %s", c.code, c.late, got)
		}
	}
}

func TestAPIServiceOfAFailure(t *testing.T) {
	for want, f := range map[string]Failure{
		"v1.metrics.k8s.io": {Group: "metrics.k8s.io", Version: "v1"}, "": {Group: "apps", Version: "v1"},
	} {
		if f.APIService() != want {
			t.Errorf("%v: %s", f, f.APIService())
		}
	}
}
