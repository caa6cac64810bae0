package signin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/issuer"
)

// reserved begins the names that only Kubernetes itself gives. An issuer could otherwise make somebody system:masters
// (threat: smuggled identity).
const reserved = "system:"

// as is the grant for a cluster where Fieldmark's own account impersonates people, or why there is none. Only named groups are sent: the
// account's Role names the same ones, and the API server refuses a request with any other.
func (d *Door) as(c Cluster, t issuer.Tokens) (g identity.Grant, why string) {
	switch unfit := identity.UnfitName(t.Name); {
	case unfit != "":
		return g, fmt.Sprintf("The name %q of your sign-in can't be impersonated: %s. Check issuers.%s.userClaim.", t.Name, unfit, c.Issuer)
	case strings.HasPrefix(t.Name, reserved):
		return g, fmt.Sprintf("Nobody may be impersonated as %q.", t.Name)
	case !anyOf(t.Groups, d.ImpersonateGroups):
		why = fmt.Sprintf("Only members of %s may use this cluster (--impersonate-groups).", quoted(d.ImpersonateGroups))
		if t.NoGroups {
			why += " " + d.groupsMissing(c.Issuer)
		}
		return g, why
	}
	groups := slices.DeleteFunc(slices.Clone(t.Groups), func(group string) bool {
		return strings.HasPrefix(group, reserved) || !slices.Contains(d.ImpersonateGroups, group)
	})
	return identity.Grant{As: identity.Impersonation{User: t.Name, Groups: groups}, Expires: t.Expires}, ""
}
