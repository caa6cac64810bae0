package ci

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namespace is the one that the examples name.
const namespace = "shop"

// runner is a machine of a pipeline: a folder with a project, the programs that the examples call, and a kubeconfig that may make dry runs only.
type runner struct {
	t       *testing.T
	project string
	tools   string // folder of programs
	admin   string // kubeconfig of an administrator
	sign    string // kubeconfig of the pipeline's account
}

// start makes a runner with the account of the page.
func start(t *testing.T, page Page) *runner {
	t.Helper()
	admin := os.Getenv("FIELDMARK_TEST_PRACTICE_KUBECONFIG")
	if admin == "" {
		t.Skip("needs a practice cluster: make test-zoo")
	}
	r := &runner{t: t, project: t.TempDir(), tools: t.TempDir(), admin: admin}
	if err := os.CopyFS(r.project, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	for name, program := range map[string]string{"fieldmark": os.Getenv("FIELDMARK_BIN"), "kubectl-fieldmark": os.Getenv("FIELDMARK_BIN"), "kubectl": os.Getenv("FIELDMARK_KUBECTL"), "helm": os.Getenv("FIELDMARK_ZOO_HELM")} {
		if err := os.Symlink(program, filepath.Join(r.tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	r.must(admin, page["account"], "kubectl", "apply", "--server-side", "-f", "-")
	r.must(admin, page["kubeconfig"], "bash", "-eo", "pipefail")
	r.sign = filepath.Join(r.project, "check.kubeconfig")
	r.binding()
	r.must(admin, "", "helm", "install", "web", "./chart", "-n", namespace)
	t.Cleanup(func() { r.must(admin, "", "helm", "uninstall", "web", "-n", namespace) })
	return r
}

// binding waits until the API server applies the policy: it reads policies a moment after they are created.
func (r *runner) binding() {
	r.t.Helper()
	const settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-the-pipeline, namespace: shop}\n"
	for {
		out, err := r.run(r.sign, settings, nil, "kubectl", "apply", "--server-side", "-f", "-")
		if err != nil {
			if !strings.Contains(out, "This account can only make dry runs.") {
				r.t.Fatal(err, out)
			}
			break
		}
		r.must(r.admin, "", "kubectl", "delete", "configmap", "from-the-pipeline", "-n", namespace)
	}
	r.must(r.sign, settings, "kubectl", "apply", "--server-side", "--dry-run=server", "-f", "-")
	for _, verb := range [][]string{{"delete", "deployment", "storefront", "-n", namespace}, {"get", "secrets", "-n", namespace}} {
		if out, err := r.run(r.sign, "", nil, "kubectl", verb...); err == nil || !strings.Contains(out, "forbidden") {
			r.t.Errorf("the account may %v: %s", verb, out)
		}
	}
}

// run runs a program in the project.
func (r *runner) run(kubeconfig, stdin string, env []string, program string, args ...string) (string, error) {
	r.t.Helper()
	path := r.tools + string(os.PathListSeparator) + os.Getenv("PATH")
	if found := filepath.Join(r.tools, program); exists(found) {
		program = found
	}
	c := exec.CommandContext(context.WithoutCancel(r.t.Context()), program, args...) // what cleans up runs after the test
	c.Dir, c.Stdin = r.project, strings.NewReader(stdin)
	c.Env = append(append(os.Environ(), "PATH="+path, "KUBECONFIG="+kubeconfig, "HELM_NAMESPACE="), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r *runner) must(kubeconfig, stdin, program string, args ...string) {
	r.t.Helper()
	if out, err := r.run(kubeconfig, stdin, nil, program, args...); err != nil {
		r.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func code(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

func read(t *testing.T) Page {
	t.Helper()
	text, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := ParsePage(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// TestExamples runs each example twice: with a chart that nobody objects to, and after somebody has scaled the Deployment.
func TestExamples(t *testing.T) {
	page := read(t)
	r := start(t, page)
	r.inAll(page, 0)
	r.must(r.admin, "", "kubectl", "scale", "deployment/web", "--replicas=5", "-n", namespace)
	r.inAll(page, 1)
	r.baseline(page)
	r.terminal()
}

// baseline checks manifests with a conflict twice, as the page shows. Only the second check knows the conflict.
func (r *runner) baseline(page Page) {
	r.t.Helper()
	settings := r.text(filepath.Join(r.project, "manifests", "settings.yaml"))
	other := strings.Replace(settings, "color: blue", "color: green", 1)
	if other == settings {
		r.t.Fatal("the manifest doesn't have the value that is changed here")
	}
	r.must(r.admin, other, "kubectl", "apply", "--server-side", "--field-manager=somebody", "-n", namespace, "-f", "-")
	r.t.Cleanup(func() { r.must(r.admin, "", "kubectl", "delete", "-n", namespace, "-f", "manifests/settings.yaml") })
	store, after, _ := strings.Cut(page["baseline"], "\n")
	for command, want := range map[string]int{store: 1, store + "; " + after: 0} {
		out, err := r.run(r.sign, "", nil, "bash", "-c", command)
		if got := code(r.t, err); got != want {
			r.t.Errorf("%s ends with %d instead of %d:\n%s", command, got, want, out)
		}
	}
}

// terminal runs the commands with which README.md begins. Their output is what README.md shows.
func (r *runner) terminal() {
	r.t.Helper()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		r.t.Fatal(err)
	}
	page, err := ParsePage(string(text))
	if err != nil {
		r.t.Fatal(err)
	}
	ran := 0
	for said := range strings.SplitSeq("\n"+page["terminal"], "\n$ ") {
		command, want, _ := strings.Cut(said, "\n")
		if command == "" {
			continue
		}
		ran++
		if out, _ := r.run(r.admin, "", nil, "bash", "-c", command); strings.TrimSpace(out) != strings.TrimSpace(want) {
			r.t.Errorf("%s prints\n%s\nand README.md shows\n%s", command, out, want)
		}
	}
	if ran != 2 {
		r.t.Errorf("README.md begins with %d commands", ran)
	}
}

// inAll runs all pipelines, and each must end with a code.
func (r *runner) inAll(page Page, want int) {
	r.t.Helper()
	for name, pipeline := range map[string]func(Page) (int, string){"github": r.github, "gitlab": r.gitlab, "pre-commit": r.preCommit, "hook": r.hook} {
		got, report := pipeline(page)
		if got != want || strings.Contains(report, "conflict") != (want == 1) {
			r.t.Errorf("%s ends with %d instead of %d:\n%s", name, got, want, report)
		}
	}
}

// secret is how a workflow names a secret.
var secret = regexp.MustCompile(`\$\{\{ *secrets\.(\w+) *\}\}`)

// github runs a workflow's scripts as GitHub's runner does. It gives the first code that isn't 0, and the job's summary.
func (r *runner) github(page Page) (int, string) {
	r.t.Helper()
	var w Workflow
	if err := page.Read("github", &w); err != nil {
		r.t.Fatal(err)
	}
	temp := r.t.TempDir()
	if err := os.MkdirAll(filepath.Join(temp, "fieldmark"), 0o750); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Symlink(r.tools, filepath.Join(temp, "fieldmark", "bin")); err != nil {
		r.t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(temp, name) }
	env := []string{"RUNNER_TEMP=" + temp, "GITHUB_ENV=" + file("env"), "GITHUB_PATH=" + file("path"), "GITHUB_STEP_SUMMARY=" + file("summary")}
	job, first, ran := w.Jobs["check"], 0, 0
	if job.Defaults.Run.Shell != "bash" {
		r.t.Error("without shell: bash, GitHub's runner ignores a failure inside of a pipe")
	}
	for _, step := range job.Steps {
		switch {
		case step.Uses != "" || first != 0 && step.If != "always()":
			continue
		case step.Name == "Build Fieldmark":
			r.builds(step.Run)
			continue
		}
		ran++
		own := slices.Clone(env)
		for name, value := range step.Env {
			own = append(own, name+"="+secret.ReplaceAllStringFunc(value, func(string) string { return r.text(r.sign) }))
		}
		out, err := r.run("/nowhere", step.Run, own, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-s")
		if c := code(r.t, err); c != 0 && first == 0 {
			first = c
		}
		if strings.Contains(out, "fieldmark: ") {
			r.t.Errorf("%s: %s", step.Name, out)
		}
		for line := range strings.Lines(r.text(file("env"))) {
			env = append(env, strings.TrimSuffix(line, "\n"))
		}
		if path := strings.TrimSpace(r.text(file("path"))); path != "" {
			env = append(env, "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"))
		}
	}
	if ran != 3 {
		r.t.Errorf("%d steps ran, not 3", ran)
	}
	var report struct {
		Version string `json:"version"`
		Runs    []any  `json:"runs"`
	}
	if err := json.Unmarshal([]byte(r.text(filepath.Join(r.project, "check.sarif"))), &report); err != nil || report.Version != "2.1.0" || len(report.Runs) != 1 {
		r.t.Error(err, report)
	}
	return first, r.text(file("summary"))
}

// builds holds the page to a target that there is: it would compile for minutes.
func (r *runner) builds(script string) {
	r.t.Helper()
	if !strings.HasSuffix(strings.TrimSpace(script), `make -C "$RUNNER_TEMP/fieldmark" bin/fieldmark`) {
		r.t.Errorf("Fieldmark is built by %s", script)
	}
	dry := exec.CommandContext(r.t.Context(), "make", "-C", "../../..", "--dry-run", "bin/fieldmark")
	if out, err := dry.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("-o bin/fieldmark")) {
		r.t.Error(err, string(out))
	}
}

// text is what is in a file; nothing if there is none.
func (r *runner) text(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(text)
}

// gitlab runs a job's scripts as GitLab's runner does, with the programs in its cache.
func (r *runner) gitlab(page Page) (int, string) {
	r.t.Helper()
	var jobs map[string]Job
	if err := page.Read("gitlab", &jobs); err != nil {
		r.t.Fatal(err)
	}
	job := jobs["check-manifests"]
	if !exists(filepath.Join(r.project, "tools")) {
		if err := os.Symlink(r.tools, filepath.Join(r.project, "tools")); err != nil {
			r.t.Fatal(err)
		}
	}
	_, err := r.run(r.sign, strings.Join(append(job.Before, job.Script...), "\n"), nil, "bash", "-eo", "pipefail", "-s")
	if job.Artifacts.When != "always" || len(job.Artifacts.Paths) != 1 {
		r.t.Fatalf("the report is kept as %+v", job.Artifacts)
	}
	return code(r.t, err), r.text(filepath.Join(r.project, job.Artifacts.Paths[0]))
}

// preCommit runs the entry of the hook as pre-commit does: its words, without a shell around them.
func (r *runner) preCommit(page Page) (int, string) {
	r.t.Helper()
	var h Hooks
	if err := page.Read("pre-commit", &h); err != nil {
		r.t.Fatal(err)
	}
	hook := h.Repos[0].Hooks[0]
	if !regexp.MustCompile(hook.Files).MatchString("chart/values.yaml") || hook.Language != "system" {
		r.t.Errorf("%+v", hook)
	}
	out, err := r.run(r.sign, "", nil, "bash", "-c", "exec "+hook.Entry)
	return code(r.t, err), out
}

// hook commits a change of the chart, in a repository with the hook.
func (r *runner) hook(page Page) (int, string) {
	r.t.Helper()
	hooks := filepath.Join(r.project, ".git", "hooks")
	git := func(args ...string) (string, error) {
		return r.run(r.sign, "", nil, "git", append([]string{"-c", "user.name=ci", "-c", "user.email=ci@example.com"}, args...)...)
	}
	if !exists(hooks) {
		r.must(r.sign, "", "git", "init", "--quiet", "--template=", ".")
		if err := os.MkdirAll(hooks, 0o750); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(hooks, "pre-commit"), []byte(page["hook"]), 0o700); err != nil {
			r.t.Fatal(err)
		}
	}
	if out, err := git("commit", "--quiet", "--allow-empty", "-m", "No change of the chart"); err != nil {
		r.t.Fatal(err, out)
	}
	values := filepath.Join(r.project, "chart", "values.yaml")
	if err := os.WriteFile(values, []byte(r.text(values)+"\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.must(r.sign, "", "git", "add", "chart")
	out, err := git("commit", "--quiet", "-m", "A change of the chart")
	return code(r.t, err), out
}
