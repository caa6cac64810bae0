package managers

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	with := func(q Query, sheet *Sheet) Model {
		shell := s.Shell(apipath.Path{})
		shell.Tool, shell.Title = web.Managers, "Who runs this cluster"
		return Model{Frame: page.Frame{Kind: Kind, Shell: shell}, Query: q, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5}, Sheet: sheet}
	}
	hostile := with(Query{Manager: s.String(), Type: s.String() + "." + s.String()}, SheetOf(hostileCensus(s)))
	hostile.Problem, hostile.Namespaces = &notice, s.String()
	hostile.Objects = &Objects{Manager: s.String(), Type: s.String() + "." + s.String(), More: true, Objects: []Object{{
		Path: "/api/v1/namespaces/default/pods/" + url.PathEscape(s.String()), Namespace: s.String(), Name: s.String(), Fields: 3,
		Paths: []string{s.String(), s.String()}, How: []string{s.String(), "Apply"}, Last: pagetest.Now.Add(-time.Hour).Unix(), Others: 2,
	}}}
	listed := hostile
	listed.Query, listed.Objects = Query{}.of(s.String(), ""), nil
	unread := hostile
	unread.Objects = &Objects{Manager: s.String(), Type: s.String() + "." + s.String(), Trouble: s.String()}
	failed, reading, stopped, half, bare := counted(0, 61, 1), counted(12, 61, 2), counted(9, 61, 3), counted(9, 61, 4), counted(3, 61, 5)
	for i := range failed.Types {
		refuse(&failed.Types[i], s.String())
	}
	failed.Phase, failed.Managers, failed.Cells, failed.Findings = report.Failed, nil, nil, nil
	reading.Phase, reading.Ended = report.Reading, time.Time{}
	for i := range reading.Types[20:] {
		reading.Types[20+i].State = report.Waiting
	}
	stopped.Phase = report.Stopped
	stopped.Types[7].State, stopped.Types[7].Left, stopped.Types[7].Why = report.Partly, 12_000, s.String()
	for i := range half.Types {
		if i%2 == 0 {
			refuse(&half.Types[i], s.String())
		}
	}
	bare.Managers, bare.Cells, bare.Findings = nil, nil, nil
	for i := range bare.Types {
		bare.Types[i].Unrecorded = bare.Types[i].Objects
	}
	begun := report.Report{Phase: report.Reading, Began: pagetest.Now, Types: failed.Types[:3]}
	return map[string]page.Page{
		"in a census, none":              with(Query{}, nil),
		"in a census, begun":             with(Query{}, SheetOf(begun)),
		"in a census":                    with(Query{}, SheetOf(counted(23, 61, 6))),
		"in a census, hostile":           hostile,
		"in a census, objects unread":    unread,
		"in a census, hostile types":     listed,
		"in a census, types":             with(Query{}.of("helm", ""), SheetOf(counted(23, 61, 6))),
		"in a census, objects awaited":   with(Query{Manager: "helm", Type: "deployments.apps"}, SheetOf(counted(9, 12, 7))),
		"in a census, large":             with(Query{}, SheetOf(counted(400, 150, 8))),
		"in a census, second page":       with(Query{Page: 2, Sort: "name"}, SheetOf(counted(50, 20, 8))),
		"in a census, small":             with(Query{}, SheetOf(counted(9, 12, 9))),
		"in a census, filtered":          with(Query{Text: "helm", Operation: "Apply"}, SheetOf(counted(23, 61, 6))),
		"in a census, none match":        with(Query{Text: "nosuch", Kind: "agent", Wrote: "hour", Subresource: "none"}, SheetOf(counted(23, 61, 6))),
		"in a census, failed":            with(Query{}, SheetOf(failed)),
		"in a census, reading":           with(Query{}, SheetOf(reading)),
		"in a census, stopped":           with(Query{}, SheetOf(stopped)),
		"in a census, half refused":      with(Query{}, SheetOf(half)),
		"in a census, no managed fields": with(Query{}, SheetOf(bare)),
	}
}

func refuse(t *report.Type, why string) {
	t.State, t.Code, t.Reason, t.Why, t.Objects = report.Refused, 403, "Forbidden", why, 0
}

