package program

import (
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldmark/fieldmark/server/kubectl"
)

// certificate makes the TLS certificate for kubectl, and the certificate that clients must trust.
func (a *app) certificate() (cert tls.Certificate, trusted []byte, err error) {
	authority, err := a.authority()
	if err != nil {
		return cert, nil, err
	}
	cert, err = authority.Certificate(rand.Reader, time.Now(), a.address)
	return cert, authority.Trusted(), err
}

// authority is kept in a file if the launch token was chosen: an older kubeconfig, such as a copy, then still works after a restart.
// With a random token it doesn't, so no key is left on the disk.
func (a *app) authority() (*kubectl.Authority, error) {
	if a.config.KubeconfigOut != "" && a.config.Token != "" {
		file, err := a.config.authorityFile()
		if err == nil {
			var kept *kubectl.Authority
			if kept, err = kubectl.Kept(file, rand.Reader, time.Now(), a.log); err == nil {
				return kept, nil
			}
		}
		a.log.Warn("the kubeconfig will not work after a restart", "err", err)
	}
	return kubectl.NewAuthority(rand.Reader, time.Now())
}

// authorityFile has the key and the certificate of the authority.
func (c Config) authorityFile() (string, error) { return c.stateFile("kubectl-authority.pem") }

// stateFile is a path in $XDG_STATE_HOME, otherwise in ~/.local/state.
func (c Config) stateFile(name string) (string, error) {
	state := c.env("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // the specification says to ignore others
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("finding the home directory: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "fieldmark", name), nil
}
