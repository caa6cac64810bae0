package zoo

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// scene is where a situation plays: a namespace and a folder of its own.
type scene struct {
	t         *testing.T
	namespace string
	folder    string
	config    *rest.Config
	told      []said
}

const kubeconfigEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

// place stands for the namespace in what is shown.
const place = "zoo"

func enter(t *testing.T) *scene {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv(kubeconfigEnv))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1 // the API server limits us, as it does other tools
	s := &scene{t: t, namespace: place + "-" + strings.ToLower(rand.Text()[:10]), folder: t.TempDir(), config: config}
	s.must(s.run("", os.Getenv("FIELDMARK_KUBECTL"), "create", "namespace", s.namespace))
	t.Cleanup(func() {
		_, _ = exec.Command(os.Getenv("FIELDMARK_KUBECTL"), "--kubeconfig", os.Getenv(kubeconfigEnv), "delete", "namespace", s.namespace, "--wait=false").CombinedOutput()
	})
	return s
}

// heard returns what was told since it was asked last.
func (s *scene) heard() []said {
	told := s.told
	s.told = nil
	return told
}

func (s *scene) tell(command, output string) {
	output = strings.ReplaceAll(strings.TrimRight(output, "\n"), s.namespace, place)
	s.told = append(s.told, said{command: command, output: output})
}

func (s *scene) must(output string, err error) string {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%v\n%s", err, output)
	}
	return output
}

// write writes a file that commands use.
func (s *scene) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.told = append(s.told, said{command: name, output: strings.ReplaceAll(text, s.namespace, place), file: true})
}

func (s *scene) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// run runs a program for the namespace, in the folder. What it says is its standard output and its errors.
func (s *scene) run(stdin, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(s.t.Context(), program, append(args, "--kubeconfig="+os.Getenv(kubeconfigEnv), "--namespace="+s.namespace)...)
	cmd.Dir, cmd.Stdin = s.folder, strings.NewReader(stdin)
	output, err := cmd.CombinedOutput()
	return string(output), err
}

// kubectl runs kubectl, which must succeed. The command is split at blanks; an argument in single quotes may have some.
func (s *scene) kubectl(command string) string {
	s.t.Helper()
	return s.must(s.kubectlMay(command))
}

// kubectlMay runs kubectl, which may fail.
func (s *scene) kubectlMay(command string) (string, error) {
	s.t.Helper()
	output, err := s.run("", os.Getenv("FIELDMARK_KUBECTL"), split(command)...)
	s.tell("kubectl "+command, output)
	return output, err
}

// kubectlFails runs kubectl, which must fail.
func (s *scene) kubectlFails(command string) {
	s.t.Helper()
	output, err := s.kubectlMay(command)
	s.failed("kubectl "+command, output, err)
}

// failed notes that the command that was told last failed, as it must.
func (s *scene) failed(command, output string, err error) {
	s.t.Helper()
	if err == nil {
		s.t.Errorf("%s succeeds: %s", command, output)
	}
	s.told[len(s.told)-1].refusal = output
}

// split splits a command into words as a shell does, as far as commands here need it.
func split(command string) []string {
	var words []string
	for i, part := range strings.Split(command, "'") {
		switch {
		case i%2 == 1:
			last := len(words) - 1
			if last >= 0 && strings.HasSuffix(words[last], "=") {
				words[last] += part
				continue
			}
			words = append(words, part)
		default:
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// has holds the object's values to what is expected.
func (s *scene) has(object string, values map[string]string) {
	s.t.Helper()
	for path, want := range values {
		got := s.must(s.run("", os.Getenv("FIELDMARK_KUBECTL"), "get", object, "--allow-missing-template-keys=true", "-o", "jsonpath={"+path+"}"))
		equal(s.t, object+" "+path, got, want)
	}
}

// fieldmark runs one of Fieldmark's verbs on a text and decodes what it says. Its exit code may tell that it found something.
func (s *scene) fieldmark(into any, stdin string, args ...string) {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), os.Getenv("FIELDMARK_BIN"), append(args, "-o", "json", "--kubeconfig="+os.Getenv(kubeconfigEnv), "--namespace="+s.namespace)...)
	cmd.Dir, cmd.Stdin = s.folder, strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	output, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		s.t.Fatalf("fieldmark %s: %v\n%s", strings.Join(args, " "), err, &errs)
	}
	output = bytes.ReplaceAll(output, []byte(s.namespace), []byte(place))
	if err := json.Unmarshal(output, into); err != nil {
		s.t.Fatalf("fieldmark %s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// waits waits until the object has a value, which somebody else sets.
func (s *scene) waits(object, path, want string) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if got := s.must(s.run("", os.Getenv("FIELDMARK_KUBECTL"), "get", object, "-o", "jsonpath={"+path+"}")); got == want {
			s.tell("# "+path+" is "+want+" now", "")
			return
		}
	}
	s.t.Fatalf("%s %s never is %s", object, path, want)
}
