package socket

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// Sockets are those that follow something.
type Sockets []*Socket

// Close closes all of them.
func (s Sockets) Close() {
	for _, one := range s {
		_ = one.Conn.Close()
	}
}

// Subscribe follows a collection.
func (s *Socket) Subscribe(id int, path string) error {
	err := s.SendText(fmt.Sprintf(`{"type":"subscribe","id":%d,"cluster":%q,"path":%q,"as":"table"}`, id, lab.ContextName, path))
	if err != nil {
		return fmt.Errorf("subscribing: %w", err)
	}
	return nil
}

// Receive notes what comes, and gives credit back, until the socket is closed.
func (s *Socket) Receive(a *Arrivals) {
	buffer := make([]byte, 0, 1<<20)
	for {
		text, err := s.NextMessage(buffer)
		if err != nil {
			return
		}
		a.NoteVersions(text, time.Now())
		if s.SendText(`{"type":"credit","id":1,"n":1}`) != nil {
			return
		}
	}
}

// Quiet are paths of collections that don't change.
var Quiet = []string{
	"/api/v1/namespaces/shop/pods", "/api/v1/namespaces/shop/services", "/api/v1/namespaces/shop/configmaps", "/api/v1/namespaces/shop/secrets",
	"/api/v1/namespaces/shop/serviceaccounts", "/apis/apps/v1/namespaces/shop/deployments", "/apis/apps/v1/namespaces/shop/replicasets",
	"/apis/apps/v1/namespaces/shop/statefulsets", "/apis/batch/v1/namespaces/shop/jobs", "/apis/batch/v1/namespaces/shop/cronjobs",
}

// synced waits until so many subscriptions are.
func (s *Socket) synced(n int) error {
	buffer := make([]byte, 0, 1<<20)
	for n > 0 {
		text, err := s.NextMessage(buffer)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(text, []byte(`{"type":"failed"`)) {
			return fmt.Errorf("a subscription failed: %s", text)
		}
		if bytes.HasPrefix(text, []byte(`{"type":"synced"`)) {
			n--
		}
	}
	return nil
}

// Shared is how many pages of one session Fieldmark accepts.
const Shared = 16

// followQuiet subscribes to so many collections that don't change.
func (s *Socket) followQuiet(n int) error {
	for i, path := range Quiet[:n] {
		if err := s.Subscribe(i+1, path); err != nil {
			return err
		}
	}
	return s.synced(n)
}

// OpenQuiet opens pages of many sessions, and waits until each page has everything that it follows: so many collections that don't change.
// signIn is the form with which a session begins.
func OpenQuiet(ctx context.Context, fieldmark lab.Target, sessions, pages, each int, signIn func(session int) url.Values) (open Sockets, err error) {
	for session := range sessions {
		cookies, err := SignIn(ctx, fieldmark, signIn(session))
		if err != nil {
			return open, err
		}
		for range pages {
			s, err := Dial(ctx, fieldmark.Origin, cookies)
			if err != nil {
				return open, err
			}
			open = append(open, s)
			if err := s.followQuiet(each); err != nil {
				return open, err
			}
			go s.Receive(&Arrivals{At: map[string]time.Time{}})
		}
	}
	return open, nil
}
