package request

import "strings"

// credentialWords are words in the names of parameters and headers with credentials.
var credentialWords = []string{"token", "secret", "password", "passwd", "credential", "authorization", "key", "signature"}

// NamesCredential tells whether a parameter or header with this name may be a credential, which must not be in an address or a record. In
// doubt, it says yes: then only a harmless value is lost.
func NamesCredential(name string) bool {
	name = strings.ToLower(name)
	for _, word := range credentialWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
