package cluster

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

func TestCredentialsAreDescribedWithoutThem(t *testing.T) {
	ca := newPKI(t)
	until := time.Now().Add(24 * time.Hour).Truncate(time.Second).UTC()
	certPEM, keyPEM := ca.issue("ada", until)
	jwt := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"https://issuer.example","sub":"ada","aud":"k","exp":1800000000}`)) + ".signature"
	file := filepath.Join(t.TempDir(), "token")
	must(t, os.WriteFile(file, []byte(jwt+"\n"), 0o600))
	certificate := func(u *clientcmdapi.AuthInfo) { u.ClientCertificateData, u.ClientKeyData = certPEM, keyPEM }
	for name, c := range map[string]struct {
		user clientcmdapi.AuthInfo
		want string
	}{
		"opaque token":    {clientcmdapi.AuthInfo{Token: "opaque-secret"}, "token"},
		"token":           {clientcmdapi.AuthInfo{Token: jwt}, "token https://issuer.example ada [k] 2027-01-15T08:00:00Z"},
		"token file":      {clientcmdapi.AuthInfo{TokenFile: file}, "token file " + file + " https://issuer.example ada [k] 2027-01-15T08:00:00Z"},
		"no token file":   {clientcmdapi.AuthInfo{TokenFile: file + "-gone"}, "token file " + file + "-gone"},
		"password":        {clientcmdapi.AuthInfo{Username: "ada", Password: "opaque-secret"}, "password"},
		"plugin":          {clientcmdapi.AuthInfo{Exec: &clientcmdapi.ExecConfig{Command: "/opt/bin/login", Args: []string{"opaque-secret"}}}, "plugin login"},
		"auth provider":   {clientcmdapi.AuthInfo{AuthProvider: &clientcmdapi.AuthProviderConfig{Name: "oidc", Config: map[string]string{"id-token": jwt}}}, "auth provider oidc"},
		"certificate":     {func() (u clientcmdapi.AuthInfo) { certificate(&u); return u }(), "certificate CN=ada CN=test CA " + until.Format(time.RFC3339)},
		"both":            {func() (u clientcmdapi.AuthInfo) { u.Token = "opaque-secret"; certificate(&u); return u }(), "token CN=ada CN=test CA"},
		"bad certificate": {clientcmdapi.AuthInfo{ClientCertificateData: []byte("opaque-secret")}, "none"},
		"impersonation":   {clientcmdapi.AuthInfo{Token: "opaque-secret", Impersonate: "ben"}, "token as ben"},
		"nothing":         {clientcmdapi.AuthInfo{}, "none"},
	} {
		config := oneContext("https://127.0.0.1:1", ca.pem)
		config.AuthInfos["u"] = &c.user
		found := load(t, config, Options{}).LoginInfo()
		got := described(found)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if all := fmt.Sprintf("%+v %+v", found, found.Claims); strings.Contains(all, "opaque-secret") || strings.Contains(all, "signature") || strings.Contains(all, "PRIVATE") {
			t.Errorf("%s: the description has the credential: %s", name, all)
		}
	}
	if c := New(Options{}).Waiting("x", FromPractice, func() State { return State{} }); c.LoginInfo().Kind != ByNothing {
		t.Errorf("a cluster that doesn't exist yet has %+v", c.LoginInfo())
	}
}

func described(c LoginInfo) string {
	parts := []string{string(c.Kind), c.File, c.Program, c.Subject, c.Issuer}
	if c.Claims != nil {
		parts = append(parts, c.Claims.Issuer, c.Claims.Subject, fmt.Sprint(c.Claims.Audiences))
	}
	if !c.Ends.IsZero() {
		parts = append(parts, c.Ends.Format(time.RFC3339))
	}
	if c.Impersonates != "" {
		parts = append(parts, "as "+c.Impersonates)
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
