package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/run/logs"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// The bounds of what the server reads for a page of logs. The browser reads the rest.
const (
	maxLogPods  = 250     // that are listed
	maxLogs     = 20      // that are read
	maxLogBytes = 1 << 20 // of each log
	fewerLines  = 8       // the divisor of the number of lines, if they are longer than that
)

// logs is the page of an object's logs, with the last lines of its containers.
func (v making) logs(s subject.Subject) logs.Model {
	m := logs.Model{Subject: s, Options: logs.ParseOptions(v.Request().URL.Query())}
	v.pods(&m)
	v.readLogs(&m)
	m.Subject.Shell.Requests = v.Requests(v.Path.String())
	return m
}

// pods finds the pods whose logs are shown: the object itself, or those that it selects.
func (v making) pods(m *logs.Model) {
	if v.Path.Resource == "pods" {
		m.Pods = v.Path.String()
		if text, err := json.Marshal(m.Subject.Object); err == nil {
			v.found(m, text)
		}
		return
	}
	_, selector, ok := reference.PodSelector(manifest.Tree(m.Subject.Object.WithoutManagedFields().Fields))
	if !ok {
		return
	}
	query := url.Values{"labelSelector": {selector.String()}}
	pods := apipath.Collection("", "v1", v.Path.Namespace, "pods")
	m.Pods = visit.WithQuery(pods, query)
	query.Set("limit", strconv.Itoa(maxLogPods))
	body, err := v.Get(visit.WithQuery(pods, query), "application/json")
	if err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &notice
		return
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		_, notice := visit.Explain(err)
		m.Problem = &notice
		return
	}
	for _, item := range list.Items {
		v.found(m, item)
	}
}

func (v making) found(m *logs.Model, text []byte) {
	if p, err := podlog.ReadPod(text); err == nil {
		m.Found = append(m.Found, p)
	}
}

// readLogs reads the last lines of the containers that have a log, at the same time, and merges them.
func (v making) readLogs(m *logs.Model) {
	type reading struct {
		lines []podlog.Line
		read  logs.Read
	}
	readings := make([]reading, 0, maxLogs)
	var wg rescue.Group
	for p, c := range m.Readable() {
		if len(readings) == maxLogs {
			break
		}
		readings = append(readings, reading{})
		r := &readings[len(readings)-1]
		wg.Go(func() { r.lines, r.read = v.readLog(p, c, m.Options) })
	}
	wg.Wait()
	all := podlog.Log{MaxLines: logs.Tail * maxLogs, MaxBytes: maxLogBytes * maxLogs}
	for _, r := range readings {
		for i := range r.lines {
			r.lines[i].Source = len(m.Read)
		}
		m.Read = append(m.Read, r.read)
		all.Add(r.lines...)
	}
	m.Lines = all.Lines()
	m.Earlier = len(m.Lines) > logs.Tail
	if m.Options.Line.Time.IsZero() {
		m.Lines = m.Lines[max(0, len(m.Lines)-logs.Tail):]
	} else {
		m.Lines = m.Lines[:min(len(m.Lines), logs.Tail)]
	}
}

// readLog reads the last lines of one log. The API server counts limitBytes from the first of the lines, so a response that reaches the limit lacks the
// newest ones. Then fewer lines are asked for.
func (v making) readLog(p podlog.Pod, c podlog.Container, o logs.Options) ([]podlog.Line, logs.Read) {
	read := logs.Read{Pod: p.Name, Container: c.Name}
	for tail := o.Last(); ; tail = max(1, tail/fewerLines) {
		body, err := v.logText(logs.Path(p, c.Name, o, tail))
		if err != nil {
			if no, ok := errors.AsType[*api.Error](err); ok {
				read.No = &no.Status
			}
			return nil, read
		}
		if len(body) >= maxLogBytes {
			if read.Cut = true; tail > 1 && o.Line.Time.IsZero() {
				continue
			}
		}
		reader := podlog.Reader{Stamped: true}
		lines := reader.Read(body)
		if last, ok := reader.Rest(); ok && len(body) < maxLogBytes && !bytes.HasSuffix(body, []byte("\n")) {
			lines = append(lines, last)
		}
		return withTimes(lines), read
	}
}

// logText is the text of a log, up to maxLogBytes.
func (v making) logText(path string, query url.Values) ([]byte, error) {
	query.Set("limitBytes", strconv.Itoa(maxLogBytes))
	answer, err := v.Client().Do(v.Context(), api.Request{Path: path + "?" + query.Encode(), Accept: "*/*", MaxBytes: 2 * maxLogBytes})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// withTimes gives lines without a time that of the line before, so that they are merged after it.
func withTimes(lines []podlog.Line) []podlog.Line {
	for i := 1; i < len(lines); i++ {
		if lines[i].Time.IsZero() {
			lines[i].Time = lines[i-1].Time
		}
	}
	return lines
}
