package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// stateLife is how long a state is valid. After it, the server is asked again.
const stateLife = 4 * time.Second

// State is the state of a cluster, in words.
type State struct {
	Phase Phase `json:"phase"`
	// Text describes the state, and Advice says what to do; one sentence each. Advice is empty if there is nothing to
	// do.
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"`
	// Hint is the kubeconfig's installHint for a plugin that is missing: untrusted, several lines.
	Hint string `json:"hint,omitempty"`
	// Version is the server's gitVersion ("v1.37.1"); empty: unknown.
	Version string `json:"version,omitempty"`
	// Release is the server's version as a value; 0: unknown.
	Release release.Version `json:"release,omitempty"`
	// User is the user name by which the server knows the credentials; empty: unknown.
	User   string   `json:"user,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Notes are facts that matter in every phase, such as a certificate that is not checked. Each is a sentence.
	Notes []string `json:"notes,omitempty"`
	// Waits is true while the context's credentials plugin runs, and while a request with what it printed may still be answered: the state
	// will change without any action.
	Waits bool `json:"waits,omitempty"`
	// CheckedAt is when the state was requested, and Took how long the requests took.
	CheckedAt time.Time     `json:"checkedAt"`
	Took      time.Duration `json:"took"`
}

// brief is how long State waits for a cluster that was slow the last time.
const brief = 250 * time.Millisecond

// pluginPatience is how long State waits for a cluster with a credentials plugin, which may wait for a person.
const pluginPatience = 1500 * time.Millisecond

// State requests the state of the cluster, unless it did so a few seconds ago. It returns within the probe timeout, or when ctx ends,
// even if the server or a credential plugin hangs. State doesn't wait long again for a cluster that was slow: if there is no response
// at once, it returns the last known state (CheckedAt is its time), and the request continues. client may be nil; otherwise it records
// the requests.
func (c *Cluster) State(ctx context.Context, client *api.Client) State {
	s, inTime := c.askState(ctx, client)
	if !inTime {
		return c.slow()
	}
	return s
}

// askState is State, except that it says if there is no response in time.
func (c *Cluster) askState(ctx context.Context, client *api.Client) (s State, inTime bool) {
	if c.wait != nil {
		return c.noted(c.wait()), true
	}
	if s, yes := c.interruption(); yes {
		return c.noted(s), true
	}
	ctx, cancel := context.WithTimeout(ctx, c.patience())
	defer cancel()
	s, err := c.state.get(ctx, recipe[State]{
		now: c.settings.now, life: stateLife, limit: c.probeLimit(),
		make: func(ctx context.Context) (State, error) { return c.probe(ctx, client), nil },
	})
	return s, err == nil
}

// Forget drops everything that is cached about the cluster, so the next calls make requests again.
func (c *Cluster) Forget() {
	c.state.forget()
	c.catalog.forget()
	c.features.forget()
	for i := range c.offers {
		c.offers[i].forget()
	}
	c.counts.forget()
}

// States requests the states of all clusters at the same time, and returns them in the order of the clusters. A slow cluster delays the
// result by the probe timeout at most. client returns the client for a cluster, which may be nil.
func States(ctx context.Context, clusters []*Cluster, client func(*Cluster) *api.Client) []State {
	states := make([]State, len(clusters))
	var all rescue.Group
	for i, c := range clusters {
		all.Go(func() { states[i] = c.State(ctx, client(c)) })
	}
	all.Wait()
	return states
}

// Glances are States for a page that doesn't wait longer than patience. A cluster that hasn't responded by then has the last known state, or the phase Checking.
// Its request continues, and the state Waits.
func Glances(ctx context.Context, clusters []*Cluster, patience time.Duration, client func(*Cluster) *api.Client) []State {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	states := make([]State, len(clusters))
	var all rescue.Group
	for i, c := range clusters {
		all.Go(func() {
			s, inTime := c.askState(ctx, client(c))
			if !inTime {
				s = c.glimpse()
			}
			states[i] = s
		})
	}
	all.Wait()
	return states
}

// glimpse is the state of a cluster that hasn't responded yet.
func (c *Cluster) glimpse() State {
	if s, waits := c.pluginWaits(); waits {
		return c.noted(s)
	}
	last, has, _, asking := c.state.past()
	if !has {
		return c.noted(State{Phase: Checking, Waits: true, Text: "the API server has not responded yet"})
	}
	last.Waits = asking
	return last
}

// probeLimit bounds a probe. A probe may continue after State has returned.
func (c *Cluster) probeLimit() time.Duration {
	if c.Info().Plugin != "" {
		return c.settings.probeTimeout + c.settings.pluginTimeout
	}
	return c.settings.probeTimeout
}

// patience is how long State waits for a probe.
func (c *Cluster) patience() time.Duration {
	last, has, began, asking := c.state.past()
	switch {
	case asking:
		return max(brief, min(c.settings.probeTimeout-c.settings.now().Sub(began), c.untilSaid(began)))
	case has && last.Took > brief && last.Phase != Ready:
		return brief
	case c.Info().Plugin != "":
		return min(c.settings.probeTimeout, pluginPatience)
	}
	return c.settings.probeTimeout
}

// slow is the state of a cluster whose probe has not ended in time: the last known state, or that there is no response.
func (c *Cluster) slow() State {
	if s, waits := c.pluginWaits(); waits {
		return c.noted(s)
	}
	last, has, began, asking := c.state.past()
	switch {
	case has:
		return last
	case asking && c.Info().Plugin != "" && c.settings.now().Sub(began) < c.settings.probeTimeout: // State is less patient than that: see pluginPatience
		return c.noted(State{
			Phase: Unreachable, Waits: true, Text: "the API server has not responded yet",
			Advice: fmt.Sprintf("Fieldmark first runs the credentials plugin %q.", filepath.Base(c.Info().Plugin)),
		})
	}
	return c.noted(c.unanswered())
}

func (c *Cluster) unanswered() State {
	return State{
		Phase: Unreachable, Text: fmt.Sprintf("the API server did not respond within %s", c.settings.probeTimeout),
		Advice: "Check the network, and a VPN if the cluster needs one. The server may also be overloaded.",
	}
}

// pluginWaits is the state of a cluster whose credentials plugin runs now, with the line that the plugin has printed last.
func (c *Cluster) pluginWaits() (s State, waits bool) {
	plugin := c.Info().Plugin
	if plugin == "" || c.waiting() == 0 {
		return State{}, false
	}
	s = State{
		Phase: Unauthorized, Waits: true, Text: fmt.Sprintf("the credentials plugin %q has not responded yet", filepath.Base(plugin)),
		Advice: fmt.Sprintf("Fieldmark stops the plugin after %s. The plugin may be waiting for a login.", c.settings.pluginTimeout),
	}
	if said := c.said(); said != "" {
		s.Text += "; it says: “" + said + "”"
	}
	return s, true
}

// untilSaid is how long State still waits for a plugin; for a cluster without one, it is the probe timeout.
func (c *Cluster) untilSaid(began time.Time) time.Duration {
	if c.Info().Plugin == "" {
		return c.settings.probeTimeout
	}
	return pluginPatience - c.settings.now().Sub(began)
}

// Waits is the problem of a cluster whose credentials plugin doesn't respond soon; nil: requests can be sent. client may be nil; otherwise it
// records the requests.
func (c *Cluster) Waits(ctx context.Context, client *api.Client) *Problem {
	if c.Info().Plugin == "" {
		return nil
	}
	if s := c.State(ctx, client); s.Waits {
		return &Problem{Text: s.Text, Advice: s.Advice, Pending: true}
	}
	return nil
}

// noted adds the notes that matter in every phase.
func (c *Cluster) noted(s State) State {
	if s.CheckedAt.IsZero() {
		s.CheckedAt = c.settings.now()
	}
	if strings.HasPrefix(c.Info().Server, "http://") {
		s.Notes = append(s.Notes, "The server URL begins with http://. So nothing is encrypted, and Fieldmark doesn't send the context's credentials.")
	}
	if c.Info().Insecure {
		s.Notes = append(s.Notes, "The kubeconfig turns off the check of the server's certificate (insecure-skip-tls-verify). Somebody on the network could read everything.")
	}
	return s
}

func (c *Cluster) probe(ctx context.Context, given *api.Client) State {
	began := c.settings.now()
	s := c.requestState(ctx, given)
	if s.Phase == Untrusted {
		c.rebuild() // the CA file may have changed
	}
	s.CheckedAt = c.settings.now()
	s.Took = s.CheckedAt.Sub(began)
	c.settings.log.DebugContext(ctx, "cluster asked", "context", c.name, "phase", s.Phase, "took", s.Took)
	return c.noted(s)
}

// requestState requests the version, and then the user name. The version alone proves nothing: servers return it without credentials.
func (c *Cluster) requestState(ctx context.Context, given *api.Client) State {
	client, err := c.client(given)
	if err != nil {
		return stateOf(err)
	}
	version, err := serverVersion(ctx, client)
	if err != nil && api.Code(err) != http.StatusForbidden && api.Code(err) != http.StatusNotFound {
		return stateOf(err)
	}
	user, groups, err := whoAmI(ctx, client)
	if err != nil {
		s := stateOf(err)
		s.Version, s.Release = version.GitVersion, version.Version()
		return s
	}
	s := State{Phase: Ready, Text: "connected", Version: version.GitVersion, Release: version.Version(), User: user, Groups: groups}
	if slices.Contains(groups, "system:unauthenticated") {
		s.Notes = append(s.Notes, "You are anonymous to the server (system:anonymous), because it doesn't know the context's credentials.")
	}
	return s
}

// stateOf is the state after an error of a request or of Target.
func stateOf(err error) State {
	if e, ok := errors.AsType[*Problem](err); ok && e.SignIn {
		return State{Phase: Unauthorized, Text: e.Text, Advice: e.Advice}
	}
	if e, ok := errors.AsType[*Problem](err); ok {
		return State{Phase: Misconfigured, Text: e.Text, Advice: e.Advice, Hint: e.Hint}
	}
	if e, ok := errors.AsType[*upstream.Unreachable](err); ok {
		return State{Phase: phaseOf(e.Cause), Text: e.Text, Advice: e.Advice}
	}
	if e, ok := errors.AsType[*api.Error](err); ok {
		return refused(e.Status.Code, e.Status.Message)
	}
	return State{
		Phase: Failed, Text: "the server at this address does not respond like an API server",
		Advice: "Check the server URL in the kubeconfig.",
	}
}

func refused(code int, message string) State {
	switch {
	case code == http.StatusUnauthorized:
		return State{
			Phase: Unauthorized, Text: "the API server does not accept the context's credentials",
			Advice: "The credentials may have expired. Log in again, or get a new kubeconfig for this cluster.",
		}
	case code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests:
		return State{Phase: Starting, Text: "the API server is not ready yet", Advice: "Reload in a moment."}
	case code >= 300 && code <= 399 || code == http.StatusNotFound:
		return State{
			Phase: Failed, Text: fmt.Sprintf("the server at this address is not an API server (it responded with status code %d)", code),
			Advice: "Check the server URL in the kubeconfig, with its path.",
		}
	}
	return State{Phase: Failed, Text: fmt.Sprintf("the API server responded with status code %d: %s", code, message), Advice: "See the API server's log."}
}

// maxProbe bounds what a probe reads.
const maxProbe = 1 << 20

func serverVersion(ctx context.Context, client *api.Client) (release.Info, error) {
	var v release.Info
	answer, err := client.Do(ctx, api.Request{Path: "/version", MaxBytes: maxProbe})
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(answer.Body, &v); err != nil || v.GitVersion == "" {
		return v, fmt.Errorf("the response has no version: %w", err)
	}
	return v, nil
}

// selfReview is the request for our own user name. Every authenticated user may send it, and it stores nothing.
func selfReview(accept string) *api.Request {
	return &api.Request{
		Method: http.MethodPost, Path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
		Accept: accept, ContentType: "application/json", MaxBytes: maxProbe,
		Body: []byte(`{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}`),
	}
}

// whoAmI sends a self review (Kubernetes 1.28 and later). Without it, it tests the credentials with a request to /api.
func whoAmI(ctx context.Context, client *api.Client) (user string, groups []string, err error) {
	answer, err := client.Do(ctx, *selfReview(""))
	if code := api.Code(err); code == http.StatusNotFound || code == http.StatusForbidden || code == http.StatusMethodNotAllowed {
		_, err = client.Do(ctx, api.Request{Path: "/api", MaxBytes: maxProbe})
		if api.Code(err) == http.StatusForbidden {
			err = nil // a 403 means that the server knows the user
		}
		return "", nil, err
	}
	if err != nil {
		return "", nil, err
	}
	var review struct {
		Status struct {
			UserInfo struct {
				Username string   `json:"username"`
				Groups   []string `json:"groups"`
			} `json:"userInfo"`
		} `json:"status"`
	}
	if err := json.Unmarshal(answer.Body, &review); err != nil {
		return "", nil, fmt.Errorf("reading the SelfSubjectReview: %w", err)
	}
	return review.Status.UserInfo.Username, review.Status.UserInfo.Groups, nil
}
