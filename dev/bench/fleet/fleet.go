// Package fleet measures replicas of a shared Fieldmark behind a proxy: what single things cost, many people, and whether two replicas serve more than one.
package fleet

import (
	"context"
	"net/http"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Costs  = lab.Of(measureCosts)
	Load   = lab.Of(measureLoad)
	Spread = lab.Of(measureSpread)
)

// fleet has replicas of the shared mode behind a proxy. They share only a key.
type fleet struct {
	lab      *lab.Lab
	robin    *robin
	public   string // the address in browsers
	replicas []*lab.Shared
	pages    *http.Client
}

// openFleet starts n replicas. args are more arguments of each.
func openFleet(ctx context.Context, l *lab.Lab, n int, args ...string) (*fleet, error) {
	proxy, err := startRobin(ctx)
	if err != nil {
		return nil, err
	}
	f := &fleet{lab: l, robin: proxy, public: "http://" + proxy.listenAddress(), pages: pageClient()}
	clusters, err := l.WriteClusters(l.Bare.Origin, l.Bare.Authority, lab.ContextName)
	if err != nil {
		f.close()
		return nil, err
	}
	var addresses []string
	for range n {
		r, err := l.StartShared(ctx, clusters, f.public, args...)
		if err != nil {
			f.close()
			return nil, err
		}
		f.replicas = append(f.replicas, r)
		addresses = append(addresses, r.Address)
	}
	f.robin.lead(ctx, addresses...)
	return f, nil
}

// pageClient sends each request over a connection of its own, so that the proxy gives each to the next replica.
func pageClient() *http.Client {
	return &http.Client{
		Timeout:       lab.Patience,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// close ends the replicas and the proxy.
func (f *fleet) close() {
	for range f.replicas {
		f.lab.StopLast()
	}
	f.replicas = nil
	f.robin.close()
}
