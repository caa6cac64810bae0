package hook

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/hook/line"
	"github.com/fieldmark/fieldmark/cli/hook/loss"
)

// judged judges a line without a cluster. Each predicted command is a text: its verb, where it writes, and what it reads.
func judged(text string) (predicted []string, j *judge) {
	j = &judge{programs: knownPrograms([]string{"make"})}
	j.predict = func(_ context.Context, w loss.Write) ([]loss.Loss, error) {
		said := strings.Join(append([]string{w.Verb}, w.Args...), " ")
		for _, at := range []string{w.Aim.Context, w.Aim.Namespace} {
			if at != "" {
				said += " @" + at
			}
		}
		if len(w.Flags["filename"]) > 0 {
			said += " -f " + strings.Join(w.Flags["filename"], " ") + " in " + w.Folder
		}
		if w.Input != nil {
			in, _ := io.ReadAll(w.Input)
			said += " < " + strings.TrimSpace(string(in))
		}
		predicted = append(predicted, said)
		return nil, nil
	}
	j.line(context.Background(), line.Read(text, "/work", "/home/ada"))
	return predicted, j
}

// lines are command lines, and what becomes of them: "pass" says nothing, "ask" is a doubt, and everything else is a command that is predicted.
var lines = []struct{ text, want string }{
	{"ls -la", "pass"},
	{"", "pass"},
	{"# a comment", "pass"},
	{"true && false || :", "pass"},
	{"echo hello > out.txt", "pass"},
	{"kubectl get pods", "pass"},
	{"kubectl", "pass"},
	{"kubectl --help", "pass"},
	{"kubectl -n shop get deploy -o yaml", "pass"},
	{"kubectl --context=prod -n shop describe pod/web", "pass"},
	{"kubectl logs -f web", "pass"},
	{"kubectl diff -f x.yaml", "pass"},
	{"kubectl get pods | grep web | wc -l", "pass"},
	{"kubectl get pods -o json | jq '.items[].metadata.name'", "pass"},
	{`kubectl -n "$NS" get pods`, "pass"},
	{"kubectl get $KIND", "pass"},
	{"kubectl get pods $(echo x)", "pass"},
	{"for n in a b; do kubectl -n \"$n\" get pods; done", "pass"},
	{"while true; do kubectl get pods; sleep 1; done", "pass"},
	{"cd /tmp && ls", "pass"},
	{"git status && git diff HEAD~1", "pass"},
	{"git commit -m 'kubectl delete'", "pass"},
	{"echo kubectl delete pod web", "pass"},
	{"grep -r 'kubectl delete' .", "pass"},
	{"cat <<'EOF'\nkubectl delete pod web\nEOF", "pass"},
	{"helm list -A", "pass"},
	{"helm template web ./chart", "pass"},
	{"fieldmark check -f x.yaml", "pass"},
	{"kubectl rollout status deploy/web", "pass"},
	{"kubectl auth can-i delete pods", "pass"},
	{"kubectl config view", "pass"},
	{"kubectl config use-context prod", "pass"},
	{"kubectl create namespace shop", "pass"},
	{"kubectl create -f x.yaml", "pass"},
	{"kubectl expose deploy web --port 80", "pass"},
	{"kubectl apply -f x.yaml --dry-run=server", "pass"},
	{"kubectl delete pod web --dry-run=client", "pass"},
	{"kubectl delete pod web --dry-run", "pass"},
	{"kubectl set image deploy/web app=x --local -f x.yaml", "pass"},
	{"kubectl delete --help", "pass"},
	{"timeout 5 kubectl get pods", "pass"},
	{"sudo kubectl get pods", "pass"},
	{"KUBECONFIG=x kubectl get pods", "pass"},
	{"cat names | xargs -n1 kubectl get pod", "pass"},
	{"command -v kubectl", "pass"},
	{"make deploy", "pass"},
	{"find . -name '*.yaml'", "pass"},
	{"[ -f x ] && cat x", "pass"},
	{"[[ -n $X ]]", "pass"},
	{"export FOO=bar; kubectl get pods", "pass"},
	{"kubectl label pod web --list", "pass"},
	{"kubectl get pods 2>/dev/null || true", "pass"},

	{"kubectl delete pod web", "delete pod web"},
	{"kubectl delete pod web -n shop", "delete pod web @shop"},
	{"kubectl -nshop delete pod web", "delete pod web @shop"},
	{"kubectl --context prod -n=shop delete pod web", "delete pod web @prod @shop"},
	{"kubectl --namespace=shop delete pod/web", "delete pod/web @shop"},
	{"NS=shop; kubectl -n $NS delete pod web", "delete pod web @shop"},
	{`NS=shop && kubectl -n "$NS" delete pod web`, "delete pod web @shop"},
	{"timeout 5 nice -n 3 kubectl delete pod web", "delete pod web"},
	{"env kubectl delete pod web", "delete pod web"},
	{"time kubectl delete pod web", "delete pod web"},
	{`ku""bectl 'delete' "pod" we\b`, "delete pod web"},
	{`\kubectl delete pod web`, "delete pod web"},
	{"command kubectl delete pod web", "delete pod web"},
	{"if kubectl delete pod web; then ls; fi", "delete pod web"},
	{"! kubectl delete pod web", "delete pod web"},
	{"(kubectl delete pod web)", "delete pod web"},
	{"{ kubectl delete pod web; }", "delete pod web"},
	{"kubectl delete pod web &", "delete pod web"},
	{"echo $(kubectl delete pod web)", "delete pod web"},
	{"echo `kubectl delete pod web`", "delete pod web"},
	{"cat <(kubectl delete pod web)", "delete pod web"},
	{"X=$(kubectl delete pod web)", "delete pod web"},
	{"case x in x) kubectl delete pod web;; esac", "delete pod web"},
	{"ls; kubectl delete pod web | cat", "delete pod web"},
	{"[[ $(kubectl delete pod web) ]]", "delete pod web"},
	{"echo $((1 + $(kubectl delete pod web)))", "ask"},
	{"cat <<EOF\n$(kubectl delete pod web)\nEOF", "delete pod web"},
	{"kubectl apply -f x.yaml", "apply -f x.yaml in /work"},
	{"cd sub && kubectl apply -f x.yaml", "apply -f x.yaml in /work/sub"},
	{"cd /a; cd b; kubectl apply -f x.yaml", "apply -f x.yaml in /a/b"},
	{"(cd /a); kubectl apply -f x.yaml", "apply -f x.yaml in /work"},
	{"cd && kubectl apply -f x.yaml", "apply -f x.yaml in /home/ada"},
	{"kubectl apply -f ~/x.yaml", "apply -f /home/ada/x.yaml in /work"},
	{"kubectl apply -f a.yaml,b.yaml -f c.yaml", "apply -f a.yaml b.yaml c.yaml in /work"},
	{"kubectl apply -f - <<EOF\na: b\nEOF", "apply -f - in /work < a: b"},
	{"kubectl apply -f - <<'EOF'\na: $b\nEOF", "apply -f - in /work < a: $b"},
	{"cat <<EOF | kubectl apply -f -\na: b\nEOF", "apply -f - in /work < a: b"},
	{"N=x; cat <<EOF | kubectl apply -f -\na: $N\nEOF", "apply -f - in /work < a: x"},
	{"echo '{}' | kubectl apply -f -", "apply -f - in /work < {}"},
	{"kubectl apply -f - <<< '{}'", "apply -f - in /work < {}"},
	{"kubectl apply -f - <<-EOF\n\ta: b\n\tEOF", "apply -f - in /work < a: b"},
	{"kubectl apply --server-side --force-conflicts -f x.yaml", "apply -f x.yaml in /work"},
	{"kubectl replace -f x.yaml", "replace -f x.yaml in /work"},
	{`kubectl patch deploy web -p '{"spec":{}}'`, "patch deploy web"},
	{"kubectl scale deploy/web --replicas=3", "scale deploy/web"},
	{"kubectl label pod web a=b c-", "label pod web a=b c-"},
	{"kubectl annotate pod web a=b --overwrite", "annotate pod web a=b"},
	{"kubectl set image deploy/web app=x", "set image deploy/web app=x"},
	{"kubectl rollout undo deploy/web", "rollout undo deploy/web"},
	{"kubectl rollout restart deploy", "rollout restart deploy"},
	{"kubectl rollout pause deploy/web", "rollout pause deploy/web"},
	{"mkdir -p x && kubectl apply -f x.yaml", "apply -f x.yaml in /work"},
	{"kubectl delete pod web --ignore-not-found=true --wait=false", "delete pod web"},

	{"kubectl delete pod $POD", "ask"},
	{`kubectl delete pod "$POD"`, "ask"},
	{"kubectl $VERB pod web", "ask"},
	{"kubectl -n $NS get pods", "ask"},
	{"$KUBECTL delete pod web", "ask"},
	{"k delete pod web", "ask"},
	{"/usr/bin/kubectl delete pod web", "ask"},
	{"./deploy.sh", "ask"},
	{"bash deploy.sh", "ask"},
	{"sh -c 'kubectl delete pod web'", "ask"},
	{"bash -c ls", "ask"},
	{"eval kubectl delete pod web", "ask"},
	{"source x.sh", "ask"},
	{". x.sh", "ask"},
	{"alias k=kubectl; k delete pod web", "ask"},
	{"kubectl() { ls; }; kubectl get pods", "ask"},
	{"f() { kubectl delete pod web; }; f", "ask"},
	{"echo pod/web | xargs kubectl delete", "ask"},
	{"echo delete pod web | xargs kubectl", "ask"},
	{"echo x | xargs -I get kubectl get pods", "ask"},
	{"echo web | xargs sh -c 'kubectl delete pod $0'", "ask"},
	{"xargs --weird kubectl get pods", "ask"},
	{"xargs kubectl rollout", "ask"},
	{"KUBECONFIG=x kubectl delete pod web", "ask"},
	{"export KUBECONFIG=x; kubectl delete pod web", "ask"},
	{"env KUBECONFIG=x kubectl delete pod web", "ask"},
	{"env -i kubectl delete pod web", "ask"},
	{"HTTPS_PROXY=x kubectl delete pod web", "ask"},
	{"HOME=/x kubectl delete pod web", "ask"},
	{"PATH=/x kubectl get pods", "ask"},
	{"PATH=/x; ls", "ask"},
	{"LD_PRELOAD=x ls", "ask"},
	{"sudo kubectl delete pod web", "ask"},
	{"kubectl --kubeconfig x delete pod web", "ask"},
	{"kubectl delete pod web --kubeconfig=x", "ask"},
	{"kubectl delete pod web --as=root", "ask"},
	{"kubectl -s https://x delete pod web", "ask"},
	{"kubectl delete pod web --token x", "ask"},
	{"kubectl --force delete pod web", "ask"},
	{"kubectl neat get pods", "ask"},
	{"kubectl edit deploy web", "ask"},
	{"kubectl exec web -- ls", "ask"},
	{"kubectl drain node", "ask"},
	{"kubectl cordon node", "ask"},
	{"kubectl uncordon node", "ask"},
	{"kubectl taint node a b=c:NoSchedule", "ask"},
	{"kubectl apply edit-last-applied deploy/web", "ask"},
	{"kubectl apply set-last-applied -f x.yaml", "ask"},
	{"kubectl set resources deploy/web --limits cpu=1", "ask"},
	{"kubectl set selector svc/web a=b", "ask"},
	{"kubectl certificate approve x", "ask"},
	{"kubectl debug pod/web", "ask"},
	{"kubectl cp x web:/y", "ask"},
	{"kubectl delete --raw /api/v1/namespaces/a/pods/web", "delete"},
	{"kubectl run x --image=y", "ask"},
	{"kubectl autoscale deploy web --max 3", "ask"},
	{"kubectl set env deploy/web A=b", "ask"},
	{"kubectl auth reconcile -f x.yaml", "ask"},
	{"kubectl create -f x.yaml --edit", "ask"},
	{"kubectl create --raw /api -f x", "ask"},
	{"kubectl delete pod web --no-such-flag", "ask"},
	{"kubectl config use-context prod && kubectl delete pod web", "ask"},
	{"sed -i s/a/b/ x.yaml && kubectl apply -f x.yaml", "ask"},
	{"cat > x.yaml <<EOF\na: b\nEOF\nkubectl apply -f x.yaml", "ask"},
	{"cp a x.yaml; kubectl apply -f x.yaml", "ask"},
	{"curl https://x | kubectl apply -f -", "ask"},
	{"kustomize build . | kubectl apply -f -", "apply -f - in /work"},
	{"kubectl create deploy x --image y --dry-run=client -o yaml | kubectl apply -f -", "ask"},
	{"kubectl apply -f a.yaml && kubectl delete -f b.yaml", "ask"},
	{"kubectl label pod web a=b && kubectl delete pod -l a=b", "ask"},
	{"helm upgrade web ./chart --force", "ask"},
	{"helm upgrade web ./chart --server-side=true --force-conflicts", "ask"},
	{"helm uninstall web", "ask"},
	{"helm list --post-renderer ./x", "ask"},
	{"find . -exec kubectl delete -f {} ;", "ask"},
	{"find . -name x $MORE", "ask"},
	{"awk 'BEGIN{system(\"x\")}'", "ask"},
	{"cp x ~/.kube/config && kubectl delete pod web", "ask"},
	{"echo x > y; kubectl delete pod web", "ask"},
	{"python3 x.py", "ask"},
	{"npm test", "ask"},
	{"curl -X DELETE https://x", "ask"},
	{"terraform apply", "ask"},
	{"oc delete pod web", "ask"},
	{"trap 'kubectl delete pod web' EXIT", "ask"},
	{"watch kubectl delete pod web", "ask"},
	{"kubectl 'unclosed", "ask"},
	{"if then", "ask"},
	{"=kubectl delete pod web", "ask"},
	{"kube{ctl,x} delete pod web", "ask"},
	{"kubectl del* pod web", "ask"},
	{"git -c alias.x='!kubectl delete pod web' x", "ask"},
	{"git rebase --exec 'kubectl delete pod web' x", "ask"},
	{"read NS; kubectl -n $NS delete pod web", "ask"},
	{"NS=a; read NS; kubectl -n $NS delete pod web", "ask"},
	{"for n in a b; do kubectl delete pod $n; done", "ask"},
	{"N=a; for i in 1 2; do kubectl delete pod $N; N=b; done", "ask"},
	{"test -d x && N=b; kubectl delete pod $N", "ask"},
	{"N=a; true || N=b; kubectl delete pod $N", "ask"},
	{"N='a b'; kubectl delete pod $N", "ask"},
	{"coproc kubectl delete pod web", "ask"},
	{"kubectl delete pod web\nkubectl delete pod api", "ask"},
	{"while read x; do kubectl delete -f -; done < list", "ask"},
	{"builtin cd x; kubectl apply -f x.yaml", "apply -f x.yaml in /work/x"},
	{"env cd x; kubectl apply -f x.yaml", "apply -f x.yaml in /work"},
	{"for ((i=0; i<3; i++)); do kubectl get pods; done", "pass"},
	{"N=3; echo $((N+1)) ${#N}", "pass"},
	{"N=$(wc -l < x); echo $((N+1))", "ask"},
	{"for i in 1 2; do echo $((i*2)); done", "pass"},
	{`[[ $? -eq 0 ]] && echo "fine"`, "pass"},
	{`if [ -n "$X" ]; then ls; fi`, "pass"},
	{`[ "$X" = b ] && ls`, "pass"},
	{`echo "${X:-a}" ${X%.yaml} ${X/a/b} ${X,,}`, "pass"},
	{"declare -a A; A=(1 2); echo ${A[0]} ${A[@]}", "pass"},
	{"export A=b; unset A; printf '%s' x", "pass"},
	{"KUBECTL_EXTERNAL_DIFF=./x kubectl diff -f x.yaml", "ask"},
	{"kubectl kustomize --enable-alpha-plugins .", "ask"},
	{"kubectl --kubeconfig x get pods", "pass"},
	{"cat > x <<< y; kubectl --kubeconfig x get pods", "ask"},
	{"GIT_PAGER=./x git log", "ask"},
	{"git grep -nO./x y", "ask"},
	{"git grep -n y", "pass"},
	{"git fetch --upload-pac=./x", "ask"},
	{"sort --comp=./x y", "ask"},
	{"go env -w GOFLAGS=-toolexec=./x", "ask"},
	{"CC=./x go build", "ask"},
	{"jobs -x kubectl delete pod web", "ask"},
}

