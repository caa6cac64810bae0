package program

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// deadContext is a kubeconfig with one context, whose server is not there.
const deadContext = `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"k","cluster":{"server":"https://127.0.0.1:1"}}],
	"contexts":[{"name":"dead","context":{"cluster":"k","user":""}}]}`

func TestNamedKubeconfigMustBeRight(t *testing.T) {
	for what, c := range map[string]struct{ file, says string }{
		"missing":    {filepath.Join(t.TempDir(), "nope"), "does not exist; name another file with --kubeconfig"},
		"a folder":   {t.TempDir(), "name a file"},
		"no YAML":    {file(t, "\t{"), "is malformed"},
		"no config":  {file(t, "hello: [1, 2"), "correct the file"},
		"empty":      {file(t, ""), "has no contexts. Add a context with kubectl config set-context"},
		"no context": {file(t, "apiVersion: v1\nkind: Config\n"), "or use the practice cluster"},
	} {
		t.Run(what, func(t *testing.T) {
			got := runToEnd(t, nil, "--listen", "127.0.0.1:0", "--practice", "off", "--kubeconfig", c.file)
			got.oneLine(t, 1, c.file, c.says)
			if strings.Count(got.stderr, "kubeconfig "+c.file) > 1 || strings.Contains(got.stderr, "kubeconfig: kubeconfig") {
				t.Errorf("it stammers: %s", got.stderr)
			}
		})
	}
}

func TestUnnamedKubeconfigThatIsBrokenIsToldOnThePage(t *testing.T) {
	for what, env := range map[string]map[string]string{
		"does not exist": {"KUBECONFIG": filepath.Join(t.TempDir(), "nope")},
		"is malformed":   {"KUBECONFIG": file(t, "\t{")},
	} {
		f := start(t, env, "--practice", "off")
		if home := f.bearer("GET", "/"); home.code != http.StatusOK || !strings.Contains(home.body, "Fieldmark can’t use the kubeconfig") || !strings.Contains(home.body, what) {
			t.Errorf("%s: %d %s", what, home.code, home.body)
		}
	}
	f := start(t, nil, "--practice", "off")
	if home := f.bearer("GET", "/"); !strings.Contains(home.body, "No cluster yet") {
		t.Errorf("without any kubeconfig: %s", home.body)
	}
}

func TestPortTakenSaysWhatToDo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	runToEnd(t, nil, "--practice", "off", "--listen", l.Addr().String()).oneLine(t, 1, l.Addr().String(), "in use", "--listen", "port 0")
}

func TestAddressThatIsNoneSaysWhatToDo(t *testing.T) {
	for _, address := range []string{"nonsense", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:http:x", "256.0.0.1:80"} {
		runToEnd(t, nil, "--practice", "off", "--listen", address).oneLine(t, 1, "cannot listen on "+address, "--listen")
	}
}

func TestPracticeWithoutItsProgram(t *testing.T) {
	runToEnd(t, nil, "--listen", "127.0.0.1:0", "--practice", "on").oneLine(t, 1, "the practice cluster can't start", "make build")
	f := start(t, nil, "--practice", "auto")
	if home := f.bearer("GET", "/"); !strings.Contains(home.body, "There is no practice cluster") || !strings.Contains(home.body, "make build") {
		t.Errorf("where it was not asked for by name: %s", home.body)
	}
	if ready := f.ask("GET", "/readyz"); ready.code != http.StatusOK {
		t.Errorf("not ready: %d %s", ready.code, ready.body)
	}
}

