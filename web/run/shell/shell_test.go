package shell

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

const path = "/api/v1/namespaces/shop/pods/web"

// pod has four containers: one that runs, one that has ended, an init container, and a debug container without a state.
const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","uid":"u1","resourceVersion":"7"},
"spec":{
 "initContainers":[{"name":"prepare","image":"init"}],
 "containers":[{"name":"log","image":"log"},{"name":"app","image":"app","tty":true,"stdin":true,"ports":[{"name":"http","containerPort":80},{"containerPort":5353,"protocol":"UDP"}]}],
 "ephemeralContainers":[{"name":"debugger","image":"busybox"}]},
"status":{
 "initContainerStatuses":[{"name":"prepare","state":{"terminated":{"reason":"Completed"}}}],
 "containerStatuses":[{"name":"log","state":{"waiting":{"reason":"CrashLoopBackOff"}}},{"name":"app","state":{"running":{}}}]}}`

func parsed(t testing.TB, text string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// begun is the page of the pod in the practice cluster, and its first commands.
func begun(t testing.TB, changes ...func(*Model)) (Model, []page.Cmd) {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	m := Model{Subject: subject.Subject{
		Frame:  page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice", Name: "practice", Practice: true}, Path: p}},
		Type:   discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true},
		Object: parsed(t, pod), View: views.Shell,
	}}
	for _, change := range changes {
		change(&m)
	}
	next, commands := m.Awake(time.Unix(1000, 0))
	return next.(Model), commands
}

func after(t testing.TB, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var commands []page.Cmd
	for _, msg := range messages {
		p, more := m.Update(msg)
		m, commands = p.(Model), append(commands, more...)
	}
	return m, commands
}

// connected is the last connection that the commands open; the ID is empty if they open none.
func connected(commands []page.Cmd) (last page.Connect) {
	for _, c := range commands {
		if c, ok := c.(page.Connect); ok {
			last = c
		}
	}
	return last
}

func rendered(t testing.TB, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestContainersOfAPod(t *testing.T) {
	var got []string
	for _, c := range containersOf(parsed(t, pod)) {
		got = append(got, c.labelled())
	}
	want := []string{"log · waiting: CrashLoopBackOff", "app · running", "debugger · debug container, not started yet", "prepare · init container, terminated: Completed"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCommandsAreSplitAsAShellDoes(t *testing.T) {
	for command, want := range map[string][]string{
		"sh": {"sh"}, "  ls  -l\t/ ": {"ls", "-l", "/"}, `sh -c "echo 'a b'"`: {"sh", "-c", "echo 'a b'"}, `echo 'a "b"' ""`: {"echo", `a "b"`, ""},
		`a\ b "c\"d" 'e\f'`: {"a b", `c"d`, `e\f`}, "": nil, "echo $HOME *": {"echo", "$HOME", "*"},
	} {
		if got, complete := split(command); !complete || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %t", command, got, complete)
		}
	}
	for _, command := range []string{`sh -c "`, "it's", `a\`} {
		if got, complete := split(command); complete {
			t.Errorf("%q is complete: %q", command, got)
		}
	}
}

func TestTheRequestIsWhatIsChosen(t *testing.T) {
	for name, c := range map[string]struct {
		query   string
		path    string
		kubectl string
	}{
		"as usual":               {"", "/exec?command=sh&container=app&stdin=true&stdout=true&tty=true", "kubectl exec -it web -n shop -c app -- sh"},
		"several words":          {"command=sh+-c+'exit+3'", "/exec?command=sh&command=-c&command=exit+3&container=app&stdin=true&stdout=true&tty=true", "kubectl exec -it web -n shop -c app -- sh -c 'exit 3'"},
		"attach with a terminal": {"how=attach", "/attach?container=app&stdin=true&stdout=true&tty=true", "kubectl attach -it web -n shop -c app"},
		"attach without":         {"how=attach&container=log", "/attach?container=log&stderr=true&stdout=true", "kubectl attach web -n shop -c log"},
		"a debug container":      {"how=debug&target=app", "/ephemeralcontainers", "kubectl debug -it web -n shop --image=busybox:1.37 -c debugger-2 --target=app"},
		"unknown values":         {"how=x&container=none", "/exec?command=sh&container=app&stdin=true&stdout=true&tty=true", "kubectl exec -it web -n shop -c app -- sh"},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := begun(t, func(m *Model) { m.Choice = ParseChoice(query) })
		if got := m.call().Path; got != path+c.path {
			t.Errorf("%s: %s", name, got)
		}
		if got := m.kubectl(); got != c.kubectl {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAShellOpensAtOnceOnlyInThePracticeCluster(t *testing.T) {
	m, _ := begun(t)
	m, commands := after(t, m, page.Acted{Action: doOpen})
	if c := connected(commands); c.ID != "s1" || c.Cluster != "practice" || !c.Raw || !strings.HasPrefix(c.Path, path+"/exec?command=sh") {
		t.Errorf("%+v", c)
	}
	if got := rendered(t, m); !strings.Contains(got, `data-terminal="s1"`) {
		t.Error("there is no terminal")
	}

	other := func(m *Model) { m.Subject.Shell.Cluster = shell.Cluster{Slug: "prod", Name: "production"} }
	m, _ = begun(t, other)
	m, commands = after(t, m, page.Acted{Action: doYes}, page.Acted{Action: doOpen})
	if c := connected(commands); c.ID != "" {
		t.Fatalf("it connects without a question: %+v", c)
	}
	for _, want := range []string{"Run “sh” in the container app?", "cluster production, namespace shop, pod web"} {
		if !strings.Contains(rendered(t, m), want) {
			t.Errorf("the question doesn't say %q", want)
		}
	}
	if _, commands = after(t, m, page.Acted{Action: doNo}, page.Acted{Action: doYes}); connected(commands).ID != "" {
		t.Error("it connects after a no")
	}
	m, _ = begun(t, other)
	if _, commands = after(t, m, page.Acted{Action: doOpen}, page.Acted{Action: doYes}); connected(commands).Cluster != "prod" {
		t.Errorf("%+v", commands)
	}
	m, _ = begun(t, other)
	if _, commands = after(t, m, page.Acted{Action: doOpen}, page.Typed{Field: fieldContainer, Text: "log"}, page.Acted{Action: doYes}); connected(commands).ID != "" {
		t.Error("a yes to one container opens another")
	}
}

func TestReadOnlyOpensNoShell(t *testing.T) {
	m, _ := begun(t, func(m *Model) { m.Subject.Shell.ReadOnly = true })
	m, commands := after(t, m, page.Acted{Action: doOpen}, page.Acted{Action: doYes})
	if len(commands) > 0 || !strings.Contains(rendered(t, m), "--read-only. A shell can change") {
		t.Errorf("%+v", commands)
	}
}

func TestWhyAShellCannotBeOpened(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Model)
		then   page.Msg
		want   string
	}{
		"ready":             {nil, nil, ""},
		"it doesn't run":    {func(m *Model) { m.Choice.Container = "log" }, nil, "doesn’t run (waiting: CrashLoopBackOff)"},
		"no command":        {func(m *Model) { m.Choice.Command = " " }, nil, "Enter a command."},
		"an open quotation": {func(m *Model) { m.Choice.Command = "it's" }, nil, "Close the quotation"},
		"no get":            {nil, denial(0, "no rule"), "You don’t have permission to get pods/exec: no rule"},
		"no create":         {nil, denial(1, "no rule"), ""},
		"gone":              {nil, deleted(t), "The pod is deleted."},
	} {
		var changes []func(*Model)
		if c.change != nil {
			changes = append(changes, c.change)
		}
		m, _ := begun(t, changes...)
		if c.then != nil {
			m, _ = after(t, m, c.then)
		}
		got := m.unready()
		if got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %q", name, got)
		}
		if _, commands := after(t, m, page.Acted{Action: doOpen}); (connected(commands).ID != "") != (got == "") {
			t.Errorf("%s: %+v", name, commands)
		}
	}
	m, _ := begun(t)
	m, _ = after(t, m, denial(1, "no rule"))
	if got := rendered(t, m); !strings.Contains(got, "create pods/exec.") || !strings.Contains(got, "since Kubernetes 1.35") {
		t.Error("the page doesn't say that create is missing")
	}
}

func denial(question int, why string) page.Response {
	return page.Response{ID: "may " + digits(question), Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":false,"reason":"` + why + `"}}`)}
}

