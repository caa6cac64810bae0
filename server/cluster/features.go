package cluster

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
)

const (
	// featuresLife is how long the known features of a server are valid. They change only when the server restarts.
	featuresLife = time.Minute
	// featuresLimit bounds the requests.
	featuresLimit = 4 * time.Second
)

// Offer says whether a server offers a feature.
type Offer string

// The offers.
const (
	Yes     Offer = "yes"
	No      Offer = "no"
	Unknown Offer = "unknown" // the test had no result
)

// Feature is a feature that a server may offer. A request tests it.
type Feature struct {
	feature.Feature
	Offered Offer `json:"offered"`
	// Why is a sentence with the reason.
	Why string `json:"why"`
	// Asked is the request that tested the feature.
	Asked Asked `json:"asked"`
}

// Asked is a request with the status code and headers of its response.
type Asked struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Accept is the requested media type, ContentType that of the request's body; empty: there is none.
	Accept      string `json:"accept,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	// Code is the response's status code, 0 if there was no response; MediaType is its Content-Type.
	Code      int    `json:"code"`
	MediaType string `json:"mediaType,omitempty"`
}

// Features returns the features that the server offers. It tests them at most once a minute. No test can change anything on the server.
// It takes a few seconds at most. client may be nil. Errors are *Problem or ctx's.
func (c *Cluster) Features(ctx context.Context, client *api.Client) ([]Feature, error) {
	return c.features.get(ctx, recipe[[]Feature]{
		now: c.settings.now, life: featuresLife, limit: featuresLimit,
		make: func(ctx context.Context) ([]Feature, error) {
			client, err := c.client(client)
			if err != nil {
				return nil, err
			}
			return AskFeatures(ctx, client), nil
		},
	})
}

// Offers tests one feature of the server, at most once a minute. It is for pages that need the feature, so only questions that read are asked.
func (c *Cluster) Offers(ctx context.Context, client *api.Client, id feature.ID) Offer {
	at := slices.IndexFunc(questions[:], func(q question) bool { return q.of.ID == id && q.reads() })
	if at < 0 {
		return Unknown
	}
	offer, err := c.offers[at].get(ctx, recipe[Offer]{
		now: c.settings.now, life: featuresLife, limit: featuresLimit,
		make: func(ctx context.Context) (Offer, error) {
			client, err := c.client(client)
			if err != nil {
				return Unknown, err
			}
			return questions[at].checkFeature(ctx, client).Offered, nil
		},
	})
	if err != nil {
		return Unknown
	}
	return offer
}

// reads tells whether the question is a GET, or a review that everybody may send and that is stored nowhere.
func (q question) reads() bool { return q.request.Method == http.MethodGet || q.review }

// AskFeatures tests all features of a server at the same time, and returns them in a fixed order.
func AskFeatures(ctx context.Context, client *api.Client) []Feature {
	features := make([]Feature, len(questions))
	var all rescue.Group
	for i, q := range questions[:] {
		all.Go(func() { features[i] = q.checkFeature(ctx, client) })
	}
	all.Wait()
	return features
}

// question is the test of one feature.
type question struct {
	of      feature.Feature
	request api.Request
	// instead is sent if the user has no permission for request; nil: nothing is sent.
	instead *api.Request
	// judge reads the response. err is that of Do or Stream.
	judge func(body []byte, answer api.Answer, err error) (Offer, string)
	// review is true if the request is a review of an API that stores nothing.
	review bool
	// stream is true if the response doesn't end by itself; judge then gets its beginning.
	stream bool
}

func (q question) checkFeature(ctx context.Context, client *api.Client) Feature {
	body, answer, err := q.sendRequest(ctx, client)
	if q.instead != nil && api.Code(err) == http.StatusForbidden {
		q.request = *q.instead
		body, answer, err = q.sendRequest(ctx, client)
	}
	f := Feature{Feature: q.of, Asked: Asked{
		Method: q.request.Method, Path: q.request.Path, Accept: q.request.Accept, ContentType: q.request.ContentType,
		Code: answer.Status, MediaType: answer.MediaType,
	}}
	f.Offered, f.Why = q.judge(body, answer, err)
	return f
}

func (q question) sendRequest(ctx context.Context, client *api.Client) ([]byte, api.Answer, error) {
	if !q.stream {
		answer, err := client.Do(ctx, q.request)
		return answer.Body, answer, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, answer, err := client.Stream(ctx, q.request)
	if err != nil {
		return nil, answer, err
	}
	defer stream.Close()
	beginning, err := untilInitialEventsEnd(stream)
	if err == nil && ctx.Err() != nil && !bytes.Contains(beginning, []byte(endOfInitialEvents)) { // the deadline was the end, not the server
		err = upstream.Unreach(ctx.Err())
	}
	return beginning, answer, err
}
