package cluster

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// followed is a registry whose files a test rewrites.
type followed struct {
	*Registry
	t   *testing.T
	dir string
}

func follow(t *testing.T, files map[string]string, o Options) *followed {
	t.Helper()
	f := &followed{t: t, dir: t.TempDir()}
	for name, text := range files {
		f.write(name, text)
	}
	if o.Kubeconfig == "" {
		o.Kubeconfig = f.path("config")
	}
	var err error
	f.Registry, err = Load(o)
	must(t, err)
	return f
}

func (f *followed) path(name string) string { return filepath.Join(f.dir, name) }

func (f *followed) write(name, text string) {
	f.t.Helper()
	must(f.t, os.MkdirAll(filepath.Dir(f.path(name)), 0o700))
	must(f.t, os.WriteFile(f.path(name), []byte(text), 0o600))
}

// looks looks until nothing new is found, and tells whether anything was.
func (f *followed) looks() (changed bool) {
	for range 3 {
		changed = f.Look() || changed
	}
	return changed
}

// kubeconfigOf makes a kubeconfig of contexts, each with a cluster and a user of its own: "name=token" or "name=token@host".
func kubeconfigOf(contexts ...string) string {
	text := "apiVersion: v1\nkind: Config\n"
	var clusters, users, of string
	for _, one := range contexts {
		name, rest, _ := strings.Cut(one, "=")
		token, host, found := strings.Cut(rest, "@")
		if !found {
			host = "127.0.0.1:6443"
		}
		name = strconv.Quote(name)
		clusters += "- name: " + name + "\n  cluster: {server: https://" + host + "}\n"
		users += "- name: " + name + "\n  user: {token: " + strconv.Quote(token) + "}\n"
		of += "- name: " + name + "\n  context: {cluster: " + name + ", user: " + name + "}\n"
	}
	return text + "clusters:\n" + clusters + "users:\n" + users + "contexts:\n" + of
}

func TestContextsComeAndGo(t *testing.T) {
	const before = "a=1 b=2"
	for name, c := range map[string]struct {
		after   string
		want    []string
		changed []string // the contexts of before whose login ends
	}{
		"the same":            {"a=1 b=2", []string{"a", "b"}, nil},
		"one more":            {"a=1 b=2 0=3", []string{"0", "a", "b"}, nil},
		"one fewer":           {"b=2", []string{"b"}, []string{"a"}},
		"another login":       {"a=9 b=2", []string{"a", "b"}, []string{"a"}},
		"another address":     {"a=1@127.0.0.2:1 b=2", []string{"a", "b"}, []string{"a"}},
		"another name":        {"c=1 b=2", []string{"b", "c"}, []string{"a"}},
		"all of them others":  {"x=1 y=2", []string{"x", "y"}, []string{"a", "b"}},
		"none":                {"", nil, []string{"a", "b"}},
		"in another order":    {"b=2 a=1", []string{"a", "b"}, nil},
		"one of practice's":   {"a=1 b=2 practice=4", []string{"a", "b", "practice"}, nil},
		"a name to be hashed": {"a=1 b=2 x/y=4", []string{"a", "b", "x/y"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := follow(t, map[string]string{"config": kubeconfigOf(strings.Fields(before)...)}, Options{})
			old := map[string]*Cluster{}
			for _, c := range f.List() {
				old[c.Name()] = c
				_, err := c.Target()
				must(t, err)
			}
			f.write("config", kubeconfigOf(strings.Fields(c.after)...))
			if changed := f.looks(); changed == slices.Equal(c.want, []string{"a", "b"}) && len(c.changed) == 0 {
				t.Errorf("changed is %t", changed)
			}
			if got := names(f.Registry); !slices.Equal(got, c.want) {
				t.Errorf("contexts %q, want %q", got, c.want)
			}
			for name, was := range old {
				now, there := f.Get(name)
				ended := slices.Contains(c.changed, name)
				if there && (now == was) == ended || there && now.Slug() != was.Slug() {
					t.Errorf("%s is the same: %t", name, now == was)
				}
				if _, err := was.Target(); (err != nil) != ended || over(was) != ended || f.Login(name).Later != ended {
					t.Errorf("the login of %s is over: %t; later: %t; %v", name, over(was), f.Login(name).Later, err)
				}
			}
		})
	}
}

func over(c *Cluster) bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

func TestWhatIsNoLoginCutsNothing(t *testing.T) {
	f := follow(t, map[string]string{"config": kubeconfigOf("a=1", "b=2")}, Options{})
	a, _ := f.Get("a")
	f.write("config", strings.ReplaceAll(kubeconfigOf("a=1", "b=2"), `user: "a"}`, `user: "a", namespace: shop}`)+"current-context: a\n")
	if f.looks() {
		t.Error("something is told to have changed")
	}
	if now, _ := f.Get("a"); now != a || a.Info().Namespace != "shop" || !a.Info().Current {
		t.Errorf("%+v", a.Info())
	}
}

