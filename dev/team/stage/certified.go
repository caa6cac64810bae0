package stage

import (
	"context"
	"errors"

	"github.com/fieldmark/fieldmark/dev/team/apiserver"
	"github.com/fieldmark/fieldmark/dev/team/certs"
	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/robin"
	"github.com/fieldmark/fieldmark/dev/team/zitadel"
)

// Leads is the path to which an issuer leads back after signing out.
const Leads = "/-/sign-out/done"

// Certified is a stage whose issuer signs people out and revokes tokens. Dex does neither. It has an API server of its own, so that no other test
// notices.
type Certified struct {
	*Stage

	Issuer *zitadel.Issuer
}

// NewCertified builds such a stage. Clear ends it.
func NewCertified(ctx context.Context, o Options) (*Certified, error) {
	s, err := empty(o)
	if err != nil {
		return nil, err
	}
	c := &Certified{Stage: s}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := c.furnish(ctx); err != nil {
		return nil, errors.Join(err, c.Clear())
	}
	return c, nil
}

func (c *Certified) furnish(ctx context.Context) error {
	var err error
	if c.CA, err = certs.New(c.Dir, "issuer"); err != nil {
		return err
	}
	secure, err := c.CA.Server()
	if err != nil {
		return err
	}
	if c.listener, c.Public, err = robin.Listen(ctx); err != nil {
		return err
	}
	c.Client = dex.Client{ID: Audience, Secret: "the secret of " + Audience, Redirects: []string{c.Public + callback}}
	c.Issuer, err = zitadel.Start(ctx, zitadel.Options{
		TLS: secure, People: Everybody(), Client: c.Client, LeadsBack: []string{c.Public + Leads}, Tokens: c.Tokens, Log: c.log,
	})
	if err != nil {
		return err
	}
	c.issuer, c.named = c.Issuer.URL, "zitadel"
	if err := apiserver.Write(c.Issuers, c.Trusted()); err != nil {
		return err
	}
	if c.API, err = apiserver.Start(ctx, c.Practice, c.Dir, c.Issuers); err != nil {
		return err
	}
	if err := c.rights(ctx); err != nil {
		return err
	}
	return c.serve(ctx, 2)
}

// Clear ends what was started. It fails if something didn't end by itself.
func (c *Certified) Clear() error {
	all := c.Stage.Clear()
	if c.Issuer != nil {
		all = errors.Join(all, c.Issuer.Stop())
	}
	return all
}
