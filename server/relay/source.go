package relay

import (
	"context"
	"errors"
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
	login    <-chan struct{} // closed when it is over
}

// over tells whether the cluster is asked with another login by now.
func (s *source) over() bool {
	select {
	case <-s.login:
		return true
	default:
		return false
	}
}

// errOver is a request that would be made with another login than the rest.
var errOver = errors.New("the kubeconfig has other credentials or another address by now")

// client asks the cluster as it is now, unless its login is over: the feed is replaced then.
func (s *source) client(ctx context.Context) (*api.Client, error) {
	target, err := s.relay.opt.Resolve(ctx, s.cluster)
	if err != nil {
		return nil, err
	}
	if s.over() {
		return nil, errOver
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
