package main

import (
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldmark/fieldmark/server/kubectl"
)

// certificate makes the certificate of kubectl's side, and what clients trust to know it by.
func (a *app) certificate() (cert tls.Certificate, trusted []byte, err error) {
	authority, err := a.authority()
	if err != nil {
		return cert, nil, err
	}
	cert, err = authority.Certificate(rand.Reader, time.Now(), a.address)
	return cert, authority.Trusted(), err
}

// authority is kept where a kubeconfig of ours can outlive us: with a launch token that was chosen it is as good after
// a restart as before, in a client's memory, in a copy, or left behind by a kill. With a random token it is not, and
// no key is left on the disk.
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

// authorityFile is where the state of programs belongs: $XDG_STATE_HOME, otherwise ~/.local/state.
func (c Config) authorityFile() (string, error) {
	state := c.env("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // the specification says to ignore others
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("finding the home directory: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "fieldmark", "kubectl-authority.pem"), nil
}
