package hook

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/cli/hook/kubectl"
	"github.com/fieldmark/fieldmark/cli/hook/line"
	"github.com/fieldmark/fieldmark/cli/hook/loss"
)

// scene is a folder with nothing of anybody in it, and a PATH on which kubectl only records how it was called.
type scene struct {
	folder, bin, record string
	env                 []string
}

// Programs on the PATH of a scene: real ones that do no harm, and scripts that stand for programs which run others.
var (
	harmless = []string{"env", "xargs", "nohup", "timeout", "nice", "cat", "seq", "sort", "find", "bash", "sh", "mkdir", "ln", "cp", "chmod", "true", "false", "setsid", "stdbuf", "base64"}
	standIns = map[string]string{
		"sudo": `while [[ ${1-} == -* ]]; do shift; done; exec "$@"`, "watch": `exec sh -c "$*"`, "parallel": `while read -r one; do sh -c "$* $one"; done`, "k": `exec kubectl "$@"`, "ls": ":",
	}
)

func newScene(t *testing.T) scene {
	t.Helper()
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip("there is no /bin/bash here")
	}
	root, err := os.MkdirTemp("", "fieldmark-hook-") //nolint:usetesting // t.TempDir fails if a job in the background still writes there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	s := scene{filepath.Join(root, "work"), filepath.Join(root, "bin"), filepath.Join(root, "calls"), nil}
	for _, folder := range []string{s.folder, s.bin} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(s.bin, name), []byte("#!/bin/bash\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("kubectl", `printf '%s\0' "$#" "${KUBECONFIG-}" "${HOME-}" "$PWD" "$@" >>'`+s.record+`'`)
	for name, text := range standIns {
		write(name, text)
	}
	for _, name := range harmless {
		if at, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(at, filepath.Join(s.bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	evil := filepath.Join(s.folder, "evil") // has a program with the name of a harmless one, which writes
	if err := os.Mkdir(evil, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(evil, "ls"), []byte("#!/bin/bash\n"+s.bin+"/kubectl delete pod victim\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.env = []string{"PATH=" + s.bin, "HOME=" + s.folder}
	return s
}

// ran is a call of kubectl that bash made.
type ran struct {
	kubeconfig, home, folder string
	args                     []string
}

// bash runs a line, and returns the calls of kubectl.
func (s scene) bash(t *testing.T, text string) (all []ran) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, "/bin/bash", "-c", text)
	c.Dir, c.Env, c.WaitDelay = s.folder, s.env, 3*time.Second
	c.Stdout, c.Stderr = new(bytes.Buffer), new(bytes.Buffer) // it is over when nobody can write there any more, so background jobs have ended
	_ = c.Run()                                               // many lines fail, and are still worth a look
	record, _ := os.ReadFile(s.record)
	_ = os.Remove(s.record)
	for fields := strings.Split(string(record), "\x00"); len(fields) > 4; {
		n, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) < 4+n {
			t.Fatalf("the record of %q can't be read: %q", text, record)
		}
		all = append(all, ran{fields[1], fields[2], fields[3], fields[4 : 4+n]})
		fields = fields[4+n:]
	}
	return all
}

// writing are verbs that change the victim, which only writers of the test name.
var writing = []string{"delete", "apply", "patch", "scale", "replace", "label", "annotate", "edit", "drain", "cordon", "taint", "exec", "run", "set", "rollout", "autoscale"}

func (r ran) writes() bool {
	return slices.ContainsFunc(r.args, func(a string) bool { return strings.Contains(a, "victim") }) &&
		slices.ContainsFunc(r.args, func(a string) bool { return slices.Contains(writing, a) })
}

// holds is the promise of the hook about a line. A writer that bash ran is a doubt, or it is predicted with the arguments and in the folder that it had,
// and for the kubeconfig of the person.
func (s scene) holds(t *testing.T, text string) {
	t.Helper()
	var predicted []string
	j := &judge{programs: knownPrograms(nil)}
	j.predict = func(_ context.Context, w loss.Write) ([]loss.Loss, error) {
		predicted = append(predicted, fmt.Sprintf("%s %q %v", w.Verb, w.Args, w.Flags))
		return nil, nil
	}
	j.line(t.Context(), line.Read(text, s.folder, s.folder))
	if len(j.doubts) > 0 {
		return
	}
	for _, r := range s.bash(t, text) {
		if !r.writes() {
			continue
		}
		words := make([]line.Word, 0, len(r.args))
		for _, a := range r.args {
			words = append(words, line.Word{Text: a, Known: true, One: true})
		}
		c := kubectl.Read(words)
		if was := fmt.Sprintf("%s %q %v", c.Verb, c.Args, c.Flags); !slices.Contains(predicted, was) {
			t.Errorf("bash runs kubectl %q, and the hook doesn’t say so (it predicts %q):\n%s", r.args, predicted, text)
		}
		if r.kubeconfig != "" || r.home != s.folder {
			t.Errorf("kubectl has the kubeconfig %q and the home %q, and the hook doesn’t say so:\n%s", r.kubeconfig, r.home, text)
		}
	}
}

// tricks are ways in which bash runs what doesn't look like a command. W is a writer without quotes in it, and EVIL a folder with a program ls that writes.
var tricks = []string{
	`x='a[$(W)]'; echo $((x))`, `x='a[$(W)]'; ((x)); :`, `x='a[$(W)]'; [[ x -eq 1 ]]; :`, `x='a[$(W)]'; [[ $x -gt 1 ]]; :`, `x='a[$(W)]'; let x; :`, `x='a[$(W)]'; echo ${PATH:x}`, `x='a[$(W)]'; a=(1); echo ${a[x]}`,
	`x='a[$(W)]'; a[x]=1; :`, `declare -i x='a[$(W)]'; :`, `declare 'a[$(W)]=1'; :`, `export 'a[$(W)]=1'; :`, `[[ -v 'a[$(W)]' ]]; :`, `test -v 'a[$(W)]'; :`, `x='a[$(W)]'; test -v "$x"; :`, `x='a[$(W)]'; y=-v; [ $y "$x" ]; :`,
	`printf -v 'a[$(W)]' x`, `read 'a[$(W)]' <<< x`, `unset 'a[$(W)]'; :`, `x='a[$(W)]'; unset "$x"; :`, `x='a[$(W)]'; echo ${!x}`, `x='$(W)'; echo "${x@P}"`, `PS4='$(W)'; set -x; ls`, `export PS4='$(W)'; set -x; ls`,
	`x='a[$'; x+='(W)]'; echo $((x))`, `x=$(echo 'a[$(W)]'); echo $((x))`, `read x <<< 'a[$(W)]'; echo $((x))`, `for x in 'a[$(W)]'; do echo $((x)); done`, `for ((x=$(W); x<1; x++)); do :; done`, `echo $(( 1 + $(W) ))`,
	`echo W | xargs env`, `echo W | xargs nohup`, `echo W | xargs timeout 5`, `echo pod victim | xargs kubectl delete`, `echo W | xargs -I X sh -c X`, `jobs -x W`, `jobs -lx W`, `set -k; W KUBECONFIG=/x`,
	`test '-v' 'a[$(W)]'; :`, `y=-v; x='a[$(W)]'; [ "$y" "$x" ]; :`, `x='-v a[$(W)]'; [ $x ]; :`, `builtin printf -v 'a[$(W)]' x`, `command read 'a[$(W)]' <<< x`, `printf '-va[$(W)]' x`, `y=-v; printf "$y" 'a[$(W)]' x`, `declare '-i' x='a[$(W)]'; :`, `"printf" -v PATH EVIL; ls`,
	`re\ad PATH <<< EVIL; ls`, `builtin command printf -v PATH EVIL; ls`, `command -p printf -v PATH EVIL; ls`, `[[ '-v' ]]; x='a[$(W)]'; [[ -v $x ]]; :`, `y=-k; set $y; W KUBECONFIG=/x`, `command set -k; W KUBECONFIG=/x`, `set -ek; W KUBECONFIG=/x`, `set -o keyword; W KUBECONFIG=/x`,
	`coproc KUBECONFIG=/x W`, `KUBECONFIG=/x x=$(W) ls`, `N=a; N=b M=$(W -n $N) ls`, `N=a; N=b M=$N ls; W -n $N`, `N=a M=$(W -n $N); :`, `coproc KUBECONFIG { :; }; export KUBECONFIG; W`,
	"shopt -s expand_aliases; alias ls='W'\nls", "shopt -s expand_aliases\nalias -- ls='W'\nls", "readonly V=delete\nV=get\nkubectl $V pod victim", "declare -r V=delete\nV=get\nkubectl $V pod victim",
	`echo delete; _=get; kubectl $_ pod victim`, `declare -l V=DELETE; kubectl "$V" pod victim`, `declare -n R=V; V=get; R=delete; kubectl $V pod victim`, `printf -v PATH %s EVIL; ls`, `read PATH <<< EVIL; ls`, `for PATH in EVIL; do ls; done`,
	`PATH=EVIL; ls`, `export PATH=EVIL; ls`, `PATH=EVIL ls`, `env PATH=EVIL ls`, `hash -p EVIL/ls cat; cat`, `cd EVIL; ./ls`, `EVIL/ls`, `. EVIL/ls`, `bash EVIL/ls`, `ln -s EVIL/ls x; ./x`, `env -S 'W'`, `env -i PATH=EVIL ls`,
	`V=get; V=delete; kubectl $V pod victim`, `V=; : ${V:=delete}; kubectl "$V" pod victim`, `N=a; : ${M:=b}; W -n $N`, `N=a; f() { N=b; }; f; W -n $N`, `N=a; let 'N=5'; W -n $N`, `N=a; ((N=5)); W -n $N`, `N=a; echo $((N=5)); W -n $N`, `N=a; echo | { N=b; W -n $N; }`,
	`N=a; printf -v N b; W -n $N`, `N=a; read N <<< b; W -n $N`, `N=a; unset N; W -n "$N"`, `N=a; mapfile N <<< b; W -n $N`, `N=a; export N; N=b; W -n $N`, `N=a; N+=b; W -n $N`, `N=a; for N in b; do :; done; W -n $N`, `N=a; local N=b; W -n $N`, `N=a; declare N=b; W -n $N`,
	`N=a; while read N; do :; done <<< b; W -n $N`, `N=a; getopts b: N -b; W -n $N`, `N=a; eval N=b; W -n $N`, `N=a; exec {N}>/dev/null; W -n $N`, `N=a; echo {N}>/dev/null; W -n $N`, `coproc N { :; }; W -n ${N}`, `N=a; select N in b; do break; done <<< 1; W -n $N`,
	`KUBECONFIG=/x W`, `export KUBECONFIG=/x; W`, `KUBECONFIG=/x; export KUBECONFIG; W`, `KUBECONFIG=/x; W`, `set -a; KUBECONFIG=/x; W`, `read KUBECONFIG <<< /x; export KUBECONFIG; W`, `printf -v KUBECONFIG /x; export KUBECONFIG; W`, `for KUBECONFIG in /x; do export KUBECONFIG; W; done`,
	`: ${KUBECONFIG:=/x}; export KUBECONFIG; W`, `export KUBECONFIG; : ${KUBECONFIG:=/x}; W`, `declare -x KUBECONFIG=/x; W`, `declare -gx KUBECONFIG=/x; W`, `typeset -x KUBECONFIG=/x; W`, `export KUBECONFIG; ((KUBECONFIG=5)); W`, `export KUBECONFIG; exec {KUBECONFIG}>/dev/null; W`,
	`export KUBECONFIG; getopts x KUBECONFIG -x; W`, `export KUBECONFIG; echo $((KUBECONFIG=5)); W`, `HOME=/x; W`, `read HOME <<< /x; W`, `unset HOME; W`, `env -u HOME W`, `env - PATH=$PATH W`, `set -a; read KUBECONFIG <<< /x; W`, `export -n HOME; W`, `declare +x HOME; W`,
	`{kubectl,delete,pod,victim}`, `kube''ctl delete pod victim`, `"kubectl" 'delete' pod vic\tim`, `$'kubectl' $'\x64elete' pod victim`, `\kubectl delete pod victim`, `c=kubectl; "$c" delete pod victim`, `c=(W); "${c[@]}"`, `c='W'; $c`, `set -- W; "$@"`, `kubectl $(echo delete) pod victim`,
	`echo "${x:-$(W)}"`, `echo "${x:-'$(W)'}"`, `echo ${x:+$(W)}; x=1; echo ${x:+$(W)}`, `cat <<E` + "\n" + `$(W)` + "\nE", `cat <<'E' | bash` + "\nW\nE", `bash <<< 'W'`, `eval 'W'`, `source <(echo W)`, `cat <(W)`, `ls > >(W)`, `ls | tee >(W)`, `trap 'W' EXIT`, `command W`, `builtin command W`, `exec W`,
	`time W`, `! W`, `W &`, `coproc W`, `watch 'W'`, `watch W`, `echo | parallel W`, `parallel W ::: a`, `sudo W`, `sudo -u root W`, `k delete pod victim`, `bash -c 'W'`, `sh -c "W"`, `nohup W`, `setsid W`, `timeout 5 nice -n 3 W`, `stdbuf -o L W`, `find . -exec W \;`, `if W; then :; fi`, `f() { W; }; f`,
	`case x in x) W;; esac`, `case x in $(W)) ;; esac`, `(W)`, `{ W; }`, "`W`", "echo \"`W`\"", "echo `echo \\`W\\``", `echo $(echo $(W))`, `true && W || W`, `W; W`, `[[ -n $(W) ]]`, `a=($(W))`, `a[$(W)]=1`, `echo ${a[$(W)]}`, `echo ${PATH/$(W)/b}`, `x=$(W)`, `x=$(W) ls`, `ls 2> $(W)`, `cat <<< $(W)`, `while W; do break; done`,
}

// TestTricks: each trick is a doubt, or bash runs no other writer than the predicted ones.
func TestTricks(t *testing.T) {
	for _, trick := range tricks {
		s := newScene(t)
		s.holds(t, s.filled(trick, "kubectl delete pod victim"))
	}
}

func (s scene) filled(trick, writer string) string {
	return strings.NewReplacer("W", writer, "EVIL", filepath.Join(s.folder, "evil")).Replace(trick)
}

// TestGeneratedLines makes lines of tricks in tricks, with writers that are written in other ways, and between harmless commands.
// FIELDMARK_HOOK_LINES and FIELDMARK_HOOK_SEED make it longer and different.
func TestGeneratedLines(t *testing.T) {
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	r := rand.New(rand.NewPCG(1, uint64(number("FIELDMARK_HOOK_SEED", 1))))
	for range number("FIELDMARK_HOOK_LINES", 400) {
		t.Run("", func(t *testing.T) {
			s := newScene(t) // of its own, because a job in the background may outlive its line
			s.holds(t, s.generated(r))
		})
		if t.Failed() {
			return
		}
	}
}

func (s scene) generated(r *rand.Rand) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	text := strings.Join([]string{
		one("kubectl", "kubectl", "kubectl", "kube''ctl", `"kubectl"`, `\kubectl`, "command kubectl", "env kubectl", "k", s.bin+"/kubectl", "kubectl -n a", "kubectl --context=x", "sudo kubectl", "A=b kubectl", "KUBECONFIG=/x kubectl", "kubectl --kubeconfig /x", "kubectl -s x", "kubectl --as root", "$K", "nohup kubectl"),
		one("delete pod victim", "scale deploy/victim --replicas 3", "label pod victim a=b", "patch pod victim -p {}", "delete pod/victim", "rollout restart deploy/victim", "edit pod victim", "cordon victim", "drain victim", "delete -n b pod victim", "annotate --overwrite pod victim a-", "get pods"),
	}, " ")
	for range 1 + r.IntN(3) {
		if r.IntN(3) == 0 {
			before := one("ls; %s", "%s; ls", "N=a; %s", "cd .; %s", "%s | cat", "cat /dev/null | %s", "true && %s", "false || %s", "echo x > y; %s", "kubectl get pods && %s", "kubectl get pods\n%s", "x=1 y=$x; %s", "K=kubectl; %s", "export A=b; %s", "set -e; %s", "mkdir -p x; cd x; %s", "%s > out 2>&1")
			text = strings.Replace(before, "%s", text, 1)
			continue
		}
		trick := one(tricks...)
		if strings.ContainsAny(text, "'`\"\n") && strings.ContainsAny(trick, "'`\"\n") {
			continue // quotes in quotes would only be another text
		}
		text = s.filled(trick, text)
	}
	return text
}
