package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientdiscovery "k8s.io/client-go/discovery"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/words"
)

// Configured tells whether flags or the kubeconfig name a cluster. It is true, too, if the kubeconfig can't be read: the first request tells why.
func (c *Cluster) Configured() bool {
	config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	return err != nil || *c.flags.Context != "" || *c.flags.APIServer != "" || len(config.Clusters) > 0
}

// Forget makes the next Catalog ask the server. kubectl's cache keeps what a server served for six hours, also if it serves something else by then.
func (c *Cluster) Forget() error {
	client, err := c.flags.ToDiscoveryClient()
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	client.Invalidate()
	return nil
}

// Catalog is everything that the cluster serves, by kubectl's discovery and its cache. Groups that can't be read are in its Failures.
func (c *Cluster) Catalog() (discovery.Catalog, error) {
	client, err := c.flags.ToDiscoveryClient()
	if err != nil {
		return discovery.Catalog{}, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	groups, lists, err := client.ServerGroupsAndResources()
	why, _ := errors.AsType[*clientdiscovery.ErrGroupDiscoveryFailed](err)
	if err != nil && len(lists) == 0 {
		return discovery.Catalog{}, fmt.Errorf("listing the types of the cluster: %w", err)
	}
	var catalog discovery.Catalog
	for _, g := range groups {
		of := discovery.Group{Name: g.Name, Preferred: g.PreferredVersion.Version}
		for _, v := range g.Versions {
			of.Versions = append(of.Versions, discovery.Version{Name: v.Version})
		}
		catalog.Groups = append(catalog.Groups, of)
	}
	told := map[string]bool{}
	for _, list := range lists {
		told[list.GroupVersion] = true
		if catalog, err = withTypes(catalog, list); err != nil {
			return discovery.Catalog{}, err
		}
	}
	for _, g := range groups {
		for _, v := range g.Versions {
			if !told[v.GroupVersion] {
				catalog.Failures = append(catalog.Failures, failureOf(schema.GroupVersion{Group: g.Name, Version: v.Version}, why))
			}
		}
	}
	return catalog, nil
}

// failureOf is why the types of a group version couldn't be read.
func failureOf(of schema.GroupVersion, why *clientdiscovery.ErrGroupDiscoveryFailed) discovery.Failure {
	f := discovery.Failure{Group: of.Group, Version: of.Version, How: discovery.Broken, Why: discovery.Registered}
	if why == nil || why.Groups[of] == nil {
		return f
	}
	if _, stale := errors.AsType[clientdiscovery.StaleGroupVersionError](why.Groups[of]); !stale {
		f.How, f.Why = (&UnreadError{of, why.Groups[of]}).how(), oneLine(why.Groups[of])
	}
	return f
}

// withTypes adds the types of one version of a group.
func withTypes(catalog discovery.Catalog, list *metav1.APIResourceList) (discovery.Catalog, error) {
	list = list.DeepCopy()
	list.Kind = "APIResourceList" // the cache leaves it out
	text, err := json.Marshal(list)
	if err != nil {
		return catalog, fmt.Errorf("reading the types of %s: %w", list.GroupVersion, err)
	}
	group, version, types, err := discovery.ParseResourceList(text)
	if err != nil {
		return catalog, err
	}
	return catalog.With(group, version, types), nil
}

// Send sends the request that an inquiry asks for: a GET, or a dry run. If there is no body, the status says why; its code is 0 if there was no response.
func (r *Requests) Send(ctx context.Context, a inquiry.Ask) (body []byte, no *status.Status) {
	target := a.Target()
	if !single(target) {
		return nil, &status.Status{Message: errPath.Error()}
	}
	request := r.client.Verb(cmp.Or(a.Method, http.MethodGet)).RequestURI(target).SetHeader("Accept", a.Accept)
	if a.Method != "" {
		request = request.SetHeader("Content-Type", a.ContentType).Body(a.Body)
	}
	var code int
	body, err := request.Do(ctx).StatusCode(&code).Raw()
	switch {
	case ctx.Err() != nil:
		return nil, &status.Status{Message: words.OutOfTime}
	case code == 0 && err != nil:
		return nil, &status.Status{Message: err.Error()}
	case code >= status.CodeBadRequest:
		told := status.Parse(code, body)
		return nil, &told
	}
	return body, nil
}
