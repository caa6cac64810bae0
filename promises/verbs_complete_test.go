package promises

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// folder has the program under its names, and is on PATH.
func folder(t *testing.T) string {
	t.Helper()
	practiceKubeconfig(t)
	folder, program := t.TempDir(), fieldmarkProgram(t)
	for _, name := range []string{"fieldmark", "kubectl-fieldmark", "kubectl_complete-fieldmark"} {
		if err := os.Symlink(program, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(os.Getenv(kubectlEnv), filepath.Join(folder, "kubectl")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("KUBECONFIG", os.Getenv(practiceEnv))
	t.Setenv("KUBECACHEDIR", t.TempDir())
	return folder
}

// words stands in for the function of the package bash-completion that the script calls, where that isn't installed.
const words = `
if [ -f /usr/share/bash-completion/bash_completion ]; then . /usr/share/bash-completion/bash_completion; fi
declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() { cword=$COMP_CWORD; words=("${COMP_WORDS[@]}"); cur=${words[cword]}; prev=${words[cword-1]}; }
declare -F __ltrim_colon_completions >/dev/null || __ltrim_colon_completions() { :; }
`

// completing completes a command line in bash, as the Tab key does, and prints what is offered.
const completing = words + `
source <("$1" completion bash)
shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
compopt() { :; } # there is no line editor
$(complete -p "$1" | sed 's/.*-F \([^ ]*\) .*/\1/') "$1" "${@: -1}" "${@: -2:1}"
printf '%s\n' "${COMPREPLY[@]}"
`

func TestBashCompletes(t *testing.T) {
	folder(t)
	for line, want := range map[string]string{
		"fieldmark fieldmark -n shop blame deployments/storef":                 "deployments/storefront",
		"fieldmark fieldmark blame -n shop deployments storef":                 "storefront",
		"fieldmark fieldmark blame --context practice-v":                       "practice-viewer",
		"fieldmark fieldmark blame -n kube-sy":                                 "kube-system",
		"fieldmark fieldmark check -o sar":                                     "sarif",
		"kubectl-fieldmark kubectl-fieldmark blame -n shop deployments/storef": "deployments/storefront",
		"kubectl kubectl fieldmark blame -n shop deployments/storef":           "deployments/storefront",
	} {
		said, err := exec.Command("bash", append([]string{"--norc", "-c", completing, "bash"}, strings.Fields(line)...)...).CombinedOutput()
		if got := strings.TrimSpace(string(said)); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", line, got, err, want)
		}
	}
}

func TestOtherShellsComplete(t *testing.T) {
	in := folder(t)
	for shell, script := range map[string]string{
		"fish": "fieldmark completion fish | source; complete -C 'fieldmark -n shop blame deployments/storef'",
		"zsh":  "compdef() { :; }; source <(fieldmark completion zsh) && whence -w _fieldmark >/dev/null && echo deployments/storefront",
		"pwsh": "fieldmark completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'fieldmark -n shop blame deployments/storef' 43).CompletionMatches.CompletionText",
	} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("SKIPPED, NOT TESTED: there is no %s here", shell)
			continue
		}
		c := exec.Command(shell, "-c", script)
		c.Dir = in
		said, err := c.CombinedOutput()
		if err != nil || strings.TrimSpace(string(said)) != "deployments/storefront" {
			t.Errorf("%s: %s %v", shell, said, err)
		}
	}
}
