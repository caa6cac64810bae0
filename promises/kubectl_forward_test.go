package promises

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"sync"
	"testing"
)

// testPortForward opens several connections at once through each way; each must give back what it is sent.
func testPortForward(t *testing.T, p *parity) {
	for _, proto := range protocols {
		for target, ready := range map[string]string{"pod/one :80 :81": "-> 81\n", "service/web :80": "-> 8080\n"} {
			t.Run(proto.name+" "+target, func(t *testing.T) {
				t.Parallel()
				s := step{
					args: "port-forward --address=127.0.0.1 -v=6 " + target, env: proto.forward,
					says: "Handling connection for", differ: []rule{requests, server, ports},
				}
				forward := p.shared.begin(t, s)
				forward.says(t, ready)
				each(func() { echoes(t, forward.direct) }, func() { echoes(t, forward.through) })
				want := upgradeLine(proto.verb, p.through.server)
				if !want.MatchString(forward.through.stderr.String()) {
					t.Errorf("through Fieldmark, it did not use %s:\n%s", proto.name, clip(forward.through.stderr.String()))
				}
				forward.stop(t)
			})
		}
	}
}

func upgradeLine(verb, server string) *regexp.Regexp {
	return regexp.MustCompile(`"Response" verb="` + verb + `" url="` + regexp.QuoteMeta(server) + `/\S+/portforward" status="101 `)
}

var forwarded = regexp.MustCompile(`Forwarding from (127\.0\.0\.1:\d+) ->`)

// echoes sends more than fits in any buffer over several connections to each port at once.
func echoes(t *testing.T, r *running) {
	sent := []byte(random(t, 150_000))
	var all sync.WaitGroup
	defer all.Wait()
	for _, port := range forwarded.FindAllStringSubmatch(r.stdout.String(), -1) {
		for range 3 {
			all.Go(func() {
				if got, err := echo(port[1], sent); err != nil || !bytes.Equal(got, sent) {
					t.Errorf("%s: sent %d bytes, got %d back: %v", r.name, len(sent), len(got), err)
				}
			})
		}
	}
}

// echo posts everything to a simulated web server, which sends it back.
func echo(address string, sent []byte) ([]byte, error) {
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post("http://"+address+"/echo", "application/octet-stream", bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}
