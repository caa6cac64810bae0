package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// scenarios is the path of the Scenarios, which make things happen.
const scenarios = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"

// Create makes an object.
func (l *Lab) Create(ctx context.Context, path, object string) error {
	if _, _, err := l.Bare.Do(ctx, http.MethodPost, path, strings.NewReader(object)); err != nil {
		return fmt.Errorf("making an object: %w", err)
	}
	return nil
}

// MakeNamespace makes a namespace.
func (l *Lab) MakeNamespace(ctx context.Context, name string) error {
	return l.Create(ctx, "/api/v1/namespaces", fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
}

// MakeAccount makes a service account, and returns a token that is good for hours.
func (l *Lab) MakeAccount(ctx context.Context, namespace, name string) (string, error) {
	path := "/api/v1/namespaces/" + namespace + "/serviceaccounts"
	if err := l.Create(ctx, path, fmt.Sprintf(`{"metadata":{"name":%q}}`, name)); err != nil {
		return "", err
	}
	_, text, err := l.Bare.Do(ctx, http.MethodPost, path+"/"+name+"/token", strings.NewReader(`{"spec":{"expirationSeconds":36000}}`))
	if err != nil {
		return "", err
	}
	var made struct {
		Status struct {
			Token string `json:"token"`
		} `json:"status"`
	}
	if err := json.Unmarshal(text, &made); err != nil {
		return "", fmt.Errorf("the token of %s: %w", name, err)
	}
	return made.Status.Token, nil
}

// MakeMany creates many objects with a Scenario, and waits until they exist. Their names are the Scenario's with numbers.
func (l *Lab) MakeMany(ctx context.Context, name, namespace, kind string, count int) error {
	return l.fill(ctx, name, namespace, kind, count, nil)
}

// MakeOwned stores many ConfigMaps to which several managers have written, and waits until they exist.
func (l *Lab) MakeOwned(ctx context.Context, name, namespace string, count int, managers []string) error {
	return l.fill(ctx, name, namespace, "ConfigMap", count, managers)
}

// fill creates a Scenario with a fill, and waits until it holds. The Scenario has the name of the namespace.
func (l *Lab) fill(ctx context.Context, name, namespace, kind string, count int, managers []string) error {
	Say(fmt.Sprintf("making %d %ss", count, kind))
	fill := map[string]any{"namespace": namespace, "kind": kind, "count": count}
	if len(managers) > 0 {
		fill["managers"] = managers
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "practice.fieldmark.dev/v1alpha1", "kind": "Scenario", "metadata": map[string]any{"name": namespace},
		"spec": map[string]any{"faults": []any{map[string]any{"name": name, "fill": fill}}},
	})
	if err != nil {
		return fmt.Errorf("making %ss: %w", kind, err)
	}
	if err := l.Create(ctx, scenarios, string(body)); err != nil {
		return fmt.Errorf("making %ss: %w", kind, err)
	}
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); {
		if holds, err := l.holds(ctx, namespace); err != nil || holds {
			return err
		}
		if err := Pause(ctx, 500*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("%d %ss weren't created in time", count, kind)
}

// holds tells whether a Scenario is complete (condition Holds).
func (l *Lab) holds(ctx context.Context, name string) (bool, error) {
	_, body, err := l.Bare.Do(ctx, http.MethodGet, scenarios+"/"+name, nil)
	if err != nil {
		return false, err
	}
	var scenario struct {
		Status struct {
			Conditions []struct {
				Type   string `json:"type"`
				Status string `json:"status"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := json.Unmarshal(body, &scenario); err != nil {
		return false, fmt.Errorf("a Scenario's state: %w", err)
	}
	for _, c := range scenario.Status.Conditions {
		if c.Type == "Holds" && c.Status == "True" {
			return true, nil
		}
	}
	return false, nil
}

// Storm rewrites ConfigMaps straight in the store, since the machine can't take so many writes through the API server. calm ends it.
func (l *Lab) Storm(ctx context.Context, namespace string, objects, perSecond int) (calm func(), err error) {
	err = l.Create(ctx, scenarios, fmt.Sprintf(`{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":"storm"},"spec":{"actors":[`+
		`{"name":"c","storm":{"namespace":%q,"objects":%d,"perSecond":%d}}]}}`, namespace, objects, perSecond))
	if err != nil {
		return nil, err
	}
	err = l.Until(ctx, func() bool {
		_, text, err := l.Bare.Do(ctx, http.MethodGet, scenarios+"/storm", nil)
		return err == nil && strings.Contains(string(text), `"state":"Running"`)
	})
	return func() { l.endStorm(context.WithoutCancel(ctx)) }, err
}

// endStorm ends a storm, and waits until it is over.
func (l *Lab) endStorm(ctx context.Context) {
	if _, _, err := l.Bare.Do(ctx, http.MethodDelete, scenarios+"/storm", nil); err != nil {
		Say(err.Error())
	}
	if err := l.Until(ctx, func() bool {
		_, _, err := l.Bare.Do(ctx, http.MethodGet, scenarios+"/storm", nil)
		return err != nil
	}); err != nil {
		Say(err.Error())
	}
}
