package record

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteHAR writes entries as an HTTP archive, version 1.2, in the given order. Data for which the archive has no field is in custom
// fields. Their names begin with an underscore, as the format requires.
func WriteHAR(w io.Writer, version string, entries []Entry) error {
	a := archive{Log: harLog{
		Version: "1.2", Creator: harCreator{"Fieldmark", version}, Entries: make([]harEntry, 0, len(entries)),
		Comment: "Credentials were removed, and only the beginning of each body was recorded.",
	}}
	for _, e := range entries {
		a.Log.Entries = append(a.Log.Entries, e.archived())
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(a)
}

type archive struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Entries []harEntry `json:"entries"`
	Comment string     `json:"comment,omitempty"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"` // in milliseconds, like all times here
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`

	ID     uint64 `json:"_fieldmarkRequest"`
	Origin string `json:"_origin"`
	Verb   string `json:"_apiVerb"`
	Events int64  `json:"_watchEvents,omitempty"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	PostData    *harPost  `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int64     `json:"bodySize"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harPost struct {
	MediaType string    `json:"mimeType"`
	Params    []harPair `json:"params"`
	Text      string    `json:"text"`
	Comment   string    `json:"comment,omitempty"`
}

type harContent struct {
	Size        int64  `json:"size"`
	Compression *int64 `json:"compression,omitempty"`
	MediaType   string `json:"mimeType"`
	Text        string `json:"text,omitempty"`
	Encoding    string `json:"encoding,omitempty"`
	Comment     string `json:"comment,omitempty"`
}

type harTimings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	TLS     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// unknown is the format's value for a time that wasn't measured.
const unknown = -1

func (e Entry) archived() harEntry {
	h := harEntry{
		Started: e.Began().UTC().Format("2006-01-02T15:04:05.000Z07:00"), Time: millis(e.Took),
		Request: e.sent(), Response: e.received(), ID: e.ID, Origin: e.Origin, Verb: e.Verb, Events: e.Events, Comment: e.Error,
	}
	wait := min(e.First, e.Took)
	if e.First == 0 {
		wait = e.Took
	}
	h.Timings = harTimings{Blocked: unknown, DNS: unknown, Connect: unknown, TLS: unknown, Wait: millis(wait), Receive: millis(e.Took - wait)}
	h.Time = h.Timings.Wait + h.Timings.Receive
	if !e.Done {
		h.Comment = "Not complete when it was exported."
	}
	return h
}

func millis(micros int64) float64 {
	return float64(micros) / float64(time.Millisecond/time.Microsecond)
}

func (e Entry) sent() harRequest {
	r := harRequest{
		Method: e.Method, URL: e.Server + e.Target(), HTTPVersion: e.version(), Cookies: []harPair{}, Headers: pairs(e.Request),
		Query: query(e.Query), HeadersSize: unknown, BodySize: e.Request.Bytes,
	}
	if e.Request.Bytes > 0 {
		text, encoding := e.Request.bodyText()
		r.PostData = &harPost{MediaType: e.Request.MediaType, Params: []harPair{}, Text: text, Comment: e.Request.missingNote()}
		if encoding != "" {
			r.PostData.Comment = strings.TrimSpace(r.PostData.Comment + " In " + encoding + ".")
		}
	}
	return r
}

func (e Entry) received() harResponse {
	size, known := e.Decoded()
	if !known {
		size = e.Got
	}
	r := harResponse{
		Status: e.Status, HTTPVersion: e.version(), Cookies: []harPair{}, Headers: pairs(e.Answer),
		Content: harContent{Size: size, MediaType: e.Answer.MediaType, Comment: e.Answer.missingNote()}, RedirectURL: e.Answer.Get("Location"),
		HeadersSize: unknown, BodySize: e.Got,
	}
	if e.Status == 0 {
		r.BodySize = unknown
	}
	if e.Coding != "" && known {
		saved := size - e.Got
		r.Content.Compression = &saved
	}
	r.Content.Text, r.Content.Encoding = e.Answer.bodyText()
	return r
}

func (e Entry) version() string {
	if e.Proto == "" {
		return "unknown"
	}
	return e.Proto
}

// bodyText is a body as an archive has it: text, or base64.
func (s Side) bodyText() (text, encoding string) {
	if len(s.Body) == 0 || utf8.Valid(s.Body) && !s.Binary() {
		return string(s.Body), ""
	}
	return base64.StdEncoding.EncodeToString(s.Body), "base64"
}

// missingNote says which part of a body is missing.
func (s Side) missingNote() string {
	switch {
	case s.Withheld != "":
		return "Not recorded: " + s.Withheld + "."
	case s.Cut:
		return "Only the beginning of the body was recorded."
	}
	return ""
}

func pairs(s Side) []harPair {
	all := make([]harPair, 0, len(s.Header))
	for _, f := range s.Header {
		all = append(all, harPair(f))
	}
	return all
}

// query splits a query into its parameters, in their order.
func query(raw string) []harPair {
	all := []harPair{}
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		all = append(all, harPair{unescapeQuery(name), unescapeQuery(value)})
	}
	return all
}

func unescapeQuery(escaped string) string {
	if text, err := url.QueryUnescape(escaped); err == nil {
		return text
	}
	return escaped
}
