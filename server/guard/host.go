package guard

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// allowHosts lists the allowed Host headers. An attacker can change the DNS entry of a foreign name to this machine (DNS rebinding). For
// a browser, Fieldmark then has the origin of the attacker's page. Only the Host header shows it (threat: DNS rebinding). With a public
// address, that is the only one.
func (g *Guard) allowHosts() (cookie string, err error) {
	g.hosts, g.origins = map[string]bool{}, map[string]bool{}
	if g.opt.Public != nil {
		g.allowed(strings.ToLower(g.opt.Public.Host))
		return "", nil
	}
	for i, address := range g.opt.Listen {
		host, port, err := net.SplitHostPort(address)
		if err != nil || port == "" || port == "0" {
			return "", fmt.Errorf("listen address %q has no port", address)
		}
		if i == 0 {
			cookie = "fieldmark_" + port
		}
		for _, name := range []string{"127.0.0.1", "localhost", "::1", host} {
			g.allow(name, port)
		}
	}
	for _, host := range g.opt.Hosts {
		g.allowed(strings.ToLower(host))
	}
	return cookie, nil
}

func (g *Guard) allow(name, port string) {
	if addr, err := netip.ParseAddr(name); name == "" || err == nil && addr.IsUnspecified() {
		return // 0.0.0.0 is an address to listen on, not one in a Host header
	}
	name = strings.ToLower(name)
	g.allowed(net.JoinHostPort(name, port))
	if port == "80" {
		if strings.Contains(name, ":") {
			name = "[" + name + "]"
		}
		g.allowed(name)
	}
}

func (g *Guard) allowed(host string) {
	g.hosts[host] = true
	g.origins[g.scheme()+host] = true
}

// scheme is how our own origins begin.
func (g *Guard) scheme() string {
	if g.opt.Public != nil {
		return g.opt.Public.Scheme + "://"
	}
	return "http://"
}

func (g *Guard) hostAllowed(host string) bool {
	return g.hosts[host] || g.hosts[strings.ToLower(host)]
}

// ownOrigin reports whether the Origin header is exactly the origin that the request was sent to. Another name or
// port of this machine doesn't count: other programs use other ports of localhost (threat: foreign WebSocket).
func (g *Guard) ownOrigin(r *http.Request) bool {
	origins := r.Header["Origin"]
	return len(origins) == 1 && g.origins[origins[0]] && strings.EqualFold(origins[0], g.scheme()+r.Host)
}