// hostileCensus has a text wherever a cluster may say what it likes.
func hostileCensus(s pagetest.Text) report.Report {
	text := s.String()
	last := pagetest.Now.Add(-3 * time.Hour)
	return report.Report{
		Phase: report.Done, Began: pagetest.Now.Add(-time.Minute), Ended: pagetest.Now.Add(-time.Minute + 4100*time.Millisecond), Folded: 9000,
		Types: []report.Type{
			{Resource: text, Group: text, State: report.Read, Objects: 3, Bytes: 10, Managed: 5},
			{Resource: "secrets", State: report.Refused, Code: 403, Reason: text, Why: text},
			{Resource: "pods", State: report.Partly, Objects: 1, Left: 5, Why: text},
		},
		Managers: []report.Manager{
			{Name: text, Writer: writer.Person, Objects: 3, Fields: 9, Alone: 1, Last: last, With: []report.With{{Name: text + "2", Objects: 2}, {Name: "b", Objects: 1}, {Name: "c", Objects: 1}, {Name: "d", Objects: 1}}},
			{Name: text + "2", Objects: 2, Fields: 2},
			{Name: "", Writer: writer.Kind(text), Objects: 1, Fields: 1},
			{Name: strings.Repeat("long", 32), Writer: writer.GitOps, Objects: 1, Fields: 1},
			{Name: "", Others: true, Objects: 10, Fields: 20},
		},
		Cells: []report.Cell{
			{Manager: 0, Type: 0, Objects: 3, Fields: 9, Last: last, Entries: []report.Entry{
				{Operation: text, Subresource: text, APIVersion: text, Unserved: true, Objects: 3, Fields: 4, Last: last}, {Operation: "Apply", APIVersion: "v1", Objects: 2, Fields: 5},
			}},
			{Manager: 1, Type: 2, Objects: 2, Fields: 2, Entries: []report.Entry{{Operation: "Update", APIVersion: "v1", Objects: 2, Fields: 2}}},
			{Manager: 2, Type: 2, Objects: 1, Fields: 1, Entries: []report.Entry{{Operation: "Update", Subresource: "status", APIVersion: "v1", Objects: 1, Fields: 1}}},
			{Manager: 3, Type: 2, Objects: 1, Fields: 1, Entries: []report.Entry{{Operation: "Apply", APIVersion: "v1", Objects: 1, Fields: 1}}},
			{Manager: 4, Type: 2, Objects: 10, Fields: 20, Entries: []report.Entry{{Operation: "Apply", APIVersion: "v1", Objects: 10, Fields: 20}}},
		},
		Findings: []report.Finding{
			{Problem: report.Person, Manager: text, Other: text + "2", Objects: 12, Why: text, Samples: []report.Sample{{Path: "/api/v1/namespaces/default/pods/" + url.PathEscape(text), Fields: []string{text}}, {Path: "/" + url.PathEscape(text)}}, Ways: []report.Way{{Way: "share", Text: text}, {Way: text, Text: text}}},
			{Problem: report.Silent, Manager: text, Why: text},
			{Problem: report.Heavy, Type: text, Why: text},
			{Problem: report.Problem(text), Why: text},
			{Problem: report.Crowded, Why: text, Objects: 1, Samples: []report.Sample{{Path: "/api/v1/nodes/a"}}},
		},
	}
}

