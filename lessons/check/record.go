package check

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// entryType is the media type for one request of the wire log.
const entryType = "application/vnd.fieldmark.entry+json"

// exchanges are requests of kubectl, in order.
type exchanges []exchange

// exchange is a request in an HTTP archive.
type exchange struct {
	ID      uint64 `json:"_fieldmarkRequest"`
	Request struct {
		Method  string          `json:"method"`
		URL     string          `json:"url"`
		Headers []lesson.Header `json:"headers"`
	} `json:"request"`
	Response struct {
		Status int `json:"status"`
	} `json:"response"`
}

// path and query of the request.
func (x exchange) target() (path, query string) {
	u, err := url.Parse(x.Request.URL)
	if err != nil {
		return "", ""
	}
	return u.EscapedPath(), u.RawQuery
}

func (x exchange) byKubectl() bool {
	return slices.ContainsFunc(x.Request.Headers, func(h lesson.Header) bool {
		return strings.EqualFold(h.Name, "User-Agent") && strings.HasPrefix(h.Value, "kubectl/")
	})
}

// findRequest returns the first request that is the lesson's request and has a response.
func (all exchanges) findRequest(q lesson.Request) (id uint64, ok bool) {
	for _, x := range all {
		if path, query := x.target(); x.Response.Status != 0 && q.IsMadeBy(x.Request.Method, path, query) {
			return x.ID, true
		}
	}
	return 0, false
}

// wrote tells whether any request may have changed something.
func (all exchanges) wrote() bool {
	return slices.ContainsFunc(all, func(x exchange) bool { return x.Request.Method != request.Get })
}

func (all exchanges) String() string {
	if len(all) == 0 {
		return "none for this path"
	}
	var made []string
	for _, x := range all {
		path, query := x.target()
		made = append(made, strings.TrimSuffix(x.Request.Method+" "+path+"?"+query, "?"))
	}
	return strings.Join(made, ", ")
}

// since returns the requests of kubectl after a mark whose path is equal to a request's path, or near it.
func (c *Client) since(ctx context.Context, q lesson.Request, mark uint64) (exchanges, error) {
	path, _, _ := strings.Cut(q.Target, "?")
	near := path[:strings.LastIndexByte(path, '/')] // for an object, its collection, because a create goes there
	address := c.server + "/c/" + c.slug(q.As) + "/-/requests.har?" + url.Values{"origin": {record.Client}, "text": {near}}.Encode()
	var archive struct {
		Log struct {
			Entries exchanges `json:"entries"`
		} `json:"log"`
	}
	if err := c.get(ctx, address, "application/json", &archive); err != nil {
		return nil, fmt.Errorf("the requests of kubectl can't be read: %w", err)
	}
	return slices.DeleteFunc(archive.Log.Entries, func(x exchange) bool { return x.ID <= mark || !x.byKubectl() }), nil
}

// entry is one request of the wire log, after its response is complete.
func (c *Client) entry(ctx context.Context, slug string, id uint64) (record.Entry, error) {
	address := c.server + "/c/" + slug + "/-/requests?entry=" + strconv.FormatUint(id, 10)
	for until := time.Now().Add(recordTime); ; time.Sleep(recordPause) {
		var e record.Entry
		err := c.get(ctx, address, entryType, &e)
		if err != nil || e.Done || time.Now().After(until) {
			return e, err
		}
	}
}

// get sends a request to Fieldmark itself.
func (c *Client) get(ctx context.Context, address, accept string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fmt.Errorf("the request can't be made: %w", err)
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("the request wasn't answered: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", strings.TrimPrefix(address, c.server), answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		return fmt.Errorf("%s: %s", strings.TrimPrefix(address, c.server), status.Excerpt([]byte(err.Error()), 200))
	}
	return nil
}