// TestAFileThatIsBrokenForAMoment does to the file what editors, tools and accidents do.
func TestAFileThatIsBrokenForAMoment(t *testing.T) {
	whole := kubeconfigOf("a=1", "b=2")
	for name, c := range map[string]struct {
		harm func(f *followed)
		says string // empty: nothing is wrong
	}{
		"half written": {func(f *followed) { f.write("config", whole[:len(whole)/2]+"\n  - [") }, "malformed"},
		"no YAML":      {func(f *followed) { f.write("config", "\x00\xff") }, "malformed"},
		"missing":      {func(f *followed) { must(f.t, os.Remove(f.path("config"))) }, "does not exist"},
		"a folder": {func(f *followed) {
			must(f.t, os.Remove(f.path("config")))
			must(f.t, os.Mkdir(f.path("config"), 0o700))
		}, "can't be read"},
		"a dangling link": {func(f *followed) {
			must(f.t, os.Remove(f.path("config")))
			must(f.t, os.Symlink("none", f.path("config")))
		}, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			f := follow(t, map[string]string{"config": whole}, Options{})
			before := f.List()
			c.harm(f)
			if f.looks() {
				t.Error("contexts are told to have changed")
			}
			if now := f.List(); !slices.Equal(now, before) || over(now[0]) {
				t.Errorf("%q", names(f.Registry))
			}
			if got := f.Troubles(); len(got) != 1 || !got[0].Kept || got[0].File != f.path("config") || !strings.Contains(got[0].Error(), c.says) {
				t.Errorf("%+v", got)
			}
			must(t, os.RemoveAll(f.path("config")))
			f.write("config", kubeconfigOf("a=1", "c=3"))
			if !f.looks() || len(f.Troubles()) != 0 || !slices.Equal(names(f.Registry), []string{"a", "c"}) {
				t.Errorf("mended: %q, %+v", names(f.Registry), f.Troubles())
			}
			if now, _ := f.Get("a"); now != before[0] {
				t.Error("a context that stays was cut")
			}
		})
	}
}

func TestAFileIsNotReadInTheMidstOfItsWriting(t *testing.T) {
	f := follow(t, map[string]string{"config": kubeconfigOf("a=1", "b=2")}, Options{})
	for _, half := range []string{"", kubeconfigOf("a=1"), kubeconfigOf("b=2")} {
		f.write("config", half) // valid by itself, but not what it is to be
		if f.Look() {
			t.Errorf("%q was taken at once", half)
		}
	}
	f.write("config", kubeconfigOf("a=1", "b=2"))
	if f.looks() || len(f.List()) != 2 {
		t.Errorf("%q", names(f.Registry))
	}
}

func TestFilesAreReplacedInManyWays(t *testing.T) {
	next := kubeconfigOf("a=1", "b=2")
	for name, replace := range map[string]func(f *followed){
		"in place": func(f *followed) { f.write("config", next) },
		"by a rename": func(f *followed) {
			f.write("config.new", next)
			must(f.t, os.Rename(f.path("config.new"), f.path("config")))
		},
		"with a backup of the old": func(f *followed) {
			must(f.t, os.Rename(f.path("config"), f.path("config~")))
			f.write("config", next)
		},
		"by a link's new target": func(f *followed) { // as Kubernetes does with what it mounts
			f.write("..2/config", next)
			must(f.t, os.Symlink("..2", f.path("..tmp")))
			must(f.t, os.Rename(f.path("..tmp"), f.path("..data")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &followed{t: t, dir: t.TempDir()}
			f.write("config", kubeconfigOf("a=1"))
			if strings.Contains(name, "link") {
				must(t, os.Remove(f.path("config")))
				f.write("..1/config", kubeconfigOf("a=1"))
				must(t, os.Symlink("..1", f.path("..data")))
				must(t, os.Symlink("..data/config", f.path("config")))
			}
			var err error
			f.Registry, err = Load(Options{Kubeconfig: f.path("config")})
			must(t, err)
			replace(f)
			if !f.looks() || !slices.Equal(names(f.Registry), []string{"a", "b"}) {
				t.Errorf("%q", names(f.Registry))
			}
		})
	}
}

func TestAListOfFilesIsFollowed(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) { must(t, os.WriteFile(path(name), []byte(text), 0o600)) }
	put("1", kubeconfigOf("a=1", "both=1"))
	put("2", kubeconfigOf("b=2", "both=2"))
	list := strings.Join([]string{path("1"), path("2"), path("3")}, string(filepath.ListSeparator))
	r, err := Load(Options{Env: func(string) string { return list }})
	must(t, err)
	f := &followed{Registry: r, t: t, dir: dir}
	if got := strings.Join(names(r), " "); got != "a b both" || len(r.Notes()) != 1 || len(r.Troubles()) != 0 {
		t.Errorf("%q, %q, %v", got, r.Notes(), r.Troubles())
	}
	put("3", kubeconfigOf("c=3"))
	put("2", "}")
	f.looks()
	if got := strings.Join(names(r), " "); got != "a b both c" || len(r.Notes()) != 0 || len(r.Troubles()) != 1 {
		t.Errorf("one file comes, another breaks: %q, %q, %v", got, r.Notes(), r.Troubles())
	}
	put("2", kubeconfigOf("d=4", "both=9"))
	both, _ := r.Get("both")
	f.looks()
	if got := strings.Join(names(r), " "); got != "a both c d" || len(r.Troubles()) != 0 || over(both) {
		t.Errorf("it is mended: %q, %v", got, r.Troubles())
	}
	put("1", kubeconfigOf("a=1"))
	f.looks()
	if now, _ := r.Get("both"); now == both || !over(both) {
		t.Error("a context whose second definition counts now has the login of the first")
	}
}

