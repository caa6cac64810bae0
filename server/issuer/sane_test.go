package issuer

import "testing"

func TestHostileIssuer_EndpointsThatItMayName(t *testing.T) {
	const remote, local = "https://login.example.com", "http://127.0.0.1:5556"
	for _, c := range []struct {
		at, endpoint string
		sane         bool
	}{
		{remote, "https://login.example.com/token", true},
		{remote, "https://oauth2.example.net/token", true},
		{remote, "http://login.example.com/keys", false},
		{remote, "http://127.0.0.1:9090/metrics", false},
		{remote, "https://localhost/token", false},
		{remote, "https://[::1]:2379/", false},
		{remote, "http://169.254.169.254/latest", false},
		{remote, "https://user:word@login.example.com/token", false},
		{remote, "file:///etc/passwd", false},
		{remote, "/token", false},
		{remote, "", false},
		{remote, "://", false},
		{local, "http://127.0.0.1:5556/token", true},
		{local, "https://localhost:5556/token", true},
		{local, "http://login.example.com/token", false},
	} {
		i := &Issuer{config: Config{URL: c.at}}
		if got := i.sane("https://login.example.com/auth", c.endpoint); got != c.sane {
			t.Errorf("%s names %q: %v", c.at, c.endpoint, got)
		}
	}
}
