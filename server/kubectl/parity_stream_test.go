package kubectl_test

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

func testLogs(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "logs one -c main", says: "no container runs here"},
		{args: "logs one", says: `Defaulted container "main"`},
		{args: "logs one -c side --tail=1", says: "container side of pod one"},
		{args: "logs one --all-containers --prefix", says: "[pod/one/side]", differ: []rule{anyOrder}},
		{args: "logs one -c main --timestamps", says: "no container runs here", differ: []rule{nanoseconds}},
		{args: "logs deployment/web --all-pods=true", says: "no container runs here", differ: []rule{anyOrder}},
		{args: "logs one -c none", code: 1, says: "container none is not valid for pod one"},
		{args: "logs nowhere"},
		{args: "logs none", code: 1, says: "(NotFound)"},
		{args: "logs one -c main", viewer: true, code: 1, says: "(Forbidden)"},
	})
	t.Run("follow", func(t *testing.T) {
		follow := p.shared.begin(t, step{args: "logs -f one -c main", code: 1, says: "still nothing after 2s"})
		follow.says(t, "container main of pod one")
		follow.stillRuns(t)
		follow.says(t, "still nothing after 2s\n")
		follow.stop(t)
	})
}

// testExec sends as many bytes through a container as fill every buffer on the way, and wants them back.
func testExec(t *testing.T, p *parity) {
	text := base64.StdEncoding.EncodeToString([]byte(random(t, 200_000)))
	for _, proto := range protocols {
		path := "/api/v1/namespaces/{ns}/pods/one/"
		exec, attach := upgraded(proto.verb, path+"exec?"), upgraded(proto.verb, path+"attach?")
		traced := []rule{requests, server}
		p.shared.same(t, []step{
			{args: "exec one -c main -- ls -l", env: proto.exec, says: "asked for: ls -l"},
			{args: "exec one -c main -v=6 -- ls -l", env: proto.exec, says: exec, differ: traced},
			{args: "exec one -c main -- a;b&c=d%2fe+½/../#?", env: proto.exec, says: "asked for: a;b&c=d%2fe+½/../#?"},
			{args: "exec one -- true", env: proto.exec, says: `Defaulted container "main" out of: main, side`},
			{args: "exec -i one -c side -- cat", in: text, env: proto.exec, says: "asked for: cat\n" + text},
			{args: "exec -i one -c main -v=6 -- cat", in: text, env: proto.exec, says: exec, differ: traced},
			{args: "exec -it one -c main -- sh", in: "exit\n", env: proto.exec, says: "Unable to use a TTY"},
			{args: "exec deployment/web -- date", env: proto.exec, says: "asked for: date"},
			{args: "attach one -c side", env: proto.exec, says: "simulated container side"},
			{args: "attach -i one -c main", in: text, env: proto.exec, says: text},
			{args: "attach -i one -c main -v=6", in: text, env: proto.exec, says: attach, differ: traced},
		})
	}
}

// testInteractiveExec talks: every line is answered before the next is sent, and the end of input is the end.
func testInteractiveExec(t *testing.T, p *parity) {
	for _, proto := range protocols {
		for _, args := range []string{"exec -i one -c main -- cat", "attach -i one -c main"} {
			t.Run(proto.name+" "+args, func(t *testing.T) {
				t.Parallel()
				talk := p.shared.begin(t, step{args: args, env: proto.exec, says: "line 9"})
				talk.says(t, "simulated container")
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
