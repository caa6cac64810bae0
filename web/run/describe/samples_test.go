package describe

import (
	"fmt"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// of is the page of an object in JSON.
func of(s pagetest.Text, p apipath.Path, kind, text string) Model {
	o, err := object.Parse([]byte(text))
	if err != nil {
		panic(err) // the sample is wrong
	}
	t := discovery.Type{Group: p.Group, Version: p.Version, Resource: p.Resource, Kind: kind, Namespaced: p.Namespace != "", Verbs: []string{"get", "list", "watch", "patch", "delete"}}
	return Model{Subject: subject.Subject{Frame: page.Frame{Kind: Kind, Shell: s.Shell(p)}, Type: t, Object: o.Masked(), View: views.Describe, Now: pagetest.Now}, Read: pagetest.Now}
}

// failing is a pod with two containers, of which one ends again and again, and the other waits for its image.
func failing(s pagetest.Text) Model {
	m := of(s, apipath.Object("", "v1", "shop", "pods", "web"), "Pod", fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"1",
		"creationTimestamp":"2026-11-21T10:00:00Z","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"web-1","controller":true}]},
		"spec":{"nodeName":"node-1","serviceAccountName":"web","nodeSelector":{%[1]s:%[1]s},"tolerations":[{"key":%[1]s,"value":%[1]s}],
		"initContainers":[{"name":%[1]s,"image":%[1]s}],
		"containers":[{"name":"app","image":%[1]s,"livenessProbe":{"exec":{"command":[%[1]s]}},"readinessProbe":{"httpGet":{"path":%[1]s,"port":8080}},"volumeMounts":[{"name":"data","mountPath":%[1]s}]},{"name":"proxy","image":"proxy:1"}],
		"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data"}},{"name":%[1]s,"configMap":{"name":"settings"}}]},
		"status":{"phase":"Running","qosClass":"BestEffort","podIP":"10.0.0.1","conditions":[{"type":"Ready","status":"False","reason":%[1]s,"message":%[1]s,"lastTransitionTime":"2026-11-21T10:00:00Z"}],
		"initContainerStatuses":[{"name":%[1]s,"state":{"terminated":{"exitCode":0,"reason":"Completed"}}}],
		"containerStatuses":[{"name":"app","restartCount":12,"state":{"waiting":{"reason":"CrashLoopBackOff","message":%[1]s}},
			"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","message":%[1]s,"startedAt":"2026-11-21T10:00:00Z","finishedAt":"2026-11-21T10:05:00Z"}}},
			{"name":"proxy","state":{"waiting":{"reason":%[1]s,"message":%[1]s}}}]}}`, s.Quoted()))
	return m.Heard("claim/data", fmt.Appendf(nil, `{"metadata":{"name":"data"},"spec":{"storageClassName":%[1]s,"volumeName":"pv-1"},"status":{"phase":%[1]s,"capacity":{"storage":%[1]s}}}`, s.Quoted())).
		Heard("events", fmt.Appendf(nil, `{"kind":"EventList","items":[{"type":"Warning","reason":%[1]s,"message":%[1]s,"count":9,"source":{"component":%[1]s},"lastTimestamp":"2026-11-21T10:00:00Z"},
			{"type":"Normal","reason":"Pulled","message":%[1]s,"lastTimestamp":"2026-11-21T09:00:00Z"}]}`, s.Quoted()))
}

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	pods := fmt.Appendf(nil, `{"metadata":{"continue":"x"},"items":[{"metadata":{"name":"a","namespace":"shop","creationTimestamp":"2026-11-21T10:00:00Z"},
		"spec":{"nodeName":"node-1","containers":[{"name":"c","resources":{"requests":{"cpu":"100m"}}}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"data"}}]},
		"status":{"phase":"Pending","containerStatuses":[{"name":"c","state":{"waiting":{"reason":%[1]s,"message":%[1]s}}}]}}]}`, s.Quoted())
	job := of(s, apipath.Object("batch", "v1", "shop", "jobs", "import"), "Job", `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"import"},
		"spec":{"completions":3,"parallelism":2,"backoffLimit":6,"selector":{"matchLabels":{"a":"b"}}},"status":{"active":1,"startTime":"2026-11-21T10:00:00Z"}}`).Heard("pods", pods).Heard("events", []byte(`{"kind":"EventList"}`))
	node := of(s, apipath.Object("", "v1", "", "nodes", "node-1"), "Node", fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1"},"spec":{"unschedulable":true,"taints":[{"key":%[1]s,"value":%[1]s,"effect":%[1]s}]},
		"status":{"capacity":{"cpu":"4","memory":%[1]s},"allocatable":{"cpu":"4"},"nodeInfo":{"kubeletVersion":%[1]s},"addresses":[{"type":%[1]s,"address":%[1]s}],
		"conditions":[{"type":"Ready","status":"Unknown","message":%[1]s}]}}`, s.Quoted())).Heard("pods", pods)
	service := of(s, apipath.Object("", "v1", "shop", "services", "web"), "Service", fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},
		"spec":{"type":"LoadBalancer","selector":{"app":%[1]s},"ports":[{"name":%[1]s,"port":80,"targetPort":%[1]s}]}}`, s.Quoted())).Heard("pods", pods).
		Heard("slices", fmt.Appendf(nil, `{"items":[{"endpoints":[{"addresses":[%[1]s],"nodeName":"node-1","zone":%[1]s,"targetRef":{"kind":%[1]s,"name":%[1]s},"conditions":{"ready":false}}]}]}`, s.Quoted()))
	ingress := of(s, apipath.Object("networking.k8s.io", "v1", "shop", "ingresses", "web"), "Ingress", fmt.Sprintf(`{"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"web"},
		"spec":{"ingressClassName":"nginx","tls":[{"hosts":[%[1]s],"secretName":"cert"}],"rules":[{"host":%[1]s,"http":{"paths":[{"path":%[1]s,"pathType":"Prefix","backend":{"service":{"name":"web","port":{"number":80}}}}]}}]}}`, s.Quoted())).
		Heard("services", []byte(`{"items":[]}`)).Refused("class", status.Status{Code: 404, Message: s.String()})
	claim := of(s, apipath.Object("", "v1", "shop", "persistentvolumeclaims", "data"), "PersistentVolumeClaim", `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data"},
		"spec":{"storageClassName":"fast","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"10Gi"}}},"status":{"phase":"Pending"}}`).Heard("pods", pods).
		Heard("class", fmt.Appendf(nil, `{"metadata":{"name":"fast"},"provisioner":%[1]s,"volumeBindingMode":"WaitForFirstConsumer"}`, s.Quoted()))
	forbidden := failing(s)
	for _, ask := range forbidden.Asks() {
		forbidden = forbidden.Refused(ask.ID, status.Status{Code: 403, Message: s.String()})
	}
	down := job
	for _, ask := range down.Asks() {
		down = down.Refused(ask.ID, status.Status{Message: s.String()})
	}
	return map[string]page.Page{
		"in describe of a pod":         failing(s),
		"in describe of a pod, live":   pagetest.Live(failing(s)),
		"in describe of a job":         job,
		"in describe of a node":        node,
		"in describe of a service":     service,
		"in describe of an ingress":    ingress,
		"in describe of a claim":       claim,
		"in describe, forbidden":       forbidden,
		"in describe, without answers": down,
	}
}
