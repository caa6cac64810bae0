package program

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// families are the loopback addresses that this machine has.
func families(t *testing.T) []string {
	t.Helper()
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("SKIPPED, NOT TESTED: this machine has no IPv6 loopback: %v", err)
	}
	_ = l.Close()
	return []string{"127.0.0.1", "::1"}
}

// What is printed holds the way in. A name may lead a browser to the other family, where another user of the machine may listen.
func TestPrintedAddressIsANumberThatIsBound(t *testing.T) {
	for listen, c := range map[string]struct {
		printed string
		answers []string
		hosts   []string
	}{
		"127.0.0.1:0":           {"127.0.0.1", []string{"127.0.0.1"}, []string{"127.0.0.1", "localhost"}},
		"[::1]:0":               {"::1", []string{"::1"}, []string{"[::1]", "localhost"}},
		"localhost:0":           {"127.0.0.1", families(t), []string{"127.0.0.1", "[::1]", "localhost"}},
		"LOCALHOST:0":           {"127.0.0.1", families(t), []string{"127.0.0.1", "[::1]", "localhost"}},
		"fieldmark.localhost:0": {"127.0.0.1", families(t), []string{"127.0.0.1", "[::1]", "localhost", "fieldmark.localhost"}},
		":0":                    {"127.0.0.1", families(t), []string{"127.0.0.1", "[::1]", "localhost"}},
		"0.0.0.0:0":             {"127.0.0.1", families(t), []string{"127.0.0.1", "[::1]", "localhost"}},
		"[::]:0":                {"127.0.0.1", families(t), []string{"127.0.0.1", "[::1]", "localhost"}},
	} {
		t.Run(listen, func(t *testing.T) {
			f := start(t, nil, "--practice", "off", "--listen", listen)
			at, err := url.Parse(f.base)
			if err != nil || at.Hostname() != c.printed {
				t.Fatalf("printed is %s (%v), want %s", f.base, err, c.printed)
			}
			for _, ip := range c.answers {
				for _, host := range c.hosts {
					f.base = "http://" + net.JoinHostPort(ip, at.Port())
					r := f.request("GET", "/healthz")
					r.Host = host + ":" + at.Port()
					resp, err := http.DefaultTransport.RoundTrip(r)
					if err != nil {
						t.Errorf("%s does not answer: %v", ip, err)
						continue
					}
					_ = resp.Body.Close()
					if resp.StatusCode != http.StatusOK {
						t.Errorf("%s as %s answers %d", ip, r.Host, resp.StatusCode)
					}
				}
			}
		})
	}
}

func TestLocalhostIsBoundInBothFamiliesOrNotAtAll(t *testing.T) {
	for _, taken := range families(t) {
		l, err := net.Listen("tcp", net.JoinHostPort(taken, "0"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		_, port, _ := net.SplitHostPort(l.Addr().String())
		for _, listen := range []string{"localhost:", "fieldmark.localhost:", ":", "[::]:", "0.0.0.0:"} {
			runToEnd(t, nil, "--practice", "off", "--listen", listen+port).oneLine(t, 1, "cannot listen on ", port, "in use", "--listen")
		}
	}
}

// The kubeconfig leads kubectl to the printed address, and the certificate in it must be good for that address.
func TestKubeconfigAndCertificateAgreeOnTheAddress(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:0", "127.0.0.2:0", "localhost:0", ":0", "[::1]:0"} {
		if strings.Contains(listen, "::1") {
			families(t)
		}
		out := filepath.Join(t.TempDir(), "kubeconfig")
		f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, deadContext), "--listen", listen, "--kubeconfig-out", out)
		var config struct {
			Clusters []struct {
				Cluster struct {
					Server  string
					Trusted []byte `json:"certificate-authority-data"`
				}
			}
		}
		text, err := os.ReadFile(out)
		if err == nil {
			err = yaml.Unmarshal(text, &config)
		}
		if err != nil || len(config.Clusters) != 1 {
			t.Fatalf("%s %v", text, err)
		}
		one := config.Clusters[0].Cluster
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(one.Trusted)
		client := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
		at, err := url.Parse(one.Server)
		if err != nil || "http://"+at.Host != f.base {
			t.Errorf("%s: the kubeconfig leads to %s, printed is %s", listen, one.Server, f.base)
		}
		f.base = "https://" + at.Host
		resp, err := client.RoundTrip(f.request("GET", "/healthz"))
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %v", listen, err)
			continue
		}
		_ = resp.Body.Close()
		client.CloseIdleConnections()
	}
}

func TestTypedIsANameOnly(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 5), Port: 8080}
	for listen, want := range map[string]string{
		"fieldmark.lan:0": "fieldmark.lan:8080", "fieldmark.lan:http": "fieldmark.lan:8080", "localhost:0": "localhost:8080",
		"10.0.0.5:0": "", ":0": "", "[::]:0": "", "[::1]:0": "", "0.0.0.0:0": "", "nonsense": "",
	} {
		if got := namedHost(listen, at); got != want {
			t.Errorf("%s: %q, want %q", listen, got, want)
		}
	}
}

func TestJoinedListenersEndTogether(t *testing.T) {
	var all []net.Listener
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	j := join(all...)
	for _, l := range all {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		got, err := j.Accept()
		if err != nil || got.RemoteAddr().String() != c.LocalAddr().String() {
			t.Fatalf("%v %v", got, err)
		}
		_ = got.Close()
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if _, err := j.Accept(); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("accepting after the end: %v", err)
	}
	for _, l := range all {
		if again, err := net.Listen("tcp", l.Addr().String()); err != nil {
			t.Errorf("%s is still taken: %v", l.Addr(), err)
		} else {
			_ = again.Close()
		}
	}
}
