package upgrade

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/kube/upgrade/gather"
)

// gathering reads one cluster.
type gathering struct {
	*gather.Gathering

	cluster  *ask.Cluster
	requests *ask.Requests
	watched  *terminal.Progress
	catalog  discovery.Catalog
}

// begin reads what the cluster serves. It returns silent, which says that the cluster doesn't respond, unless that is nil.
func begin(cluster *ask.Cluster, silent error, watched *terminal.Progress) (*gathering, error) {
	if silent != nil {
		return nil, silent
	}
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	if err := cluster.Forget(); err != nil {
		return nil, err
	}
	catalog, err := cluster.Catalog()
	if err != nil {
		return nil, err
	}
	all, err := gather.New(catalog, requests.Gathering(watched.Step))
	if err != nil {
		return nil, err
	}
	return &gathering{Gathering: all, cluster: cluster, requests: requests, watched: watched, catalog: catalog}, nil
}

// server is the version of the API server; empty if it doesn't say.
func (g *gathering) server(ctx context.Context) string {
	path, err := apipath.Parse("/version")
	if err != nil {
		return ""
	}
	body, no := g.requests.Send(ctx, inquiry.Ask{Path: path, Accept: "application/json"})
	var info release.Info
	if no != nil || json.Unmarshal(body, &info) != nil {
		return ""
	}
	return info.GitVersion
}

// read lists the metadata of all objects of types that can have a record, and returns the census of them.
func (g *gathering) read(ctx context.Context, which func(t discovery.Type) bool) report.Report {
	var namespaces []string
	if namespace, only, err := g.cluster.Namespace(); err == nil && only {
		namespaces = []string{namespace}
	}
	types := slices.DeleteFunc(reading.TypesOf(g.catalog, nil), func(t discovery.Type) bool { return !upgrade.Recorded(t) || !which(t) })
	r := reading.New(g.Plan(types, namespaces), g.requests.Reading(g.watched.Step))
	r.Run(ctx)
	return r.Report()
}

// objects are how many objects were read, of how many types.
func objects(r report.Report) (objects, types int) {
	for _, t := range r.Types {
		objects += t.Objects
		if t.State == report.Read {
			types++
		}
	}
	return objects, types
}
