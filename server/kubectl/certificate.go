package kubectl

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"slices"
	"time"
)

// lifetime of a certificate. It is held in memory only, and lives no longer than the program.
const lifetime = 365 * 24 * time.Hour

// Certificate makes a certificate for an address (host:port), good for this machine's loopback names
// too. It signs itself: trusted is the same certificate as PEM, for a client to trust and nothing else.
func Certificate(random io.Reader, now time.Time, address string) (cert tls.Certificate, trusted []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), random)
	if err != nil {
		return cert, nil, fmt.Errorf("making a key: %w", err)
	}
	serial := make([]byte, 16)
	if _, err := io.ReadFull(random, serial); err != nil {
		return cert, nil, fmt.Errorf("making a serial number: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber:          new(big.Int).SetBytes(serial),
		Subject:               pkix.Name{CommonName: "fieldmark"},
		NotBefore:             now.Add(-time.Hour), // clients' clocks differ
		NotAfter:              now.Add(lifetime),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	template.DNSNames, template.IPAddresses = names(address)
	der, err := x509.CreateCertificate(random, template, template, key.Public(), key)
	if err != nil {
		return cert, nil, fmt.Errorf("signing the certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

func names(address string) (dns []string, ips []net.IP) {
	dns, ips = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	switch {
	case err != nil || host == "":
	case ip == nil && !slices.Contains(dns, host):
		dns = append(dns, host)
	case ip != nil && !ip.IsUnspecified() && !ip.IsLoopback():
		ips = append(ips, ip)
	}
	return dns, ips
}
