// Package certs makes certificate authorities and server certificates for one run of the tests.
package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// valid is longer than any test.
const valid = 24 * time.Hour

// Authority signs certificates.
type Authority struct {
	// File has the authority's certificate in PEM.
	File string
	// Pool has the authority's certificate and no other.
	Pool *x509.CertPool
	// Print is the SHA-256 of the authority's public key in base64. Chromium can be told to trust chains with this key.
	Print string

	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// New makes an authority with a new key. Its certificate is written to the folder dir.
func New(dir, name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(valid),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("making a certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	a := &Authority{File: filepath.Join(dir, name+".crt"), Pool: x509.NewCertPool(), cert: cert, key: key}
	sum := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	a.Print = base64.StdEncoding.EncodeToString(sum[:])
	a.Pool.AddCert(cert)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(a.File, text, 0o600); err != nil {
		return nil, fmt.Errorf("writing the certificate: %w", err)
	}
	return a, nil
}

// Server is the configuration of a server on this machine, with a certificate for localhost and 127.0.0.1. It sends the authority's, too.
func (a *Authority) Server() (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(valid),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("making a certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, nil
}
