package program

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fieldmark/fieldmark/server/lasting"
	"github.com/fieldmark/fieldmark/web"
)

// metrics are counted without names of clusters, namespaces or objects: the page that shows them
// needs no session.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	open     *prometheus.GaugeVec
}

func newMetrics() *metrics {
	labels := []string{"kind"}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fieldmark_http_requests_total", Help: "Completed requests, by kind (page, api, static, other) and status code.",
		}, []string{"kind", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fieldmark_http_request_duration_seconds", Help: "Time from a request to the end of its response, by kind. The time of a watch is how long it was open.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60, 600},
		}, labels),
		open: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "fieldmark_http_requests_open", Help: "Requests in progress, by kind.",
		}, labels),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.open, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// countRequests counts the requests that next handles.
func (m *metrics) countRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := kindOf(r.URL.Path)
		open := m.open.WithLabelValues(kind)
		open.Inc()
		start := time.Now()
		code := http.StatusOK
		noted := &codeWriter{ResponseWriter: w, code: &code} // what is done at the end keeps the code, and not the writer with its buffers
		defer lasting.Done(r.Context(), func() {
			open.Dec()
			m.seconds.WithLabelValues(kind).Observe(time.Since(start).Seconds())
			m.requests.WithLabelValues(kind, strconv.Itoa(code)).Inc()
		})
		next.ServeHTTP(noted, r)
	})
}

func kindOf(path string) string {
	switch {
	case strings.HasPrefix(path, web.APIRoot):
		return "api"
	case path == web.Home || path == web.Search || strings.HasPrefix(path, web.PageRoot):
		return "page"
	case strings.HasPrefix(path, web.Static):
		return "static"
	default:
		return "other"
	}
}

// codeWriter notes the status code of a response.
type codeWriter struct {
	http.ResponseWriter
	code *int
}

// WriteHeader notes the final status code, not the informational ones (1xx).
func (w *codeWriter) WriteHeader(code int) {
	if code >= http.StatusOK || code == http.StatusSwitchingProtocols {
		*w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController reach what lies beneath: flushing, upgrades.
func (w *codeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