// actors are managers of a cluster as clusters have them: with what they write, and how.
var actors = []struct {
	name   string
	kind   writer.Kind
	types  string // names of types, or * for many of them
	ways   string // A: applies, U: updates, S: updates the status
	fields int
}{
	{"kube-controller-manager", writer.System, "pods replicasets deployments services endpointslices nodes events jobs cronjobs daemonsets statefulsets persistentvolumeclaims persistentvolumes serviceaccounts namespaces horizontalpodautoscalers poddisruptionbudgets resourcequotas leases controllerrevisions", "US", 40_000},
	{"argocd-controller", writer.GitOps, "deployments services configmaps secrets ingresses certificates applications serviceaccounts roles rolebindings clusterroles clusterrolebindings horizontalpodautoscalers networkpolicies poddisruptionbudgets statefulsets cronjobs", "A", 9_000},
	{"kubelet", writer.System, "pods nodes events leases csinodes", "US", 22_000},
	{"helm", writer.Helm, "deployments services configmaps secrets serviceaccounts roles rolebindings customresourcedefinitions validatingwebhookconfigurations", "U", 3_000},
	{"kubectl-client-side-apply", writer.Person, "deployments services configmaps ingresses namespaces", "U", 900},
	{"kube-scheduler", writer.System, "pods events leases", "US", 6_000},
	{"kustomize-controller", writer.GitOps, "deployments services configmaps kustomizations gitrepositories certificates", "A", 800},
	{"kubectl-edit", writer.Person, "deployments configmaps", "U", 12},
	{"cert-manager", writer.Controller, "secrets leases certificates certificaterequests orders challenges issuers events", "US", 1_400},
	{"node-fetch", writer.Script, "deployments", "U", 4},
	{"terraform", writer.Terraform, "services configmaps namespaces clusterroles", "A", 300},
	{"kube-apiserver", writer.System, "apiservices namespaces flowschemas prioritylevelconfigurations services endpointslices leases clusterroles clusterrolebindings", "US", 2_500},
	{"cluster-autoscaler", writer.Controller, "nodes configmaps leases events", "U", 200},
	{"kubectl-create", writer.Person, "namespaces secrets configmaps serviceaccounts", "U", 80},
	{"prometheus-operator", writer.Controller, "statefulsets secrets prometheuses servicemonitors alertmanagers prometheusrules", "US", 700},
	{"ingress-nginx", writer.Controller, "ingresses leases events", "S", 90},
	{"kubectl-rollout", writer.Person, "deployments daemonsets", "U", 14},
	{"python-requests", writer.Script, "configmaps jobs", "U", 30},
	{"external-dns", writer.Controller, "dnsendpoints events leases", "US", 60},
	{"claude-code", writer.Agent, "deployments configmaps", "A", 22},
	{"velero", writer.Controller, "backups restores podvolumebackups backupstoragelocations", "US", 500},
	{"coredns", writer.Unknown, "endpointslices", "U", 6},
	{"shop-operator", writer.Unknown, "promotions deployments services carts", "AS", 640},
}

// resources are resource types of such a cluster.
const resources = "pods services configmaps secrets nodes namespaces events serviceaccounts persistentvolumes persistentvolumeclaims endpoints resourcequotas limitranges replicationcontrollers podtemplates " +
	"deployments.apps replicasets.apps statefulsets.apps daemonsets.apps controllerrevisions.apps jobs.batch cronjobs.batch horizontalpodautoscalers.autoscaling " +
	"endpointslices.discovery.k8s.io leases.coordination.k8s.io ingresses.networking.k8s.io networkpolicies.networking.k8s.io ingressclasses.networking.k8s.io " +
	"roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io poddisruptionbudgets.policy " +
	"csinodes.storage.k8s.io storageclasses.storage.k8s.io customresourcedefinitions.apiextensions.k8s.io apiservices.apiregistration.k8s.io flowschemas.flowcontrol.apiserver.k8s.io " +
	"prioritylevelconfigurations.flowcontrol.apiserver.k8s.io validatingwebhookconfigurations.admissionregistration.k8s.io certificates.cert-manager.io certificaterequests.cert-manager.io " +
	"orders.acme.cert-manager.io challenges.acme.cert-manager.io issuers.cert-manager.io applications.argoproj.io kustomizations.kustomize.toolkit.fluxcd.io gitrepositories.source.toolkit.fluxcd.io " +
	"prometheuses.monitoring.coreos.com servicemonitors.monitoring.coreos.com alertmanagers.monitoring.coreos.com prometheusrules.monitoring.coreos.com dnsendpoints.externaldns.k8s.io " +
	"backups.velero.io restores.velero.io podvolumebackups.velero.io backupstoragelocations.velero.io promotions.shop.example.com carts.shop.example.com priorityclasses.scheduling.k8s.io runtimeclasses.node.k8s.io"

