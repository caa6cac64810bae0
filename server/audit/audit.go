// Package audit writes one line about each write: who, what, where, and how it ended. The lines are JSON, for programs that collect them.
// They have no bodies, no queries, no headers and no tokens, and a path has no credentials. The API server's own audit log has more; each line names the entry there.
package audit

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// RequestHeader is the header of a response that names its line.
const RequestHeader = "Fieldmark-Request"

// Options are the parameters of a Log.
type Options struct {
	// To receives the lines.
	To   io.Writer
	Rand io.Reader
	Now  func() time.Time
}

// Log writes the lines. It is safe for concurrent use.
type Log struct {
	opt   Options
	lines *slog.Logger
}

// New makes a Log.
func New(o Options) *Log {
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Log{opt: o, lines: slog.New(slog.NewJSONHandler(o.To, nil))}
}

// Wrap notes the writes that next handles. It belongs behind the guard, which refuses strangers. A connection to a workload is noted
// when it begins, everything else when it has ended.
func (l *Log) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, ok := guard.SessionFrom(r.Context())
		write, is := describe(r)
		if !ok || !is {
			next.ServeHTTP(w, r)
			return
		}
		line := &line{ResponseWriter: w, log: l, session: s, write: write, id: l.id(), began: l.opt.Now(), code: http.StatusOK}
		w.Header().Set(RequestHeader, line.id)
		defer line.writeLine()
		next.ServeHTTP(line, r)
	})
}

// id names a line. Without randomness it is empty.
func (l *Log) id() string {
	var b [8]byte
	if _, err := io.ReadFull(l.opt.Rand, b[:]); err != nil {
		return ""
	}
	return hex.EncodeToString(b[:])
}

// write is what a request wants to change.
type write struct {
	verb, path, cluster string
	dryRun              bool
}

// describe tells whether a request may change something. A request that the proxy can't read is described as it came. The client's words
// alone never make a write a read, or a dry run (threat: hidden write).
func describe(r *http.Request) (write, bool) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	cluster, rest, err := proxy.Split(r.URL.EscapedPath())
	if err != nil {
		return write{verb: r.Method, path: wiretap.Path(r.URL.EscapedPath(), apipath.Path{}, false)}, !reads
	}
	path, err := apipath.Parse(rest)
	if err != nil {
		return write{verb: r.Method, path: wiretap.Path(rest, apipath.Path{}, false), cluster: cluster}, !reads
	}
	w := write{verb: cmp.Or(apipath.Verb(r.Method, path, r.URL.Query()), r.Method), path: wiretap.Path(path.String(), path, true), cluster: cluster}
	upgrade := r.Header.Get("Upgrade") != "" && w.verb != "watch"
	if reads && !path.Connects() && !upgrade {
		return write{}, false
	}
	w.dryRun = guard.DryRun(r, path)
	return w, true
}

// line is the response to a write, until its line is written.
type line struct {
	http.ResponseWriter
	log     *Log
	session guard.Session
	write   write
	id      string
	began   time.Time
	code    int
	written bool
}

// WriteHeader notes the final status code.
func (l *line) WriteHeader(code int) {
	if code >= http.StatusOK {
		l.code = code
	}
	l.ResponseWriter.WriteHeader(code)
}

// Hijack writes the line of a connection to a workload, which may last for hours.
func (l *line) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	l.code = http.StatusSwitchingProtocols
	l.writeLine()
	return http.NewResponseController(l.ResponseWriter).Hijack()
}

// Unwrap lets http.ResponseController reach what lies beneath.
func (l *line) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// writeLine writes the line, once. After a panic the response was cut off, which the code says, too.
func (l *line) writeLine() {
	trouble := recover()
	if trouble != nil {
		l.code = 0
		defer panic(trouble)
	}
	if l.written {
		return
	}
	l.written = true
	fields := []slog.Attr{
		slog.String("verb", l.write.verb), slog.String("path", l.write.path), slog.Int("status", l.code),
		slog.String("request", l.id), slog.String("session", l.session.ID),
		slog.Float64("seconds", l.log.opt.Now().Sub(l.began).Seconds()),
	}
	if l.write.cluster != "" {
		fields = append(fields, slog.String("cluster", l.write.cluster))
	}
	if l.write.dryRun {
		fields = append(fields, slog.Bool("dry_run", true))
	}
	if id := l.Header().Get("Audit-Id"); id != "" {
		fields = append(fields, slog.String("audit_id", id))
	}
	if v := l.session.View; !v.None() && v.Cluster == l.write.cluster {
		fields = append(fields, slog.String("as", v.As.User))
	}
	if p := l.session.Person; p != nil {
		fields = append(fields, slog.String("user", p.Name), slog.String("person", p.Key), slog.String("way", string(p.Way)))
	}
	l.log.lines.LogAttrs(context.Background(), slog.LevelInfo, "write", fields...)
}
