package request

import "strings"

// credentialWords are in the names of what holds credentials.
var credentialWords = []string{"token", "secret", "password", "passwd", "credential", "authorization", "key", "signature"}

// NamesCredential tells whether something with that name may be a credential, which belongs into no address and no record. It rather says
// so once too often: what is harmless loses its value then.
func NamesCredential(name string) bool {
	name = strings.ToLower(name)
	for _, word := range credentialWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