func deleted(t testing.TB) page.Msg {
	t.Helper()
	return event(t, watch.Deleted, pod)
}

func event(t testing.TB, kind watch.Type, text string) page.Msg {
	t.Helper()
	return page.Received{Message: wire.Message{Type: wire.Events, ID: followPod, Events: []wire.Event{{Type: kind, Object: []byte(text)}}}}
}

func TestHowConnectionsEnd(t *testing.T) {
	at := time.Unix(2000, 0)
	for name, c := range map[string]struct {
		after time.Duration
		end   page.Streamed
		want  string
		offer bool
	}{
		"exit":             {time.Hour, page.Streamed{State: page.StreamEnded, Code: 0}, "has ended with exit code 0.", false},
		"exit 3":           {time.Hour, page.Streamed{State: page.StreamEnded, Code: 3}, "has ended with exit code 3.", false},
		"cut":              {time.Hour, page.Streamed{State: page.StreamCut, Code: -1, Words: "WebSocket close code 1006"}, "a new connection is a new shell", false},
		"not there":        {0, page.Streamed{State: page.StreamEnded, Code: -1, Words: `exec: "sh": executable file not found in $PATH`}, "no “sh” that it can run", true},
		"127 at once":      {time.Second, page.Streamed{State: page.StreamEnded, Code: 127}, "no “sh” that it can run", true},
		"126 at once":      {time.Second, page.Streamed{State: page.StreamEnded, Code: 126}, "no “sh” that it can run", true},
		"the last command": {time.Minute, page.Streamed{State: page.StreamEnded, Code: 127}, "exit code 127", false},
		"the node":         {time.Minute, page.Streamed{State: page.StreamEnded, Code: -1, Words: "container is gone"}, "container is gone", false},
	} {
		m, _ := begun(t)
		c.end.ID, c.end.At = "s1", at.Add(c.after)
		m, _ = after(t, m, page.Acted{Action: doOpen}, page.Streamed{ID: "s1", State: page.StreamOpen, At: at}, c.end)
		got := rendered(t, m)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, m.live.connections[0].outcomeText())
		}
		if offers := strings.Contains(got, `data-do="try s1 bash"`) && strings.Contains(got, `data-do="debug"`); offers != c.offer {
			t.Errorf("%s: offers other shells: %t", name, offers)
		}
	}
}