func TestLines(t *testing.T) {
	if len(lines) < 100 {
		t.Fatal("too few lines:", len(lines))
	}
	for _, c := range lines {
		predicted, j := judged(c.text)
		got := strings.Join(predicted, "; ")
		switch {
		case len(j.doubts) > 0:
			got = "ask"
		case got == "":
			got = "pass"
		}
		if got != c.want {
			t.Errorf("%s\n\tis %q %q, want %q", c.text, got, j.doubts, c.want)
		}
	}
}

// TestNoWriterIsPassed wraps a writer in random constructs of a shell. It is always predicted, or a doubt.
func TestNoWriterIsPassed(t *testing.T) {
	around := []string{
		"%s", "ls; %s", "(%s)", "{ %s; }", "true && %s", "false || %s", "if ls; then %s; fi", "if ls; then ls; else %s; fi", "for i in a; do %s; done", "while %s; do ls; done",
		"until ls; do %s; done", "case a in a) %s;; esac", "echo $(%s)", "echo \"$(%s)\"", "echo `%s`", "X=$(%s)", "X=$(%s) ls", "%s | cat", "cat | %s", "%s &", "! %s", "cat <(%s)",
		"cat <<EOF\n$(%s)\nEOF", "[[ -n $(%s) ]]", "echo $((1+$(%s)))", "(( x = $(%s) ))", "f() { %s; }", "time %s", "coproc %s", "export X=$(%s)", "a=($(%s))", "echo ${x:-$(%s)}",
		"cd $(%s)", "ls > $(%s)", "cat <<< $(%s)", "for i in $(%s); do ls; done", "case $(%s) in a) ls;; esac", "declare -x a=$(%s)", "let x=$(%s)", "echo ${a[$(%s)]}", "a[$(%s)]=1",
		"for ((i=$(%s); i<1; i++)); do ls; done", "select x in $(%s); do ls; done", "timeout 5 env A=b %s", "nohup %s", "exec %s", "sudo %s", "xargs %s", "echo \"${x/$(%s)/b}\"", "$(%s) x",
	}
	writers := []string{"kubectl delete pod web", "kubectl -n shop scale deploy/web --replicas 3", "kubectl $X pod", "helm upgrade a b", "./x.sh", "sh -c x", "kubectl edit pod web"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := writers[r.IntN(len(writers))]
		for range 1 + r.IntN(4) {
			if in := around[r.IntN(len(around))]; !strings.Contains(in, "`") || !strings.Contains(text, "`") { // those would end the ones inside
				text = fmt.Sprintf(in, text)
			}
		}
		if predicted, j := judged(text); len(predicted) == 0 && len(j.doubts) == 0 {
			t.Fatalf("nothing is said about\n%s", text)
		}
	}
}

