// Package pki makes the keys and certificates of one practice cluster.
//
// There are three authorities. The cluster's signs the certificates of the API server
// and of its clients. etcd's signs only those that may read and write etcd, so
// that no certificate of the cluster gives access to etcd. The one for front
// proxies signs only the API server's certificate for aggregated APIs, with
// which it may name the user of a request.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"time"
)

const (
	authorityLife = 10 * 365 * 24 * time.Hour
	leafLife      = 365 * 24 * time.Hour
	// backdate lets a machine whose clock was set back a little still use its certificates.
	backdate = 5 * time.Minute
)

// Pair is a certificate and its private key, both in PEM.
type Pair struct{ Cert, Key []byte }

// Authority signs certificates.
type Authority struct {
	Pair
	cert *x509.Certificate
	key  crypto.Signer
}

// Subject says whom a certificate is for. Hosts make it a server's
// certificate; without them it is a client's.
type Subject struct {
	Name   string
	Groups []string
	Hosts  []string
	// AlsoClient makes a server's certificate usable as a client's as well,
	// as etcd's members need among each other.
	AlsoClient bool
}

// NewAuthority makes an authority that can sign for ten years.
func NewAuthority(name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	template, err := newTemplate(pkix.Name{CommonName: name}, authorityLife)
	if err != nil {
		return nil, err
	}
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	pair, err := sign(template, template, key, key)
	if err != nil {
		return nil, err
	}
	return LoadAuthority(pair)
}

// LoadAuthority loads an authority that was made before.
func LoadAuthority(pair Pair) (*Authority, error) {
	cert, err := parseCert(pair.Cert)
	if err != nil {
		return nil, err
	}
	key, err := parseKey(pair.Key)
	if err != nil {
		return nil, err
	}
	return &Authority{Pair: pair, cert: cert, key: key}, nil
}

// Usable says whether the authority will outlive certificates it signs now.
func (a *Authority) Usable(now time.Time) bool {
	return now.After(a.cert.NotBefore) && now.Add(leafLife).Before(a.cert.NotAfter)
}

// Issue makes a key and a certificate for the subject.
func (a *Authority) Issue(subject Subject) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, fmt.Errorf("making a key: %w", err)
	}
	template, err := newTemplate(pkix.Name{CommonName: subject.Name, Organization: subject.Groups}, leafLife)
	if err != nil {
		return Pair{}, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = usages(subject)
	addHosts(template, subject.Hosts)
	return sign(template, a.cert, key, a.key)
}

func usages(subject Subject) []x509.ExtKeyUsage {
	switch {
	case len(subject.Hosts) == 0:
		return []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	case subject.AlsoClient:
		return []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	}
	return []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
}

func addHosts(template *x509.Certificate, hosts []string) {
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
}

func newTemplate(name pkix.Name, life time.Duration) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, fmt.Errorf("making a serial number: %w", err)
	}
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial, Subject: name,
		NotBefore: now.Add(-backdate), NotAfter: now.Add(life),
	}, nil
}

func sign(template, parent *x509.Certificate, key, parentKey crypto.Signer) (Pair, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), parentKey)
	if err != nil {
		return Pair{}, fmt.Errorf("signing a certificate: %w", err)
	}
	keyPEM, err := encodeKey(key)
	if err != nil {
		return Pair{}, err
	}
	return Pair{Cert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), Key: keyPEM}, nil
}

// NewSigningKey makes the key pair with which service-account tokens are
// signed and checked: the private half as Key, the public half as Cert.
func NewSigningKey() (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, fmt.Errorf("making a key: %w", err)
	}
	private, err := encodeKey(key)
	if err != nil {
		return Pair{}, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return Pair{}, fmt.Errorf("writing the public key: %w", err)
	}
	return Pair{Cert: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), Key: private}, nil
}

func encodeKey(key crypto.Signer) ([]byte, error) {
	ec, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("unexpected key type %T", key)
	}
	// SEC 1, because the API server reads service-account keys in this form.
	der, err := x509.MarshalECPrivateKey(ec)
	if err != nil {
		return nil, fmt.Errorf("writing the key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}

func parseCert(data []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("no certificate in PEM data")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	return cert, nil
}

func parseKey(data []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("no key in PEM data")
	}
	key, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("reading the key: %w", err)
	}
	return key, nil
}
