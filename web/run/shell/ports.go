package shell

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
)

// lowest is the first port that programs without special rights may listen on.
const lowest = 1024

// local is the port of the reader's machine for a port of the pod.
func (p port) local() int {
	if p.Number < lowest {
		return 8000 + p.Number
	}
	return p.Number
}

// forwards tells whether Kubernetes can forward the port: it forwards only TCP.
func (p port) forwards() bool { return p.Protocol == "TCP" }

// forward is the command of kubectl that forwards the port.
func (p port) forward(namespace, pod string) string {
	ports := strconv.Itoa(p.local()) + ":" + strconv.Itoa(p.Number)
	return strings.Join([]string{"kubectl", "port-forward", "pod/" + request.Quote(pod), ports, "-n", request.Quote(namespace)}, " ")
}