// FuzzJudge finds texts on which the hook fails. A text with a writer on a line of its own is never passed, unless the text before it takes the line away.
func FuzzJudge(f *testing.F) {
	for _, c := range lines {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, whole := judged(text)
		predicted, j := judged("kubectl delete pod web\n" + text)
		if len(predicted) == 0 && len(j.doubts) == 0 {
			t.Errorf("a writer before %q is passed", text)
		}
		if len(whole.doubts) > 0 && len(j.doubts) == 0 {
			t.Errorf("%q is a doubt, but not after a writer", text)
		}
	})
}

func TestRelativeKubeconfig(t *testing.T) {
	for list, want := range map[string]bool{"": false, "/a": false, "/a" + string(filepath.ListSeparator) + "b": true, "a": true} {
		if hasRelative(list) != want {
			t.Error(list)
		}
	}
}

func TestInputFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	if err := os.WriteFile(file, []byte("a: b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"kubectl apply -f - < " + file, "cat " + file + " | kubectl apply -f -"} {
		predicted, j := judged(text)
		if len(j.doubts) > 0 || len(predicted) != 1 || predicted[0] != "apply -f - in /work < a: b" {
			t.Error(text, predicted, j.doubts)
		}
	}
	if _, j := judged("kubectl apply -f - < " + file + ".not"); len(j.doubts) != 1 {
		t.Error(j.doubts)
	}
}