func TestFieldmarkIsReadyWhileThePracticeClusterIsCompiled(t *testing.T) {
	build := filepath.Join(t.TempDir(), "build.sh")
	for what, c := range map[string]struct{ script, says string }{
		"compiles": {`echo '{"step":"compile","done":1,"total":100}'; cat >/dev/null`, "being compiled: 1 of 100 packages"},
		"fails":    {"echo 'no space left on device' >&2; exit 1", "no space left on device"},
	} {
		if err := os.WriteFile(build, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		f := start(t, map[string]string{"FIELDMARK_TOKEN": testToken}, "--practice", "on", "--practice-build", build)
		if home := f.bearer("GET", "/"); home.code != http.StatusOK || !strings.Contains(home.body, c.says) {
			t.Errorf("%s: %d %s", what, home.code, home.body)
		}
		if ready := f.ask("GET", "/readyz"); ready.code != http.StatusServiceUnavailable {
			t.Errorf("%s: ready: %d %s", what, ready.code, ready.body)
		}
		if got := f.stop(); got.code != 0 {
			t.Errorf("%s: exit code %d: %s", what, got.code, got.stderr)
		}
	}
	runToEnd(t, nil, "--listen", "127.0.0.1:0", "--practice", "on", "--practice-build", build+"-none").oneLine(t, 1, "the practice cluster can't start", build+"-none")
}

func TestPracticeIsLeftOffWhereAContextCanBeUsed(t *testing.T) {
	f := start(t, nil, "--practice", "auto", "--kubeconfig", file(t, deadContext))
	if home := f.bearer("GET", "/"); strings.Contains(home.body, "practice cluster</h2>") || !strings.Contains(home.body, `data-cluster="dead"`) {
		t.Errorf("%s", home.body)
	}
}

func TestReadyIsExactlyOneLineOnStdout(t *testing.T) {
	out := filepath.Join(t.TempDir(), "kubeconfig")
	f := start(t, random, "--practice", "off", "--kubeconfig-out", out)
	_, token, _ := strings.Cut(text(t, out), "token: ")
	token, _, _ = strings.Cut(token, "\n")
	for what, secret := range map[string]string{"token": token, "code": f.code} {
		if len(secret) < 22 { // 128 bits take as many characters in base64
			t.Errorf("the random %s %q can be guessed", what, secret)
		}
	}
	f.ask("GET", "/", "Authorization", "Bearer "+token)
	f.ask("GET", "/nowhere")
	if got := f.stop(); got.code != 0 || got.stdout != "" {
		t.Errorf("exit code %d, and after the line on stdout: %q", got.code, got.stdout)
	}
	for what, secret := range map[string]string{"token": token, "code": f.code} {
		if strings.Contains(f.stderr.String(), secret) {
			t.Errorf("the log holds the %s: %s", what, f.stderr)
		}
	}
	if strings.Contains(f.base+f.code, token) {
		t.Error("the printed URL holds the launch token")
	}
}

func TestPrintedLinkSignsInOnce(t *testing.T) {
	for what, env := range map[string]map[string]string{"random": random, "chosen": {"FIELDMARK_TOKEN": testToken}} {
		f := start(t, env, "--practice", "off")
		first := f.ask("GET", "/?code="+f.code, "Accept", "text/html")
		if first.code != http.StatusSeeOther || first.header.Get("Location") != "/" {
			t.Fatalf("%s token: %d %s", what, first.code, first.body)
		}
		cookie, _, _ := strings.Cut(first.header.Get("Set-Cookie"), ";")
		if home := f.ask("GET", "/", "Cookie", cookie); home.code != http.StatusOK {
			t.Errorf("%s token: with the cookie: %d", what, home.code)
		}
		again := f.ask("GET", "/?code="+f.code, "Accept", "text/html")
		if again.code != http.StatusUnauthorized || !strings.Contains(again.body, "no longer works") || !strings.Contains(again.body, `name="token"`) || again.header.Get("Set-Cookie") != "" {
			t.Errorf("%s token: a second visit: %d %s", what, again.code, again.body)
		}
	}
}

// A random token is printed nowhere but at a terminal, so there has to be a word about how to come by one.
func TestWithoutATerminalTheLogTellsHowToChooseAToken(t *testing.T) {
	const hint = "the launch token is random"
	for what, c := range map[string]struct {
		env  map[string]string
		args []string
		want bool
	}{
		"random":                    {random, nil, true},
		"chosen":                    {nil, nil, false},
		"random, in the kubeconfig": {random, []string{"--kubeconfig-out", filepath.Join(t.TempDir(), "out")}, false},
	} {
		f := start(t, c.env, append(c.args, "--practice", "off")...)
		if got := strings.Contains(f.stderr.String(), hint); got != c.want {
			t.Errorf("%s: %s", what, f.stderr)
		}
	}
}

// random lets the program make a random launch token.
var random = map[string]string{"FIELDMARK_TOKEN": ""}

func TestLaunchTokenFromTheEnvironment(t *testing.T) {
	const odd = "a token+with/odd&chars=#%20"
	for _, token := range []string{testToken, odd} {
		f := start(t, map[string]string{"FIELDMARK_TOKEN": token}, "--practice", "off")
		if got := f.bearer("GET", "/"); got.code != http.StatusOK {
			t.Errorf("it gets %d", got.code)
		}
		if got := f.ask("GET", "/", "Authorization", "Bearer "+testToken+"x"); got.code != http.StatusUnauthorized {
			t.Errorf("another token gets %d", got.code)
		}
	}
}

func TestReadOnlyArrivesAtGuardAndPages(t *testing.T) {
	f := start(t, nil, "--practice", "off", "--read-only", "--kubeconfig", file(t, deadContext))
	if got := f.bearer("DELETE", "/clusters/dead/api/v1/namespaces/default/pods/a"); got.code != http.StatusForbidden || !strings.Contains(got.body, "--read-only") {
		t.Errorf("%d %s", got.code, got.body)
	}
	if home := f.bearer("GET", "/"); !strings.Contains(home.body, "read only") {
		t.Error("the page does not say so")
	}
}

func TestKubeconfigForKubectlLivesAsLongAsFieldmark(t *testing.T) {
	out := filepath.Join(t.TempDir(), "kubeconfig")
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, deadContext), "--kubeconfig-out", out)
	info, err := os.Stat(out)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), f.token) || !strings.Contains(string(text), "/clusters/dead") {
		t.Errorf("%s %v", text, err)
	}
	f.stop()
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("it is left behind, the launch token in it: %v", err)
	}
	runToEnd(t, nil, "--listen", "127.0.0.1:0", "--practice", "off", "--kubeconfig-out", filepath.Join(out, "no", "folder")).oneLine(t, 1, "cannot write the kubeconfig")
}

func TestStopBeforeItIsReadySaysNothing(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr lockedBuffer
	if code := runProgram(ctx, "v1", []string{"--listen", "127.0.0.1:0", "--practice", "off"}, noEnv, &stdout, &stderr); code != 0 || stdout.String() != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
}

func TestPortIsFreeAfterTheStop(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	address := strings.TrimPrefix(f.base, "http://")
	if got := f.stop(); got.code != 0 {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatalf("it still listens: %v", err)
	}
	_ = l.Close()
}