// counted is a census as a cluster with so many managers and types may have it.
func counted(managers, types int, seed uint64) report.Report {
	chance := rand.New(rand.NewPCG(seed, 1))
	r := report.Report{
		APIVersion: report.APIVersion, Kind: report.Kind, Phase: report.Done, Began: pagetest.Now.Add(-3 * time.Minute), Ended: pagetest.Now.Add(-3*time.Minute + 4100*time.Millisecond),
	}
	places := map[string]int{}
	known := strings.Fields(resources)
	for i := range types {
		name := fmt.Sprintf("things%d.group%d.example.com", i, i/6)
		if i < len(known) {
			name = known[i]
		}
		resource, group, _ := strings.Cut(name, ".")
		places[resource] = i
		objects := 1 + chance.IntN(400)
		r.Types = append(r.Types, report.Type{Group: group, Version: "v1", Resource: resource, State: report.Read, Objects: objects, Bytes: int64(objects) * 2000, Managed: int64(objects) * 700})
	}
	for _, i := range []int{9, 41} {
		if i < types {
			refuse(&r.Types[i], "forbidden")
		}
	}
	for i := range managers {
		r.Managers = append(r.Managers, report.Manager{Last: pagetest.Now.Add(-time.Duration(chance.IntN(90*24)) * time.Hour)})
		m := &r.Managers[i]
		actor := actors[i%len(actors)]
		m.Name, m.Writer = actor.name, actor.kind
		if i >= len(actors) {
			m.Name = fmt.Sprintf("%s-%d", actor.name, i)
		}
		for typ := range strings.FieldsSeq(actor.types) {
			at, has := places[typ]
			if !has {
				continue
			}
			if i >= len(actors) {
				at = (at + chance.IntN(types)) % types
			}
			writes(&r, i, at, actor.ways, max(1, chance.IntN(actor.fields/(1+i/len(actors))+2)))
		}
		m.Alone = m.Objects / 3
		for range min(i, 5) {
			m.With = append(m.With, report.With{Name: r.Managers[chance.IntN(i)].Name, Objects: 1 + chance.IntN(40)})
		}
	}
	r.Findings = foundIn(managers)
	return r
}

// writes adds a cell.
func writes(r *report.Report, who, typ int, ways string, fields int) {
	m, t := &r.Managers[who], r.Types[typ]
	c := report.Cell{Manager: who, Type: typ, Objects: 1 + fields%max(t.Objects, 1), Last: m.Last}
	for _, way := range ways {
		e := report.Entry{Operation: "Update", APIVersion: strings.TrimPrefix(t.Group+"/v1", "/"), Objects: c.Objects, Fields: max(fields/len(ways), 1), Last: m.Last}
		switch way {
		case 'A':
			e.Operation = "Apply"
		case 'S':
			e.Subresource = "status"
		}
		c.Fields += e.Fields
		c.Entries = append(c.Entries, e)
	}
	m.Objects += c.Objects
	m.Fields += c.Fields
	r.Cells = append(r.Cells, c)
}

func foundIn(managers int) (all []report.Finding) {
	if managers < 9 {
		return nil
	}
	samples := func(n int) (all []report.Sample) {
		for i := range n {
			all = append(all, report.Sample{Path: fmt.Sprintf("/apis/apps/v1/namespaces/shop/deployments/storefront-%d", i), Fields: []string{".spec.replicas"}})
		}
		return all
	}
	all = []report.Finding{
		{Problem: report.Unappliable, Type: "rollouts.example.com", Objects: 3, Why: "3 objects can’t be applied any more: their record speaks of v1beta1, which rollouts.example.com no longer serves.", Samples: samples(3)},
		{Problem: report.TwoGitOps, Manager: "argocd-controller", Other: "kustomize-controller", Objects: 4, Fields: 30, Why: "argocd-controller and kustomize-controller both own fields of 4 objects.", Samples: samples(4)},
		{Problem: report.Person, Manager: "kubectl-edit", Other: "argocd-controller", Objects: 9, Fields: 12, Why: "kubectl-edit owns 12 fields on 9 objects that argocd-controller applies. The next sync of 4 of them conflicts.", Samples: samples(9)},
		{Problem: report.Crowded, Objects: 14, Why: "14 objects have at least 8 of the 10 Update entries that the server keeps.", Samples: samples(10)},
		{Problem: report.Silent, Manager: "velero", Why: "velero last wrote 41 days ago, while others still write to its objects."},
	}
	for i := range managers / 12 {
		all = append(all, report.Finding{Problem: report.Heavy, Type: fmt.Sprintf("things%d.example.com", i), Why: fmt.Sprintf("managedFields are 64 %% of the metadata of things%d.example.com.", i)})
	}
	return all
}