func TestAContainerThatEndsWhileAttachedHasItsExitCode(t *testing.T) {
	m, _ := begun(t)
	m, _ = after(t, m, page.Typed{Field: fieldHow, Text: string(attach)}, page.Acted{Action: doOpen}, page.Streamed{ID: "s1", State: page.StreamOpen}, page.Streamed{ID: "s1", State: page.StreamEnded})
	if got := m.live.connections[0].outcomeText(); !strings.Contains(got, "doesn’t say yet") {
		t.Errorf("%q", got)
	}
	runs := `{"name":"app","state":{"running":{}}}`
	for name, ended := range map[string]string{
		"it stays":     `{"name":"app","state":{"terminated":{"exitCode":4,"reason":"Error"}}}`,
		"it restarted": `{"name":"app","restartCount":1,"state":{"running":{}},"lastState":{"terminated":{"exitCode":4}}}`,
	} {
		m.live.connections[0].code = -1
		m, _ = after(t, m, event(t, watch.Modified, strings.Replace(pod, runs, ended, 1)))
		if got := m.live.connections[0].outcomeText(); got != "The container has ended with exit code 4." {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestHostileTerminalOutput_WhatANodeSaysIsText(t *testing.T) {
	m, _ := begun(t)
	m, _ = after(t, m, page.Acted{Action: doOpen}, page.Streamed{ID: "s1", State: page.StreamEnded, Code: -1, Words: "\x1b]0;evil\a<b>bold</b>\u202e"})
	got := rendered(t, m)
	if strings.ContainsAny(got, "\x1b\a\u202e") || strings.Contains(got, "<b>bold") || !strings.Contains(got, "&lt;b&gt;bold") {
		t.Error(got)
	}
}

func TestAConnectionIsOpenedAgainOnlyByHand(t *testing.T) {
	m, _ := begun(t)
	m, _ = after(t, m, page.Acted{Action: doOpen}, page.Streamed{ID: "s1", State: page.StreamOpen})
	m, commands := after(t, m, page.Streamed{ID: "s1", State: page.StreamCut, Code: -1}, page.Tick{Now: time.Unix(3000, 0)}, page.Connection{State: page.Open})
	if connected(commands).ID != "" {
		t.Fatal("it connects by itself")
	}
	m, commands = after(t, m, page.Acted{Action: doAgain + " s1"})
	if c := connected(commands); c.ID != "s1" || m.live.connections[0].state != connecting {
		t.Errorf("%+v", c)
	}
	if _, commands = after(t, m, page.Acted{Action: doTry + " s1 bash"}); !strings.Contains(connected(commands).Path, "command=bash&") {
		t.Errorf("%+v", commands)
	}
}

func TestSeveralConnections(t *testing.T) {
	m, _ := begun(t)
	for range mostConnections {
		m, _ = after(t, m, page.Acted{Action: doOpen})
	}
	if m.live.current != "s8" || !strings.Contains(m.unready(), "Close one of them") {
		t.Errorf("%s, %q", m.live.current, m.unready())
	}
	m, commands := after(t, m, page.Acted{Action: doShow + " s3"}, page.Acted{Action: doClose + " s3"})
	if m.live.current != "s2" || len(m.live.connections) != mostConnections-1 || !slices.Contains(commands, page.Cmd(page.FocusTerminal{ID: "s2"})) {
		t.Errorf("%s, %+v", m.live.current, commands)
	}
	if _, commands = after(t, m, page.Pressed{Key: "Escape"}); slices.ContainsFunc(commands, func(c page.Cmd) bool { _, leaves := c.(page.Navigate); return leaves }) {
		t.Error("Escape leaves the page, and ends its connections")
	}
	if m, _ = after(t, m, page.Acted{Action: doOpen}); m.live.current != "s9" {
		t.Errorf("the id of an earlier connection is used again: %s", m.live.current)
	}
}

func TestARefusalIsAskedFor(t *testing.T) {
	refused := func() Model {
		m, _ := begun(t)
		m, commands := after(t, m, page.Acted{Action: doOpen}, page.Streamed{ID: "s1", State: page.StreamRefused})
		asked, ok := commands[len(commands)-2].(page.Call)
		if !ok || asked.Method != request.Get || asked.Path != m.live.connections[0].request.path(path) {
			t.Fatalf("%+v", commands)
		}
		return m
	}
	bare := []byte(`{"kind":"Status","reason":"Forbidden","code":403,"message":"pods \"web\" is forbidden: "}`)
	m, _ := after(t, refused(), denial(1, "no rule"), page.Response{ID: askWhy + " s1", Status: 403, Body: bare})
	if got := rendered(t, m); !strings.Contains(got, "You need permission to create pods/exec.") {
		t.Error("the page doesn't say which verb is missing")
	}
	m, _ = after(t, refused(), page.Response{ID: askWhy + " s1", Status: 403, Body: []byte(`{"kind":"Status","reason":"Forbidden","code":403,"message":"cannot get resource \"pods/exec\""}`)})
	if got := rendered(t, m); !strings.Contains(got, "cannot get resource") {
		t.Error("the page doesn't have the refusal")
	}
	m, _ = after(t, refused(), page.Response{ID: askWhy + " s1", Status: 400, Body: []byte(`{"kind":"Status","reason":"BadRequest","code":400,"message":"Upgrade request required"}`)})
	if got := rendered(t, m); strings.Contains(got, "Upgrade request required") || !strings.Contains(got, "gives no reason") {
		t.Error("the page repeats what only its own question caused")
	}
}

func TestADebugContainerIsTriedThenAddedThenAttached(t *testing.T) {
	m, _ := begun(t)
	m, commands := after(t, m, page.Typed{Field: fieldHow, Text: string(debug)})
	dry := commands[len(commands)-1].(page.Call)
	if dry.Method != "PATCH" || dry.Path != path+"/ephemeralcontainers?dryRun=All" || request.Field(dry.Header, "Content-Type") != "application/strategic-merge-patch+json" {
		t.Fatalf("%+v", dry)
	}
	if _, commands = after(t, m, page.Acted{Action: doOpen}); len(commands) > 0 {
		t.Fatal("it is sent before its dry run is answered")
	}
	m, commands = after(t, m, page.Response{ID: dry.ID, Status: 200, Body: []byte(pod)}, page.Acted{Action: doOpen})
	add, ok := commands[0].(page.Call)
	if !ok || add.Path != path+"/ephemeralcontainers" || !strings.Contains(string(add.Body), `"name": "debugger-2"`) {
		t.Fatalf("%+v", commands)
	}
	with := strings.Replace(pod, `{"name":"debugger","image":"busybox"}`, `{"name":"debugger","image":"busybox"},{"name":"debugger-2","image":"busybox","stdin":true,"tty":true}`, 1)
	m, commands = after(t, m, page.Response{ID: add.ID, Status: 200, Body: []byte(with)})
	if name, _ := m.awaited(); name != "debugger-2" || connected(commands).ID != "" {
		t.Fatalf("%s, %+v", name, commands)
	}
	runs := strings.Replace(with, `"containerStatuses"`, `"ephemeralContainerStatuses":[{"name":"debugger-2","state":{"running":{}}}],"containerStatuses"`, 1)
	m, commands = after(t, m, event(t, watch.Modified, strings.Replace(runs, `"7"`, `"8"`, 1)))
	if c := connected(commands); c.Path != path+"/attach?container=debugger-2&stdin=true&stdout=true&tty=true" || !c.Raw {
		t.Errorf("%+v", c)
	}
	if name, _ := m.awaited(); name != "" || m.chosen().Name != "debugger-3" {
		t.Errorf("%s, %s", name, m.chosen().Name)
	}
}

func TestPortsAreForwardedByKubectl(t *testing.T) {
	m, _ := begun(t)
	got := rendered(t, m)
	if !strings.Contains(got, "kubectl port-forward pod/web 8080:80 -n shop") || strings.Contains(got, "5353:5353") || !strings.Contains(got, "forwards only TCP") {
		t.Error(got)
	}
}

func TestOpenConnectionsAreListed(t *testing.T) {
	line := func(id uint64, target string, status int, done bool) record.Line {
		p, query, _ := strings.Cut(target, "?")
		return record.Line{ID: id, Path: p, Query: query, Status: status, Done: done, Sent: 2048}
	}
	m, _ := begun(t)
	mine := path + "/exec?command=%5Bredacted%5D&container=app&stdin=true&stdout=true&tty=true"
	hear := func(anew bool, lines ...record.Line) page.Msg {
		return page.Received{Message: wire.Message{Type: wire.Recorded, ID: followRequests, Anew: anew, Lines: lines}}
	}
	m, _ = after(t, m, hear(true, line(1, mine, switching, false), line(2, path+"/portforward", switching, false), line(3, path, 200, false), line(4, path+"/exec", 403, true)))
	m, _ = after(t, m, page.Acted{Action: doOpen}, hear(false, line(1, mine, switching, false)))
	got := rendered(t, m)
	if strings.Count(got, "<tr>") != 3 || strings.Contains(got, "this page</td>") || !strings.Contains(got, "port-forward</td>") {
		t.Error(got)
	}
	m, _ = after(t, m, hear(false, line(5, mine, switching, false), line(6, mine, switching, false)))
	if got = rendered(t, m); strings.Count(got, "this page</td>") != 1 || strings.Count(got, "<tr>") != 5 {
		t.Error(got)
	}
	m, _ = after(t, m, hear(false, line(2, path+"/portforward", switching, true)))
	if got := rendered(t, m); strings.Count(got, "<tr>") != 4 {
		t.Error("a connection that has ended is still listed")
	}
}

func TestWithoutTheProgramThePageHasTheCommands(t *testing.T) {
	m, _ := begun(t)
	m.live = nil
	if got := rendered(t, m); !strings.Contains(got, "needs Fieldmark’s program") || !strings.Contains(got, "<code>kubectl exec -it web -n shop -c app -- sh</code>") {
		t.Error(got)
	}
}
