package check

import (
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// planOf is the plan of a check with the reader's options.
func planOf(o Options) *check.Plan {
	return &check.Plan{Manager: o.Manager, Force: o.Force, Body: func(d source.Document) ([]byte, error) { return []byte(alone(d)), nil }}
}

// inquire begins the inquiry about a document, which may be an item of a list.
func (m Model) inquire(d check.Document) *check.Inquiry {
	of := served(d.Source, m.Shell.Catalog)
	if of.Type.Namespaced {
		d.Namespace = m.live.of.Namespace
	}
	return m.live.plan.Inquire(d, of)
}

// served is what the catalog says about the type of a document.
func served(d source.Document, catalog discovery.Catalog) check.Served {
	group, version := aim.SplitVersion(d.APIVersion)
	typ, known := catalog.Kind(group, version, d.Kind)
	if f, unread := catalog.Unread(group, version); !known && unread {
		return check.Served{No: &status.Status{Code: status.CodeBadGateway, Message: f.Words() + " So Fieldmark doesn’t know whether the cluster serves this type."}}
	}
	return check.Served{Type: typ}
}

// callOf is a request of the check.
func callOf(cluster string, a check.Ask) call.Call {
	return call.New(cluster, a.Method, a.Target(), a.ContentType, a.Body)
}

// heard is the response to a request of the check.
func heard(r *dryrun.Response) check.Response {
	h := check.Response{Object: r.Object.Fields, No: r.No, Warnings: r.Warnings}
	if h.No != nil && h.No.Message == "" {
		no := *h.No
		no.Message = "The API server didn’t respond."
		h.No = &no
	}
	return h
}

func (d *doc) kind() schema.Kind { return aim.KindOf(d.Document.Source) }
