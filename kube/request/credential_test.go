package request

import "testing"

func TestNamesCredential(t *testing.T) {
	for name, want := range map[string]bool{
		"token": true, "access_token": true, "X-Amz-Signature": true, "apiKey": true, "client-secret": true, "PASSWD": true, "Authorization": true,
		"": false, "limit": false, "continue": false, "labelSelector": false, "fieldManager": false, "resourceVersion": false, "sendInitialEvents": false,
	} {
		if got := NamesCredential(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
