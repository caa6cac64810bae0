package program

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestReadOnly_WhoMayWriteInTheSharedMode: ada is in the group team-of-ada, and ben isn't. Each of them comes with kubectl, with a browser, with a page and
// with a page's socket.
func TestReadOnly_WhoMayWriteInTheSharedMode(t *testing.T) {
	const (
		everybody = iota
		onlyAda
		nobody
	)
	const groups, workloads = "(--write-groups)", "(--workload-groups)"
	for name, c := range map[string]struct {
		args              []string
		writes, workloads int // who may
		why, whyWorkload  string
	}{
		"no limits":                  {nil, everybody, everybody, "", ""},
		"writing by group":           {[]string{"--write-groups", "team-of-ada"}, onlyAda, onlyAda, groups, groups},
		"workloads by group":         {[]string{"--workload-groups", "team-of-ada"}, everybody, onlyAda, "", workloads},
		"two groups":                 {[]string{"--write-groups", "devs", "--workload-groups", "none,team-of-ada"}, everybody, onlyAda, "", workloads},
		"nobody's group":             {[]string{"--write-groups", "none"}, nobody, nobody, groups, groups},
		"read-only":                  {[]string{"--read-only"}, nobody, nobody, "--read-only", "--read-only"},
		"read-only counts for all":   {[]string{"--read-only", "--write-groups", "devs", "--workload-groups", "devs"}, nobody, nobody, "--read-only", "--read-only"},
		"workloads of a read-only":   {[]string{"--write-groups", "none", "--workload-groups", "team-of-ada"}, nobody, nobody, groups, "-groups)"},
		"the file instead of a flag": {[]string{"--shared-config", put(t, "c", "writeGroups: [team-of-ada]\nworkloadGroups: [none]", 0o600)}, onlyAda, nobody, groups, workloads},
	} {
		t.Run(name, func(t *testing.T) {
			f := startShared(t, c.args...)
			for person, ada := range map[string]bool{"ada": true, "ben": false} {
				may := func(who int) bool { return who == everybody || who == onlyAda && ada }
				r := rights{f: f, person: person}
				r.requests(t, may(c.writes), c.why, may(c.workloads), c.whyWorkload)
				r.pages(t, may(c.writes), c.why)
			}
		})
	}
}

// rights are what one person may do.
type rights struct {
	f      *shared
	person string
}

const configMaps = "/clusters/k/api/v1/namespaces/shop/configmaps"

// requests sends the same requests as kubectl and as a script of a page.
func (r rights) requests(t *testing.T, writes bool, why string, connects bool, whyNot string) {
	t.Helper()
	b := r.browser(t)
	for what, c := range map[string]struct {
		method, path string
		may          bool
		why          string
	}{
		"a list":          {"GET", configMaps, true, ""},
		"a dry run":       {"POST", configMaps + "?dryRun=All", true, ""},
		"a creation":      {"POST", configMaps, writes, why},
		"a deletion":      {"DELETE", configMaps + "/a", writes, why},
		"an eviction":     {"POST", "/clusters/k/api/v1/namespaces/shop/pods/p/eviction", writes, why},
		"a command":       {"POST", "/clusters/k/api/v1/namespaces/shop/pods/p/exec?command=ls", connects, whyNot},
		"a command, read": {"GET", "/clusters/k/api/v1/namespaces/shop/pods/p/exec?command=ls", connects, whyNot},
		"a port":          {"POST", "/clusters/k/api/v1/namespaces/shop/pods/p/portforward", connects, whyNot},
		"an attachment":   {"GET", "/clusters/k/api/v1/namespaces/shop/pods/p/attach", connects, whyNot},
	} {
		asKubectl, said := r.f.get(c.method, r.f.base+c.path, "token-of-"+r.person)
		asPage, alsoSaid := b.send(c.method, c.path, "", "Sec-Fetch-Site", "same-origin")
		want := http.StatusOK
		if !c.may {
			want = http.StatusForbidden
		}
		for by, got := range map[string]int{"kubectl": asKubectl, "a page": asPage} {
			if got != want {
				t.Errorf("%s: %s by %s: %d, want %d", r.person, what, by, got, want)
			}
		}
		if !c.may && (!strings.Contains(said, c.why) || !strings.Contains(alsoSaid, c.why)) {
			t.Errorf("%s: %s: nobody says %q: %s %s", r.person, what, c.why, said, alsoSaid)
		}
	}
}

// pages: a page says why its reader only reads, and follows what the reader may read.
func (r rights) pages(t *testing.T, writes bool, why string) {
	t.Helper()
	b := r.browser(t)
	code, page := b.get("/")
	if said := strings.Contains(page, ">read only<"); code != http.StatusOK || said == writes || !writes && !strings.Contains(page, why) {
		t.Errorf("the first page of %s: %d, and it says %q: %v", r.person, code, why, said)
	}
	resp := b.upgrade()
	resp.Body.Close()
	if resp.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("the socket of %s: %d", r.person, resp.StatusCode)
	}
}

// browser is the person's browser, signed in.
func (r rights) browser(t *testing.T) *browser {
	t.Helper()
	b := r.f.browser()
	if code, text := b.post("/-/sign-in", url.Values{"cluster": {"k"}, "token": {"token-of-" + r.person}, "next": {"/"}}); code >= 400 {
		t.Fatalf("%s can't sign in: %d %s", r.person, code, text)
	}
	return b
}
