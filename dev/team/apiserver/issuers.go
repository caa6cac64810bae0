package apiserver

import (
	"encoding/json"
	"fmt"
	"os"
)

// Issuer is an issuer that the API server trusts. Names and groups get the prefix team: in front.
type Issuer struct {
	URL string
	// CAFile has the certificate of the authority that signed the issuer's.
	CAFile    string
	Audiences []string
	// Anonymous adds that requests without a token are allowed. The API server must refuse that.
	Anonymous bool
}

// Prefix is before names and groups that an issuer says, so that no issuer can name a user of another kind.
const Prefix = "team:"

// Write writes an AuthenticationConfiguration.
func Write(file string, issuers ...Issuer) error {
	document := map[string]any{"apiVersion": configVersion(os.Getenv(kubernetesEnv)), "kind": "AuthenticationConfiguration"}
	var all []any
	for _, i := range issuers {
		authority, err := os.ReadFile(i.CAFile)
		if err != nil {
			return fmt.Errorf("reading the issuer's authority: %w", err)
		}
		all = append(all, map[string]any{
			"issuer": map[string]any{
				"url": i.URL, "certificateAuthority": string(authority), "audiences": i.Audiences, "audienceMatchPolicy": "MatchAny",
			},
			"claimMappings": map[string]any{
				"username": map[string]any{"claim": "preferred_username", "prefix": Prefix},
				"groups":   map[string]any{"claim": "groups", "prefix": Prefix},
			},
		})
		if i.Anonymous {
			document["anonymous"] = map[string]any{"enabled": true}
		}
	}
	document["jwt"] = all
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the issuers: %w", err)
	}
	// Renamed, so that the API server never reads half a file.
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return fmt.Errorf("writing the issuers: %w", err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return fmt.Errorf("writing the issuers: %w", err)
	}
	return nil
}