func TestAFileThatIsNamedIsFollowed(t *testing.T) {
	config := strings.ReplaceAll(kubeconfigOf("a=1", "b=2"), `token: "1"`, "tokenFile: token")
	f := follow(t, map[string]string{"config": config, "token": "one"}, Options{})
	a, _ := f.Get("a")
	b, _ := f.Get("b")
	must(t, os.Remove(f.path("token"))) // on its way to be replaced
	if f.looks() || over(a) {
		t.Error("a token that is missing for a moment cuts the context")
	}
	f.write("token", "two")
	if !f.looks() || !over(a) || over(b) {
		t.Errorf("a is over: %t, b: %t", over(a), over(b))
	}
}

func TestAFirstFileThatIsBrokenIsUsedOnceMended(t *testing.T) {
	dir := t.TempDir()
	f := &followed{t: t, dir: dir}
	f.write(".kube/config", "}")
	f.Registry = New(Options{Home: dir, Env: func(string) string { return "" }})
	f.looks()
	if got := f.Troubles(); len(got) != 1 || got[0].Kept {
		t.Fatalf("%v", got)
	}
	f.write(".kube/config", kubeconfigOf("a=1"))
	if !f.looks() || len(f.Troubles()) != 0 || len(f.List()) != 1 {
		t.Errorf("%q, %v", names(f.Registry), f.Troubles())
	}
}

// TestNothingIsServedToAnotherLogin asks as one user, then as another: what was found out for the first is not told to the second,
// and what the first was listening to ends.
func TestNothingIsServedToAnotherLogin(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") != "" {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		answers(w, r)
	}))
	t.Cleanup(server.Close)
	text := func(token string) string {
		return strings.ReplaceAll(kubeconfigOf("a="+token, "b=same"), "https://127.0.0.1:6443", server.URL)
	}
	f := follow(t, map[string]string{"config": text("one")}, Options{ProbeTimeout: patient})
	watch := func(name string) *http.Response {
		c, _ := f.Get(name)
		target, err := c.Target()
		must(t, err)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target.Base.String()+"/api/v1/pods?watch=1", nil)
		must(t, err)
		resp, err := target.Transport.RoundTrip(req)
		must(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp
	}
	a, _ := f.Get("a")
	_ = a.State(t.Context(), nil)
	ends, stays := watch("a"), watch("b")
	f.write("config", text("two"))
	f.looks()
	if _, err := ends.Body.Read(make([]byte, 1)); err == nil {
		t.Error("the first login's watch goes on")
	}
	now, _ := f.Get("a")
	if _, has, _, _ := now.state.past(); has {
		t.Error("the second login is told what the first found")
	}
	if err := t.Context().Err(); err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := stays.Body.Read(make([]byte, 1))
		read <- err
	}()
	_ = watch("b") // a round trip later, the other watch is still there
	select {
	case err := <-read:
		t.Errorf("a watch of a context that stays was cut: %v", err)
	default:
	}
}

// TestAnAuthProvidersTokensAreNotKeptForAnotherLogin: client-go keeps them for the process.
func TestAnAuthProvidersTokensAreNotKeptForAnotherLogin(t *testing.T) {
	var asked []string
	authority := newPKI(t) // tokens are sent over TLS only
	server := authority.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Authorization"))
	}))
	token := func(name string) string {
		part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
		return part("{}") + "." + part(`{"sub":"`+name+`","exp":32503680000}`) + "." + part("x")
	}
	at := server.URL + ", certificate-authority-data: " + base64.StdEncoding.EncodeToString(authority.pem)
	text := func(name string) string {
		provider := `auth-provider: {name: oidc, config: {idp-issuer-url: "https://127.0.0.1:1", client-id: c, id-token: ` + token(name) + `}}`
		return strings.ReplaceAll(strings.ReplaceAll(kubeconfigOf("a=1"), "https://127.0.0.1:6443", at), `token: "1"`, provider)
	}
	f := follow(t, map[string]string{"config": text("ada")}, Options{})
	for _, name := range []string{"ada", "bob"} {
		f.write("config", text(name))
		f.looks()
		c, _ := f.Get("a")
		target, err := c.Target()
		must(t, err)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target.Base.String()+"/version", nil)
		must(t, err)
		resp, err := target.Transport.RoundTrip(req)
		must(t, err)
		must(t, resp.Body.Close())
		if last := asked[len(asked)-1]; last != "Bearer "+token(name) {
			t.Errorf("%s asked as %s", name, last)
		}
	}
}
