package check

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Kubectl is the environment of kubectl commands.
type Kubectl struct {
	// Env is the whole environment of the commands: a PATH with kubectl, and a kubeconfig that leads through Fieldmark.
	Env []string
	Dir string // commands of each lesson run in their own folder in it
}

// Time limits for commands, and for the wire log.
const (
	commandTime = time.Minute
	recordTime  = 10 * time.Second
	recordPause = 50 * time.Millisecond
)

// withKubectl tests the lesson with kubectl. Its commands share a folder for their files.
func (r *run) withKubectl(ctx context.Context, k Kubectl) {
	dir, err := os.MkdirTemp(k.Dir, r.lesson.ID+"-")
	if err != nil {
		r.fail(1, "no folder for kubectl's files: %v", err)
		return
	}
	defer os.RemoveAll(dir) //nolint:errcheck // its parent folder is removed, too
	k.Dir = dir
	r.kubectl = &k
	r.once(ctx)
	r.own(ctx)
}

// own runs the commands for the learner's own cluster. Each has to work on this cluster, too, and to print something.
func (r *run) own(ctx context.Context) {
	for _, o := range r.lesson.Own {
		ctx, cancel := context.WithTimeout(ctx, commandTime)
		out, err := r.kubectl.command(ctx, o.Run).Output()
		cancel()
		if r.report.Commands++; err != nil || len(bytes.TrimSpace(out)) == 0 {
			r.fail(1, "the command for one's own cluster fails or prints nothing: %s: %v", o.Run, err)
		}
	}
}

// byKubectl makes a request with kubectl and reads the response from Fieldmark's wire log, like the page. A request that kubectl can't
// make is sent directly.
func (r *run) byKubectl(ctx context.Context, b lesson.Block, q lesson.Request) bool {
	text, _ := q.Commands(r.client.slug(q.As))
	own := q.Kubectl != ""
	switch {
	case text == "" || q.Watch && !own:
		return r.sendDirectly(ctx, b, q)
	case q.Watch:
		return r.watchedByKubectl(ctx, b, q, text)
	}
	r.report.Commands++
	said, err := r.kubectl.runCommands(ctx, text)
	if err != nil {
		r.fail(commandLine(b), "%v", err)
		return false
	}
	made, err := r.client.since(ctx, q, r.mark)
	if err != nil {
		r.fail(commandLine(b), "%v", err)
		return false
	}
	id, ok := made.findRequest(q)
	switch {
	case ok:
		return r.recorded(ctx, b, q, id)
	case !own && !made.wrote():
		return r.sendDirectly(ctx, b, q)
	}
	r.unmatched(b, q, made, said)
	return false
}

// commandLine is the line of the commands, or of their request.
func commandLine(b lesson.Block) int {
	if b.Request.KubectlLine > 0 {
		return b.Request.KubectlLine
	}
	return b.Line
}

// unmatched reports that commands make a different request.
func (r *run) unmatched(b lesson.Block, q lesson.Request, made exchanges, said string) {
	whose := "the commands make"
	if b.Request.KubectlLine == 0 {
		whose = "kubectl's most similar command, which learners get without a kubectl block, makes"
	}
	r.fail(commandLine(b), "%s no %s %s, but %s", whose, q.Method, q.Target, made)
	r.report.Failures[len(r.report.Failures)-1].Excerpt = "the output of the commands: " + status.Excerpt([]byte(said), 600)
}

// runCommands runs commands in a shell, and returns their output. A command that fails is no error here.
func (k *Kubectl) runCommands(ctx context.Context, text string) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	var out bytes.Buffer
	cmd := k.command(ctx, text)
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("the commands did not end within %v (kubectl delete needs --wait=false if the object has finalizers)", commandTime)
	}
	if cmd.ProcessState == nil {
		return "", fmt.Errorf("the commands were not run: %w", err)
	}
	return out.String(), nil
}

// command is a shell that ends together with all its processes.
func (k *Kubectl) command(ctx context.Context, text string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", text)
	cmd.Env, cmd.Dir = k.Env, k.Dir
	endTogether(cmd)
	cmd.WaitDelay = time.Second
	return cmd
}

// recorded reads a response from the wire log. If the log has only its beginning, and the request only reads, the request is sent once
// more.
func (r *run) recorded(ctx context.Context, b lesson.Block, q lesson.Request, id uint64) bool {
	e, err := r.client.entry(ctx, r.client.slug(q.As), id)
	if err != nil {
		r.fail(commandLine(b), "%v", err)
		return false
	}
	r.mark = max(r.mark, id)
	if q.Reads() && (e.Answer.Cut || e.Answer.Redacted || e.Answer.Withheld != "") {
		return r.sendDirectly(ctx, b, q)
	}
	r.unusable[q.Name] = unusable(e, q)
	a := lesson.Answer{Status: e.Status, Body: e.Answer.Body, Wire: e.Answer.Bytes}
	a.Size, _ = e.Decoded()
	for _, f := range e.Answer.Header {
		a.Header = append(a.Header, lesson.Header{Name: f.Name, Value: f.Value})
	}
	r.answers[q.Name] = a
	r.logRequest(q, a)
	return true
}

// unusable says why not everything can be checked with a recorded response; empty: it can.
func unusable(e record.Entry, q lesson.Request) string {
	asked, _ := lesson.Subject{Kind: lesson.HeaderOf, Name: "Accept"}.Of(lesson.Answer{Header: q.Header}, nil)
	switch {
	case e.Answer.Binary() && strings.HasPrefix(asked, "application/json"):
		return "kubectl requested " + e.Answer.MediaType + ", like kubectl create configmap; use a command that requests JSON, such as kubectl create -f -"
	case e.Answer.Withheld != "":
		return "Fieldmark's wire log doesn't have the response (" + e.Answer.Withheld + ")"
	}
	return ""
}

// watchedByKubectl checks that commands begin the watch, and then ends them. The watch itself is followed without kubectl.
func (r *run) watchedByKubectl(ctx context.Context, b lesson.Block, q lesson.Request, text string) bool {
	r.report.Commands++
	began, cancel := context.WithTimeout(ctx, commandTime)
	var out bytes.Buffer
	cmd := r.kubectl.command(began, text)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		cancel()
		r.fail(commandLine(b), "the commands were not run: %v", err)
		return false
	}
	made, ok, err := r.awaited(ctx, q)
	cancel()
	_ = cmd.Wait() // the commands were ended, so this is an error
	switch {
	case err != nil:
		r.fail(commandLine(b), "%v", err)
		return false
	case !ok:
		r.unmatched(b, q, made, out.String())
		return false
	}
	return r.sendDirectly(ctx, b, q)
}

// awaited waits until the wire log has a request.
func (r *run) awaited(ctx context.Context, q lesson.Request) (made exchanges, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, recordTime)
	defer cancel()
	for ctx.Err() == nil {
		latest, err := r.client.since(ctx, q, r.mark)
		if err != nil {
			break
		}
		made = latest
		if _, ok := made.findRequest(q); ok {
			return made, true, nil
		}
		time.Sleep(recordPause)
	}
	return made, false, nil
}
