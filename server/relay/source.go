package relay

import (
	"context"
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// source is where a question is asked, as whom, and in which form. Subscriptions with equal sources are told the
// same; what a page has and takes is theirs alone.
type source struct {
	relay    *Relay
	session  string
	cluster  string
	question question
	form     form
}

// client asks the cluster as it is now: it may have been replaced, with other credentials, since it was asked last.
func (s *source) client(ctx context.Context) (*api.Client, error) {
	target, err := s.relay.opt.Resolve(ctx, s.cluster)
	if err != nil {
		return nil, err
	}
	who := wiretap.Who{Session: s.session, Cluster: s.cluster, Origin: wiretap.Relay}
	return api.New(upstream.Target{Base: target.Base, Transport: s.relay.opt.Tap.Transport(target.Transport, who)}), nil
}

// fetch lists a chunk: the first, or the one that token stands for.
func (s *source) fetch(ctx context.Context, limit int, token string) (chunk, error) {
	ctx, cancel := context.WithTimeout(ctx, s.relay.pace.chunk)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return chunk{}, err
	}
	answer, err := client.Do(ctx, api.Request{Path: s.question.list(limit, token), Accept: s.form.accept()})
	if err != nil {
		return chunk{}, err
	}
	c, err := s.form.chunk(answer.Body, s.now())
	if err != nil {
		return chunk{}, &unreadable{fmt.Errorf("a list that can't be read: %w", err)}
	}
	return c, nil
}

func (s *source) now() time.Time { return s.relay.opt.Now() }
