package tools

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/podlog"
)

// happening is the arguments of events.
type happening struct {
	target
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

// event is an event, in an answer.
type event struct {
	Last    time.Time `json:"last"`
	Type    string    `json:"type"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Times   int       `json:"times,omitempty"`
	Object  string    `json:"object"`
}

// servedEvent is an event as the API has it.
type servedEvent struct {
	Metadata struct{ CreationTimestamp time.Time } `json:"metadata"`
	Type     string                                `json:"type"`
	Reason   string                                `json:"reason"`
	Message  string                                `json:"message"`
	Count    int                                   `json:"count"`
	Last     *time.Time                            `json:"lastTimestamp"`
	At       *time.Time                            `json:"eventTime"`
	Series   *struct {
		Count int       `json:"count"`
		Last  time.Time `json:"lastObservedTime"`
	} `json:"series"`
	Object struct{ Kind, Namespace, Name string } `json:"involvedObject"`
}

func (d *desk) events(ctx context.Context, in happening) (a Answer, err error) {
	query := url.Values{"limit": {"500"}}
	var c Cluster
	namespace := in.Namespace
	if in.Name != "" {
		if in.Resource == "" {
			return a, sorry("The events of an object need its resource, too.")
		}
		p, err := d.read(ctx, in.target)
		if err != nil {
			return a, err
		}
		c, namespace = p.cluster, p.path.Namespace
		query.Set("fieldSelector", p.object.EventSelector())
	} else if c, err = d.open(ctx, in.Cluster); err != nil {
		return a, err
	}
	if namespace == "" && in.Name == "" {
		namespace = c.Namespace()
	}
	body, err := get(ctx, c, apipath.Collection("", "v1", namespace, "events").String()+"?"+query.Encode(), "application/json")
	if err != nil {
		return a, err
	}
	var list struct {
		Metadata struct{ Continue string } `json:"metadata"`
		Items    []servedEvent             `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return a, failure{"The response of the API server can't be read.", err.Error()}
	}
	all := make([]event, 0, len(list.Items))
	for _, e := range list.Items {
		all = append(all, d.event(e))
	}
	slices.SortStableFunc(all, func(x, y event) int { return y.Last.Compare(x.Last) })
	a.Says = count(len(all), "event", "events") + ", the newest first."
	if list.Metadata.Continue != "" {
		a.Says = "The API server has more than 500 events here. These are the newest of those that it sent first; name an object to see all of its events."
	}
	some, err := page(all, in.Cursor, bounded(in.Limit, 20, 100), &a)
	a.Data = map[string]any{"events": some}
	return a, err
}

// event is an event of the API in an answer.
func (d *desk) event(e servedEvent) event {
	one := event{Last: e.Metadata.CreationTimestamp, Type: e.Type, Reason: cut(e.Reason, 100), Message: cut(d.Redact.Text(e.Message), 400), Times: e.Count, Object: cut(e.Object.Kind+" "+e.Object.Name, 300)}
	for _, at := range []*time.Time{e.At, e.Last} {
		if at != nil && at.After(one.Last) {
			one.Last = *at
		}
	}
	if e.Series != nil {
		one.Times = e.Series.Count
		if e.Series.Last.After(one.Last) {
			one.Last = e.Series.Last
		}
	}
	return one
}

// logging is the arguments of logs.
type logging struct {
	Cluster   string `json:"cluster"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Container string `json:"container"`
	Previous  bool   `json:"previous"`
	Limit     int    `json:"limit"`
}

// maxLog bounds the part of a log that is requested, in bytes.
const maxLog = 64 << 10

func (d *desk) logs(ctx context.Context, in logging) (a Answer, err error) {
	p, err := d.find(ctx, target{in.Cluster, "pods", in.Namespace, in.Name})
	if err != nil {
		return a, err
	}
	limit := bounded(in.Limit, 50, 200)
	query := url.Values{"tailLines": {strconv.Itoa(limit)}, "limitBytes": {strconv.Itoa(maxLog)}, "timestamps": {"true"}}
	if in.Container != "" {
		query.Set("container", in.Container)
	}
	if in.Previous {
		query.Set("previous", "true")
	}
	body, err := get(ctx, p.cluster, apipath.SubresourceOf(p.path, "log").String()+"?"+query.Encode(), "*/*")
	if err != nil {
		return a, err
	}
	reader := podlog.Reader{Stamped: true}
	all := reader.Read(body)
	if last, ok := reader.Rest(); ok {
		all = append(all, last)
	}
	lines := []string{}
	for _, l := range all {
		text := cut(d.Redact.Text(l.Text), maxLine)
		if !l.Time.IsZero() {
			text = l.Time.UTC().Format(time.RFC3339) + " " + text
		}
		lines = append(lines, text)
	}
	a.Says = "The last " + count(len(lines), "line", "lines") + " of the log."
	a.Data = map[string]any{"object": p.reference(), "lines": lines}
	return a, nil
}
