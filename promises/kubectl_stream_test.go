package promises

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// protocols are those over which kubectl streams, each with the words by which its request is known.
var protocols = []struct{ name, exec, forward, verb string }{
	{"WebSocket", "KUBECTL_REMOTE_COMMAND_WEBSOCKETS=true", "KUBECTL_PORT_FORWARD_WEBSOCKETS=true", "GET"},
	{"SPDY", "KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false", "KUBECTL_PORT_FORWARD_WEBSOCKETS=false", "POST"},
}

// upgraded tells how kubectl -v=6 shows that it got the protocol it asked for, without falling back to another.
func upgraded(verb, path string) string {
	return fmt.Sprintf(`"Response" verb=%q url="{server}%s`, verb, path)
}

// testLogs compares the beginnings of logs, because they grow between two commands.
func testLogs(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "logs one -c side --limit-bytes=100", says: `"msg":"starting"`},
		{args: "logs one", says: `Defaulted container "main"`},
		{args: "logs one --all-containers --prefix --limit-bytes=100", says: "[pod/one/side]", differ: []rule{anyOrder}},
		{args: "logs one -c side --timestamps --limit-bytes=130", says: `"msg":"starting"`},
		{args: "logs deployment/web --all-pods=true --limit-bytes=60", says: "starting web", differ: []rule{anyOrder}},
		{args: "logs one -c side --previous", code: 1, says: `previous terminated container "side" in pod "one" not found`},
		{args: "logs one -c none", code: 1, says: "container none is not valid for pod one"},
		{args: "logs nowhere"},
		{args: "logs none", code: 1, says: "(NotFound)"},
		{args: "logs one -c side", viewer: true, code: 1, says: "(Forbidden)"},
	})
	t.Run("follow", func(t *testing.T) {
		follow := p.shared.begin(t, step{args: "logs -f one -c side --limit-bytes=400", says: `"msg":"ready"`})
		follow.says(t, `"msg":"ready"`)
		follow.end(t)
	})
}

// testExec sends as many bytes through a container as fill every buffer on the way, and wants them back.
func testExec(t *testing.T, p *parity) {
	text := base64.StdEncoding.EncodeToString([]byte(random(t, 200_000)))
	for _, proto := range protocols {
		path := "/api/v1/namespaces/{ns}/pods/one/"
		exec, attach := upgraded(proto.verb, path+"exec?"), upgraded(proto.verb, "/api/v1/namespaces/{ns}/pods/desk/attach?")
		traced := []rule{requests, server}
		p.shared.same(t, []step{
			{args: "exec one -c main -- ls -a /etc", env: proto.exec, says: "os-release\n"},
			{args: "exec one -c main -v=6 -- ls /etc", env: proto.exec, says: exec, differ: traced},
			{args: "exec one -c main -- echo a;b&c=d%2fe+½/../#?", env: proto.exec, says: "a;b&c=d%2fe+½/../#?\n"},
			{args: "exec one -- true", env: proto.exec, says: `Defaulted container "main" out of: main, side`},
			{args: "exec -i one -c side -- cat", in: text, env: proto.exec, says: text},
			{args: "exec -i one -c main -v=6 -- cat", in: text, env: proto.exec, says: exec, differ: traced},
			{args: "exec -it one -c main -- sh", in: "exit\n", env: proto.exec, says: "Unable to use a TTY"},
			{args: "exec deployment/web -- cat /etc/passwd", env: proto.exec, says: "root:x:0:0"},
			{args: "exec one -c main -- sh -c false", env: proto.exec, code: 1, says: "exit code 1"},
			{args: "exec one -c main -- nothing", env: proto.exec, code: 1, says: "executable file not found in $PATH"},
			{args: "attach -i desk", in: text, env: proto.exec, says: text},
			{args: "attach -i desk -v=6", in: text, env: proto.exec, says: attach, differ: traced},
		})
	}
}

// testInteractiveExec talks: every line is answered before the next is sent, and the end of input is the end.
func testInteractiveExec(t *testing.T, p *parity) {
	for _, proto := range protocols {
		for _, args := range []string{"exec -i one -c main -- cat", "attach -i desk"} {
			t.Run(proto.name+" "+args, func(t *testing.T) {
				t.Parallel()
				talk := p.shared.begin(t, step{args: args, env: proto.exec, says: "line 9"})
				for n := range 10 {
					line := fmt.Sprintf("line %d\n", n)
					for _, r := range []*running{talk.direct, talk.through} {
						if _, err := r.stdin.Write([]byte(line)); err != nil {
							t.Fatal(err)
						}
					}
					talk.says(t, line)
				}
				talk.stillRuns(t)
				_ = talk.direct.stdin.Close()
				_ = talk.through.stdin.Close()
				talk.end(t)
			})
		}
	}
}

// testRefusedExec asks for upgrades that the API server refuses: its words must come through.
func testRefusedExec(t *testing.T, p *parity) {
	pod := strings.Fields(p.must(t, p.direct, "shop", step{args: "get pods -o name"}))[0]
	for _, proto := range protocols {
		p.shared.same(t, []step{
			{args: "exec none -- ls", env: proto.exec, code: 1, says: "(NotFound)"},
			{args: "exec one -c none -- ls", env: proto.exec, code: 1, says: "container none is not valid"},
			{args: "exec nowhere -- ls", env: proto.exec, code: 1, says: "does not have a host assigned"},
			{args: "attach nowhere", env: proto.exec, code: 1, says: "does not have a host assigned"},
			{args: "exec -n shop " + pod + " -- ls", env: proto.exec, viewer: true, code: 1, says: `cannot create resource "pods/exec"`},
			{args: "attach -n shop " + pod, env: proto.exec, viewer: true, code: 1, says: `cannot create resource "pods/attach"`},
			{args: "port-forward pod/none :80", env: proto.forward, code: 1, says: "(NotFound)"},
			{args: "port-forward pod/nowhere :80", env: proto.forward, code: 1, says: "Pending"},
			{args: "port-forward -n shop " + pod + " :80", env: proto.forward, viewer: true, code: 1, says: `cannot create resource "pods/portforward"`},
		})
	}
}
