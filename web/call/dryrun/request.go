package dryrun

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Request is an API request, as a page shows it and as it is sent.
type Request struct {
	Method      string
	Path        string // the API path, without its query
	Query       url.Values
	ContentType string // of the body
	Body        []byte
}

// Dry is the same request as a dry run, as its query says it. What has its options in its body says it there as well.
func (r Request) Dry() Request {
	query := url.Values{"dryRun": {"All"}}
	for key, values := range r.Query {
		query[key] = values
	}
	r.Query = query
	return r
}

// Target is where it goes: the path with its query.
func (r Request) Target() string {
	if len(r.Query) == 0 {
		return r.Path
	}
	return r.Path + "?" + r.Query.Encode()
}

// Send is the command that sends it.
func (r Request) Send(id, cluster string) page.Send {
	return page.Send{ID: id, Method: r.Method, Cluster: cluster, Path: r.Target(), ContentType: r.ContentType, Body: r.Body}
}

// written is the request as it goes over the wire, but for what the browser adds. JSON that is in one line is laid out.
func (r Request) written() string {
	text := r.Method + " " + r.Target() + "\n"
	if len(r.Body) == 0 {
		return text
	}
	text += "Content-Type: " + r.ContentType + "\n\n"
	var lines bytes.Buffer
	if !bytes.Contains(bytes.TrimSpace(r.Body), []byte("\n")) && json.Indent(&lines, r.Body, "", "  ") == nil {
		return text + lines.String() + "\n"
	}
	return text + strings.TrimSuffix(string(r.Body), "\n") + "\n"
}
