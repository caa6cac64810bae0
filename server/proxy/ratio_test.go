package proxy_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// TestRatios measures the proxy, in a process of its own, against the bare API server of a kubeconfig, in alternating
// rounds. It is no test of a limit, and runs only when asked:
//
//	FIELDMARK_RATIOS=kubeconfig go test -run TestRatios -v ./server/proxy
//
// FIELDMARK_RATIO_PATHS holds paths, separated by spaces; FIELDMARK_KUBECTL names a kubectl to compare with.
func TestRatios(t *testing.T) {
	kubeconfig := os.Getenv("FIELDMARK_RATIOS")
	if kubeconfig == "" {
		t.Skip("FIELDMARK_RATIOS names no kubeconfig")
	}
	if os.Getenv("FIELDMARK_RATIO_SERVER") != "" {
		serveRatio(t, kubeconfig)
		return
	}
	paths := strings.Fields(os.Getenv("FIELDMARK_RATIO_PATHS"))
	if len(paths) == 0 {
		paths = []string{"/api/v1/namespaces/default"}
	}
	ways := []way{
		bare(t, kubeconfig, "bare h2", true), bare(t, kubeconfig, "bare h1", false),
	}
	address, pid := child(t)
	ways = append(ways, way{"fieldmark", "http://" + address + "/clusters/one", bearer{&http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}, pid})
	if kubectl := os.Getenv("FIELDMARK_KUBECTL"); kubectl != "" {
		ways = append(ways, kubectlProxy(t, kubectl, kubeconfig))
	}
	for _, path := range paths {
		compare(t, path, ways)
	}
}

type way struct {
	name, base string
	via        http.RoundTripper
	pid        int // of the proxy, for its share of the work
}

type bearer struct{ next http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header["Authorization"] = []string{"Bearer " + launchToken}
	return b.next.RoundTrip(r)
}

func loadConfig(t *testing.T, kubeconfig string) *rest.Config {
	cfg, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func bare(t *testing.T, kubeconfig, name string, http2 bool) way {
	cfg := loadConfig(t, kubeconfig)
	secure, err := rest.TLSConfigFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	via := &http.Transport{TLSClientConfig: secure, DisableCompression: true, MaxIdleConnsPerHost: 64, ForceAttemptHTTP2: http2}
	if !http2 {
		via.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	return way{name, cfg.Host, via, 0}
}

// compare alternates the ways and prints the median rate of each.
func compare(t *testing.T, path string, ways []way) {
	const rounds = 7
	rates, work := make([][]float64, len(ways)), make([]time.Duration, len(ways))
	for range rounds {
		for i, w := range ways {
			used, per := cpu(w.pid), rate(t, w, path)
			rates[i] = append(rates[i], per)
			work[i] += time.Duration(float64(cpu(w.pid)-used) / (per * length.Seconds()) / rounds)
		}
	}
	first := 0.0
	for i, w := range ways {
		slices.Sort(rates[i])
		median := rates[i][rounds/2]
		if i == 0 {
			first = median
		}
		t.Logf("%-40.40s %-14s %8.0f/s  %.2f  proxy's CPU %v per request", path, w.name, median, median/first, work[i].Round(time.Microsecond))
	}
}

// cpu is what a process has used so far; 0 where /proc has no answer.
func cpu(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	var ticks [2]int64
	for i := range ticks {
		ticks[i], _ = strconv.ParseInt(strings.Fields(after)[11+i], 10, 64)
	}
	return time.Duration(ticks[0]+ticks[1]) * 10 * time.Millisecond
}

const length = 1500 * time.Millisecond // of a round

func rate(t *testing.T, w way, path string) float64 {
	const workers = 8
	var done atomic.Int64
	var wait sync.WaitGroup
	end := time.Now().Add(length)
	for range workers {
		wait.Go(func() {
			for time.Now().Before(end) {
				if err := once(w, path); err != nil {
					t.Errorf("%s: %v", w.name, err)
					return
				}
				done.Add(1)
			}
		})
	}
	wait.Wait()
	return float64(done.Load()) / length.Seconds()
}

func once(w way, path string) error {
	r, err := http.NewRequest(http.MethodGet, w.base+path, nil)
	if err != nil {
		return err
	}
	resp, err := w.via.RoundTrip(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// child runs this test again, as the server.
func child(t *testing.T) (address string, pid int) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestRatios$")
	cmd.Env = append(os.Environ(), "FIELDMARK_RATIO_SERVER=1")
	return strings.TrimPrefix(firstLine(t, cmd), "ready "), cmd.Process.Pid
}

func firstLine(t *testing.T, cmd *exec.Cmd) string {
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe() // its end tells the child to go
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); time.Sleep(200 * time.Millisecond); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func kubectlProxy(t *testing.T, kubectl, kubeconfig string) way {
	cmd := exec.Command(kubectl, "--kubeconfig", kubeconfig, "proxy", "--port=0")
	line := firstLine(t, cmd)
	return way{"kubectl proxy", "http://" + line[strings.LastIndexByte(line, ' ')+1:], &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}, cmd.Process.Pid}
}

func serveRatio(t *testing.T, kubeconfig string) {
	target := clientTarget(t, kubeconfig)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g, err := guard.New(guard.Options{Listen: []string{l.Addr().String()}, Token: launchToken})
	if err != nil {
		t.Fatal(err)
	}
	p := proxy.New(proxy.Options{
		Resolve: func(context.Context, string) (*upstream.Target, error) { return target, nil },
		Tap:     wiretap.New(wiretap.Options{}),
	})
	if file := os.Getenv("FIELDMARK_RATIO_PROFILE"); file != "" {
		f, _ := os.Create(file)
		_ = pprof.StartCPUProfile(f)
		defer func() { pprof.StopCPUProfile(); _ = f.Close() }()
	}
	s := g.Server(g.Wrap(p))
	go func() { _ = s.Serve(guard.Listener(l)) }()
	fmt.Println("ready", l.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func clientTarget(t *testing.T, kubeconfig string) *upstream.Target {
	cfg := loadConfig(t, kubeconfig)
	base, err := url.Parse(cfg.Host)
	if err != nil {
		t.Fatal(err)
	}
	secure, err := rest.TLSConfigFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return upstream.New(base, upstream.Config{TLS: secure, Wrap: func(rt http.RoundTripper) http.RoundTripper {
		wrapped, err := rest.HTTPWrappersForConfig(cfg, rt)
		if err != nil {
			t.Fatal(err)
		}
		return wrapped
	}})
}
