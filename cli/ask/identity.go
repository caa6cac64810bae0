package ask

import (
	"cmp"
	"fmt"
)

// Identity is where requests of a cluster go, and as whom. It comes from the kubeconfig and the flags alone.
type Identity struct {
	Context string
	Server  string // the address of the API server
	User    string // the name of the user in the kubeconfig, or of the one that requests impersonate
}

// Identity reads the kubeconfig. It makes no request, and runs no credentials plugin.
func (c *Cluster) Identity() (Identity, error) {
	if err := c.reachable(); err != nil {
		return Identity{}, err
	}
	config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return Identity{}, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	to, err := c.flags.ToRESTConfig()
	if err != nil {
		return Identity{}, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	id := Identity{Context: c.Context(), Server: to.Host, User: to.Impersonate.UserName}
	if named := config.Contexts[id.Context]; named != nil {
		id.User = cmp.Or(id.User, *c.flags.AuthInfoName, named.AuthInfo)
	}
	id.User = cmp.Or(id.User, *c.flags.AuthInfoName, "nobody in particular")
	return id, nil
}
