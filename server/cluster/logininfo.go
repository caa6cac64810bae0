package cluster

import (
	"crypto/x509"
	"encoding/pem"
	"path/filepath"
	"strings"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/fieldmark/fieldmark/server/identity"
)

// LoginKind says by what a server knows the sender of a request.
type LoginKind string

// The kinds, in the order in which client-go prefers them.
const (
	ByToken        LoginKind = "token"
	ByTokenFile    LoginKind = "token file"
	ByPassword     LoginKind = "password"
	ByPlugin       LoginKind = "plugin"
	ByAuthProvider LoginKind = "auth provider"
	ByCertificate  LoginKind = "certificate"
	ByNothing      LoginKind = "none"
)

// LoginInfo describes the credential of a context. It has no part of it that gives access.
type LoginInfo struct {
	Kind LoginKind
	// File is where the token or the certificate is; empty: in the kubeconfig.
	File string
	// Program is the command of the plugin, or the name of the auth provider.
	Program string
	// Subject and Issuer are the names in the client certificate.
	Subject, Issuer string
	// Claims are those of a token that is a JSON Web Token; nil: it isn't one.
	Claims *identity.Claims
	// Ends is when the credential ends; zero: it doesn't say.
	Ends time.Time
	// Certificate is true if a client certificate is sent as well.
	Certificate bool
	// Impersonates is the user that the kubeconfig tells to act as, or empty.
	Impersonates string
}

// LoginInfo reads the context's credential in the kubeconfig, and the files that it names. It runs no plugin. What can't be read is
// missing.
func (c *Cluster) LoginInfo() LoginInfo {
	if c.of != nil {
		return c.of.LoginInfo()
	}
	none := LoginInfo{Kind: ByNothing}
	config := c.kubeconfig.Load()
	if config == nil || config.Contexts[c.name] == nil {
		return none
	}
	user := config.AuthInfos[config.Contexts[c.name].AuthInfo]
	if user == nil {
		return none
	}
	found := tokenOf(user)
	found.Impersonates = user.Impersonate
	return found.withCertificate(user)
}

// tokenOf is the credential without a certificate.
func tokenOf(user *clientcmdapi.AuthInfo) LoginInfo {
	switch {
	case user.Token != "":
		return LoginInfo{Kind: ByToken}.withClaims(user.Token)
	case user.TokenFile != "":
		text, _ := dataOrFile(nil, user.TokenFile, "token")
		return LoginInfo{Kind: ByTokenFile, File: user.TokenFile}.withClaims(strings.TrimSpace(string(text)))
	case user.Username != "":
		return LoginInfo{Kind: ByPassword}
	case user.Exec != nil:
		return LoginInfo{Kind: ByPlugin, Program: filepath.Base(user.Exec.Command)}
	case user.AuthProvider != nil:
		return LoginInfo{Kind: ByAuthProvider, Program: user.AuthProvider.Name}
	}
	return LoginInfo{Kind: ByNothing}
}

func (c LoginInfo) withClaims(token string) LoginInfo {
	if claims, ok := identity.ClaimsOf(token); ok {
		c.Claims, c.Ends = &claims, claims.Expires
	}
	return c
}

// withCertificate adds the client certificate. If there is a token too, the server decides which of them counts.
func (c LoginInfo) withCertificate(user *clientcmdapi.AuthInfo) LoginInfo {
	text, _ := dataOrFile(user.ClientCertificateData, user.ClientCertificate, "client certificate")
	block, _ := pem.Decode(text)
	if block == nil {
		return c
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return c
	}
	c.Certificate, c.Subject, c.Issuer = true, cert.Subject.String(), cert.Issuer.String()
	if c.Kind == ByNothing {
		c.Kind, c.File, c.Ends = ByCertificate, user.ClientCertificate, cert.NotAfter.UTC()
		if len(user.ClientCertificateData) > 0 {
			c.File = ""
		}
	}
	return c
}
