package kubectl

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"slices"
	"time"
)

const (
	// lifetime of a certificate. Each certificate is used only until the program stops.
	lifetime = 365 * 24 * time.Hour
	// reign is the lifetime of an authority. It is renewed when less than a certificate's lifetime is left.
	reign = 10 * lifetime
)

// Authority signs the certificates of Fieldmark's TLS server. Only the kubeconfigs that Fieldmark writes trust it.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority makes an authority, which is forgotten with the program; see Kept.
func NewAuthority(random io.Reader, now time.Time) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), random)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	template, err := template(random, now, reign)
	if err != nil {
		return nil, err
	}
	template.Subject.CommonName = "fieldmark authority"
	template.KeyUsage |= x509.KeyUsageCertSign
	template.IsCA, template.MaxPathLenZero = true, true
	der, err := x509.CreateCertificate(random, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("signing the authority's certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("reading the authority's certificate: %w", err)
	}
	return &Authority{cert, key}, nil
}

// Trusted is what a client must trust, as PEM.
func (a *Authority) Trusted() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// Certificate makes a certificate for an address (host:port), good for this machine's loopback names too.
func (a *Authority) Certificate(random io.Reader, now time.Time, address string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), random)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a key: %w", err)
	}
	template, err := template(random, now, lifetime)
	if err != nil {
		return tls.Certificate{}, err
	}
	template.DNSNames, template.IPAddresses = names(address)
	der, err := x509.CreateCertificate(random, template, a.cert, key.Public(), a.key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("signing the certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

func template(random io.Reader, now time.Time, lasts time.Duration) (*x509.Certificate, error) {
	serial := make([]byte, 16)
	if _, err := io.ReadFull(random, serial); err != nil {
		return nil, fmt.Errorf("making a serial number: %w", err)
	}
	return &x509.Certificate{
		SerialNumber:          new(big.Int).SetBytes(serial),
		Subject:               pkix.Name{CommonName: "fieldmark"},
		NotBefore:             now.Add(-time.Hour), // clients' clocks differ
		NotAfter:              now.Add(lasts),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}, nil
}

// encode writes the authority with its key, as PEM.
func (a *Authority) encode() ([]byte, error) {
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return nil, fmt.Errorf("writing the key: %w", err)
	}
	return append(a.Trusted(), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...), nil
}

// decode reads what encode wrote. Its errors quote nothing of the text: it holds a key.
func decode(text []byte, now time.Time) (*Authority, error) {
	pair, err := tls.X509KeyPair(text, text)
	if err != nil {
		return nil, errors.New("the file has no certificate with its key")
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	a := &Authority{pair.Leaf, key}
	switch {
	case !ok || !a.cert.IsCA || a.cert.CheckSignatureFrom(a.cert) != nil:
		return nil, errors.New("the file has no certificate authority of Fieldmark")
	case now.Before(a.cert.NotBefore) || now.Add(lifetime).After(a.cert.NotAfter):
		return nil, errors.New("its certificate expires soon, or is not valid yet")
	}
	return a, nil
}

func names(address string) (dns []string, ips []net.IP) {
	dns, ips = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	switch {
	case err != nil || host == "":
	case ip == nil && !slices.Contains(dns, host):
		dns = append(dns, host)
	case ip != nil && !ip.IsUnspecified() && !slices.ContainsFunc(ips, ip.Equal):
		ips = append(ips, ip)
	}
	return dns, ips
}
