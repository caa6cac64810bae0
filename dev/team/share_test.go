package team

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/replica"
)

// openWatches is how many watches of the ConfigMaps of one namespace the API server has.
func (s *scene) openWatches(t *testing.T) int {
	t.Helper()
	got, err := s.API.Admin(t.Context(), http.MethodGet, "/metrics", nil)
	if err != nil || got.Status != http.StatusOK {
		t.Fatalf("the metrics of the API server: %d, %v", got.Status, err)
	}
	all := 0
	for lines := bufio.NewScanner(bytes.NewReader(got.Body)); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, "apiserver_longrunning_requests{") || !strings.Contains(line, `resource="configmaps"`) ||
			!strings.Contains(line, `scope="namespace"`) || !strings.Contains(line, `verb="WATCH"`) {
			continue
		}
		n, err := strconv.Atoi(line[strings.LastIndex(line, " ")+1:])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all += n
	}
	return all
}

// together are the pages of people who follow the same ConfigMaps, each with a permission of its own. They open them one after the other.
func (s *scene) together(ctx context.Context, t *testing.T, namespace string, names ...string) map[string]*socket {
	t.Helper()
	pages := map[string]*socket{}
	for _, name := range names {
		if err := s.API.AllowPerson(ctx, namespace, name); err != nil {
			t.Fatal(err)
		}
		v := s.visit(t, dex.Person{Name: name, Groups: ada.Groups}, "/")
		p, err := v.follow(t, namespace, "")
		if err == nil {
			err = p.until(ctx, typed("synced"))
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		pages[name] = p
	}
	return pages
}

// TestWithdrawnPermission_OfASharedWatch: three people share a watch. The first of them, whose watch it is, and the last lose their permission. Each of the
// two is told within half a minute, and the other one misses nothing (threat: withdrawn permission).
func TestWithdrawnPermission_OfASharedWatch(t *testing.T) {
	s := onStage(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const namespace = "together"
	if err := s.API.Namespace(ctx, namespace, []string{"get", "list", "watch"}); err != nil {
		t.Fatal(err)
	}
	config := s.Config()
	config.ShareWatches = true
	third, err := replica.Start(ctx, s.Fieldmark, t.TempDir(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(third.Kill)
	s.Proxy.Lead(third.Address)
	t.Cleanup(func() { s.Proxy.Lead(s.Addresses()...) })
	before := s.openWatches(t)
	pages := s.together(ctx, t, namespace, "hal", "ida", "jon")
	eventually(t, "there is one watch", func() error {
		if n := s.openWatches(t) - before; n != 1 {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	})
	s.configMap(t, namespace, "for-all")
	for name, p := range pages {
		if err := p.until(ctx, p.named("for-all")); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	withdrawn := time.Now()
	for _, name := range []string{"hal", "jon"} {
		if err := s.API.WithdrawPerson(ctx, namespace, name); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"hal", "jon"} {
		pages[name].refused(ctx, t, name)
		if took := time.Since(withdrawn); took > 30*time.Second { // what is promised
			t.Errorf("%s is told after %s", name, took)
		}
	}
	s.configMap(t, namespace, "for-ida")
	ida := pages["ida"]
	if err := ida.until(ctx, ida.named("for-ida")); err != nil {
		t.Fatalf("ida: %v", err)
	}
	if got := strings.Join(ida.names, " "); !strings.HasSuffix(got, "for-all for-ida") {
		t.Errorf("ida saw %q", got)
	}
}

// refused reads messages until the subscription ends because a permission is missing.
func (s *socket) refused(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	for {
		m, err := s.next(ctx)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.Type != "failed" {
			continue
		}
		if m.Status == nil || m.Status.Code != http.StatusForbidden || !strings.Contains(m.Status.Message, name) {
			t.Errorf("%s is told %+v", name, m.Status)
		}
		return
	}
}
