package describe

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// paths are the paths of the objects of this test, by their kinds.
var paths = map[string]apipath.Path{
	"Pod":                   apipath.Object("", "v1", "shop", "pods", "web"),
	"Job":                   apipath.Object("batch", "v1", "shop", "jobs", "import"),
	"Node":                  apipath.Object("", "v1", "", "nodes", "node-1"),
	"Service":               apipath.Object("", "v1", "shop", "services", "web"),
	"Ingress":               apipath.Object("networking.k8s.io", "v1", "shop", "ingresses", "web"),
	"PersistentVolumeClaim": apipath.Object("", "v1", "shop", "persistentvolumeclaims", "data"),
}

// about is the description of an object, after responses: by the IDs of the requests, bodies, or numbers of refusals.
func about(t *testing.T, kind, text string, responses map[string]string) (Subject, Description) {
	t.Helper()
	p := paths[kind]
	text = fmt.Sprintf(`{"kind":%q,"apiVersion":%q,%s`, kind, discovery.GroupVersion(p.Group, p.Version), strings.TrimPrefix(text, "{"))
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err, text)
	}
	s := Subject{Object: o, Path: p, Now: noon, Catalog: discovery.Catalog{Groups: []discovery.Group{{Name: "apps", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Group: "apps", Version: "v1", Resource: "replicasets", Kind: "ReplicaSet", Namespaced: true},
	}}}}}}}
	for id, body := range responses {
		switch body {
		case "403":
			s.Found = s.Found.Refused(id, status.Status{Code: 403, Message: "no"})
		case "404":
			s.Found = s.Found.Refused(id, status.Status{Code: 404, Message: "none"})
		default:
			if s.Found, err = s.Found.Read(id, []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s, Of(s)
}

func (d Description) waitsText() string {
	var all []string
	for _, w := range d.Waits {
		text := string(w.Tone) + ": " + w.Words
		if w.Quoted != "" {
			text += " [" + w.Quoted + "]"
		}
		if w.Link.Path != "" {
			text += " → " + w.Link.Path
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}

func cellText(c Cell) string {
	var all []string
	for _, t := range c {
		if t.Text != "" {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, " / ")
}

// part is a part as text: cells with their lines.
func (d Description) part(id string) string {
	var b strings.Builder
	for _, p := range d.Parts {
		if p.ID != id {
			continue
		}
		for _, row := range p.Rows {
			var cells []string
			for _, c := range row {
				cells = append(cells, cellText(c))
			}
			b.WriteString(strings.Join(cells, " | ") + "\n")
		}
		if len(p.Rows) == 0 {
			b.WriteString(p.None)
		}
		b.WriteString(p.More)
	}
	return strings.TrimSpace(b.String())
}

func (d Description) factsText() string {
	var all []string
	for _, f := range d.Facts {
		all = append(all, f.Name+": "+cellText(f.Values))
	}
	return strings.Join(all, "\n")
}

func TestExitCodesInWords(t *testing.T) {
	for _, c := range []struct {
		code, signal int
		reason, want string
	}{
		{0, 0, "Completed", "exit code 0: ended without an error"},
		{1, 0, "Error", "exit code 1: the program reported an error"},
		{2, 0, "Error", "exit code 2: the meaning is the program’s own"},
		{126, 0, "Error", "exit code 126: by convention, its command can’t be executed"},
		{127, 0, "Error", "exit code 127: by convention, its command wasn’t found"},
		{128, 0, "StartError", "exit code 128: it couldn’t be started"},
		{137, 0, "OOMKilled", "exit code 137: the kernel ended it, because it had no memory left within its limit or on its node"},
		{137, 0, "Error", "exit code 137: ended by SIGKILL (signal 9)"},
		{143, 0, "Error", "exit code 143: ended by SIGTERM (signal 15)"},
		{139, 0, "Error", "exit code 139: ended by SIGSEGV (signal 11)"},
		{192, 0, "Error", "exit code 192: ended by signal 64"},
		{193, 0, "Error", "exit code 193: the meaning is the program’s own"},
		{255, 0, "Error", "exit code 255: the meaning is the program’s own"},
		{1, 9, "Error", "exit code 1: ended by SIGKILL (signal 9)"},
	} {
		if got := ExitWords(c.code, c.signal, c.reason); got != c.want {
			t.Errorf("%d %d %s: %s", c.code, c.signal, c.reason, got)
		}
	}
}

func TestProbesInWords(t *testing.T) {
	for probe, want := range map[string]string{
		`{"httpGet":{"path":"/healthz","port":8080},"periodSeconds":10,"failureThreshold":3}`:               "GET http://:8080/healthz, every 10 s, fails after 3",
		`{"httpGet":{"scheme":"HTTPS","host":"a","port":"web"},"initialDelaySeconds":5,"timeoutSeconds":2}`: "GET https://a:web/, every 10 s, after the first 5 s, waits 2 s for a response, fails after 3",
		`{"tcpSocket":{"port":5432},"periodSeconds":1,"timeoutSeconds":1,"successThreshold":2}`:             "connects to :5432, every 1 s, fails after 3, succeeds after 2",
		`{"exec":{"command":["cat","/tmp/x"]},"failureThreshold":30}`:                                       "runs cat /tmp/x, every 10 s, fails after 30",
		`{"grpc":{"port":9090,"service":"shop"}}`:                                                           "gRPC health of shop on port 9090, every 10 s, fails after 3",
		`{"grpc":{"port":9090}}`: "gRPC health on port 9090, every 10 s, fails after 3",
		`{"other":{}}`:           "of a kind that Fieldmark doesn’t know, every 10 s, fails after 3",
	} {
		p := parse[Probe](object.Object{Fields: fieldsOf(t, probe)})
		if got := p.Words(); got != want {
			t.Errorf("%s: %s", probe, got)
		}
	}
}

func fieldsOf(t *testing.T, text string) map[string]any {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o.Fields
}

const event = `{"items":[{"type":"Warning","reason":%q,"message":%q,"involvedObject":{"fieldPath":%q},"source":{"component":"kubelet"},"count":%d,
	"firstTimestamp":"2026-11-29T11:50:00Z","lastTimestamp":"2026-11-29T11:58:00Z"}],"kind":"EventList"}`

func warning(reason, message, part string) map[string]string {
	return map[string]string{askEvents: fmt.Sprintf(event, reason, message, part, 5)}
}

// onePod is a pod with one container, in a state.
func onePod(more, state string) string {
	return fmt.Sprintf(`{"metadata":{"name":"web","namespace":"shop","uid":"u"},"spec":{"nodeName":"node-1","containers":[{"name":"app","image":"shop:1",
		"readinessProbe":{"httpGet":{"path":"/ready","port":80}},"startupProbe":{"tcpSocket":{"port":80}}}]%s},"status":{"phase":"Running","containerStatuses":[{"name":"app",%s}]}}`, more, state)
}

var podWaits = map[string]struct {
	pod       string
	responses map[string]string
	want      string
}{
	"a node": {
		`{"metadata":{"name":"web"},"spec":{"schedulerName":"s"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes are available"}]}}`, nil,
		"warn: It waits for a node. The scheduler found none. [0/3 nodes are available]",
	},
	"its scheduler": {
		`{"metadata":{"name":"web"},"spec":{"schedulerName":"mine"},"status":{"phase":"Pending"}}`, nil,
		"busy: It waits for a node. The scheduler mine has said nothing about it yet.",
	},
	"gates": {
		`{"metadata":{"name":"web"},"spec":{"schedulingGates":[{"name":"a/b"},{"name":"c"}]},"status":{"phase":"Pending"}}`, nil,
		"busy: It waits until somebody removes its scheduling gates: a/b, c.",
	},
	"an image": {
		onePod("", `"state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off"}}`), warning("Failed", "pull failed", "spec.containers{app}"),
		"bad: The container app waits for its image shop:1 (ImagePullBackOff). The kubelet first reported that 10m ago. [Back-off]",
	},
	"an image, of another container's event": {
		onePod("", `"state":{"waiting":{"reason":"ErrImagePull"}}`), warning("Failed", "pull failed", "spec.containers{other}"),
		"bad: The container app waits for its image shop:1 (ErrImagePull).",
	},
	"its next start": {
		onePod("", `"state":{"waiting":{"reason":"CrashLoopBackOff"}},"lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":"2026-11-29T11:57:00Z"}}`), nil,
		"bad: The container app waits before its next start, because it ends again and again. Its last run ended 3m ago with " + ExitWords(137, 0, "OOMKilled") + ".",
	},
	"a ConfigMap": {
		onePod("", `"state":{"waiting":{"reason":"CreateContainerConfigError","message":"configmap \"x\" not found"}}`), nil,
		`bad: The container app can’t be started (CreateContainerConfigError). The kubelet tries again. [configmap "x" not found]`,
	},
	"a mount": {
		onePod("", `"state":{"waiting":{"reason":"ContainerCreating"}}`), warning("FailedMount", "no such secret", ""),
		"warn: The container app waits for the kubelet to create it: volumes, network, image. [no such secret (FailedMount, 2m ago)]",
	},
	"its readiness probe": {
		onePod("", `"started":true,"state":{"running":{}}`), warning("Unhealthy", "HTTP 503", "spec.containers{app}"),
		"warn: The container app waits for its readiness probe: GET http://:80/ready, every 10 s, fails after 3. [HTTP 503 (Unhealthy, 2m ago)]",
	},
	"its startup probe": {
		onePod("", `"started":false,"state":{"running":{}}`), nil,
		"busy: The container app waits for its startup probe: connects to :80, every 10 s, fails after 3.",
	},
	"a readiness gate": {
		onePod(`,"readinessGates":[{"conditionType":"lb/ready"}]`, `"started":true,"ready":true,"state":{"running":{}}`), nil,
		"warn: It waits for its readiness gate lb/ready: another controller sets this condition.",
	},
	"a claim that isn't bound": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n","volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}]},"status":{"phase":"Pending"}}`,
		map[string]string{"claim/data": `{"metadata":{"name":"data"},"status":{"phase":"Pending"}}`},
		"warn: It waits for the claim data, which isn’t bound. Its phase is Pending. → /api/v1/namespaces/shop/persistentvolumeclaims/data",
	},
	"a claim that doesn't exist": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n","volumes":[{"name":"d","ephemeral":{}}]},"status":{"phase":"Pending"}}`,
		map[string]string{"claim/web-d": "404"},
		"bad: It waits for the claim web-d, which doesn’t exist.",
	},
	"a claim that nobody may read says nothing": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n","volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}]},"status":{"phase":"Pending"}}`,
		map[string]string{"claim/data": "403"},
		"busy: It waits for its kubelet, which has reported no state yet.",
	},
	"an init container, said once": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n","initContainers":[{"name":"a"},{"name":"b"}],"containers":[{"name":"app"}]},"status":{"phase":"Pending",
			"initContainerStatuses":[{"name":"a","state":{"terminated":{"exitCode":0}}},{"name":"b","state":{"running":{}}}],"containerStatuses":[{"name":"app","state":{"waiting":{"reason":"PodInitializing"}}}]}}`, nil,
		"busy: It waits for the init container b to finish: 1 of 2 are done.",
	},
	"a finalizer": {
		`{"metadata":{"name":"web","deletionTimestamp":"2026-11-29T12:00:30Z","finalizers":["x/y"]},"spec":{"nodeName":"n"},"status":{"phase":"Running"}}`, nil,
		"busy: It is being deleted, and has 30s left to end by itself.\nbusy: It waits for the finalizer x/y: its controller removes it after it has cleaned up.",
	},
	"nothing, because it is ready": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`, nil,
		"good: It is ready, and waits for nothing.",
	},
	"nothing, because it has failed": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n"},"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory."}}`, nil,
		"bad: It has failed (Evicted), and doesn’t start again. [The node was low on resource: memory.]",
	},
	"nothing, because it has finished": {`{"metadata":{"name":"web"},"status":{"phase":"Succeeded"}}`, nil, "good: It has finished without an error, and waits for nothing."},
	"something that only a condition knows": {
		`{"metadata":{"name":"web"},"spec":{"nodeName":"n"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"NodeLost"}]}}`, nil,
		"warn: It isn’t ready. The condition Ready says why. [NodeLost]",
	},
}

func TestWhatAPodWaitsFor(t *testing.T) {
	for name, c := range podWaits {
		if _, d := about(t, "Pod", c.pod, c.responses); d.waitsText() != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, d.waitsText(), c.want)
		}
	}
}

func TestPartsOfAPod(t *testing.T) {
	_, d := about(t, "Pod", `{"metadata":{"name":"web","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","controller":true}]},
		"spec":{"nodeName":"node-1","serviceAccountName":"web","restartPolicy":"Never","nodeSelector":{"disk":"ssd"},
		"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"gpu","value":"yes","effect":"NoSchedule"},{"operator":"Exists"}],
		"initContainers":[{"name":"mesh","image":"mesh:2","restartPolicy":"Always"},{"name":"copy","image":"copy:1"}],
		"containers":[{"name":"app","image":"shop:1","livenessProbe":{"tcpSocket":{"port":80}},"volumeMounts":[{"name":"data","mountPath":"/data","readOnly":true}]}],
		"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data"}},{"name":"tmp","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}},{"name":"cfg","configMap":{"name":"settings","optional":true}},
		{"name":"key","secret":{"secretName":"key"}},{"name":"tok","projected":{"sources":[{"serviceAccountToken":{}},{"configMap":{"name":"ca"}}]}}]},
		"status":{"phase":"Running","qosClass":"Burstable","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],
		"initContainerStatuses":[{"name":"copy","state":{"terminated":{"exitCode":0,"reason":"Completed","startedAt":"2026-11-29T11:00:00Z","finishedAt":"2026-11-29T11:00:05Z"}}}],
		"containerStatuses":[{"name":"app","ready":true,"restartCount":2,"state":{"running":{"startedAt":"2026-11-29T11:55:00Z"}},
		"lastState":{"terminated":{"exitCode":143,"reason":"Error","message":"bye","startedAt":"2026-11-29T11:50:00Z","finishedAt":"2026-11-29T11:54:00Z"}}}]}}`, map[string]string{
		"claim/data": `{"metadata":{"name":"data"},"spec":{"storageClassName":"fast","volumeName":"pv-1"},"status":{"phase":"Bound","capacity":{"storage":"10Gi"}}}`,
		askEvents: `{"kind":"EventList","items":[
			{"type":"Normal","reason":"Pulled","message":"pulled","count":2,"firstTimestamp":"2026-11-29T11:00:00Z","lastTimestamp":"2026-11-29T11:10:00Z","reportingComponent":"kubelet"},
			{"type":"Warning","reason":"BackOff","message":"again","eventTime":"2026-11-29T11:59:00.5Z","series":{"count":7,"lastObservedTime":"2026-11-29T11:59:30Z"}},
			{"type":"Normal","reason":"Pulled","message":"pulled","count":3,"firstTimestamp":"2026-11-29T11:05:00Z","lastTimestamp":"2026-11-29T11:20:00Z","reportingComponent":"kubelet"}]}`,
	})
	for part, want := range map[string]string{
		"containers": "mesh (sidecar) / mesh:2 | no status yet | none | 0 | none\n" +
			"copy (init) / copy:1 | Completed / exit code 0: ended without an error / ran 5s, ended 59m ago | none | 0 | none\n" +
			"app / shop:1 | running / since 5m | Error / exit code 143: ended by SIGTERM (signal 15) / ran 4m, ended 6m ago / bye | 2 / last 5m ago | liveness: connects to :80, every 10 s, fails after 3",
		"volumes": "data | claim data / Bound, 10Gi, fast / volume pv-1 | app: /data (read only)\ntmp | emptyDir in memory, at most 1Gi | not mounted\n" +
			"cfg | ConfigMap settings, optional | not mounted\nkey | Secret key | not mounted\ntok | projected: token of the service account, configMap ca | not mounted",
		askEvents: "30s / 7 times in 29s | BackOff | again\n40m / 5 times in 20m | Pulled / kubelet | pulled",
	} {
		if got := d.part(part); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", part, got, want)
		}
	}
	want := "Phase: Running\nNode: node-1\nControlled by: ReplicaSet web-1\nIP: 10.0.0.1 / fd00::1\nQoS: Burstable\nService account: web\nRestart policy: Never\nNode selector: disk=ssd\n" +
		"Tolerates: gpu=yes:NoSchedule / every taint"
	if got := d.factsText(); got != want {
		t.Errorf("facts:\n%s", got)
	}
	if got := d.Facts[2].Values[0].Path; got != "/apis/apps/v1/namespaces/shop/replicasets/web-1" {
		t.Errorf("the owner is at %s", got)
	}
}

func TestWhatAJobWaitsFor(t *testing.T) {
	pods := map[string]string{askPods: `{"items":[{"metadata":{"name":"a","namespace":"shop"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Pending","containerStatuses":[{"name":"c","state":{"waiting":{"reason":"ErrImagePull","message":"no"}}}]}},
		{"metadata":{"name":"b","namespace":"shop"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Failed","containerStatuses":[{"name":"c","restartCount":1,"state":{"terminated":{"exitCode":127}}}]}}]}`}
	for name, c := range map[string]struct {
		job       string
		responses map[string]string
		want      string
	}{
		"suspended": {`{"spec":{"suspend":true}}`, nil, "warn: It is suspended. It starts no pods until spec.suspend is false."},
		"pods": {
			`{"spec":{"completions":3,"activeDeadlineSeconds":600},"status":{"startTime":"2026-11-29T11:55:00Z","active":1,"succeeded":1}}`, pods,
			"busy: It waits for 2 more pods to succeed.\nbusy: Its deadline is in 5m. Then the Job fails.\nbad: The pod a is in the state ErrImagePull. [no] → /api/v1/namespaces/shop/pods/a",
		},
		"permission of its controller": {
			`{"spec":{"completions":1},"status":{"startTime":"2026-11-29T11:55:00Z"}}`, warning("FailedCreate", "quota", ""),
			"busy: It waits for 1 more pod to succeed.\nbad: The Job controller can’t create its pods. [quota (FailedCreate, 2m ago)]",
		},
		"complete": {`{"status":{"conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]}}`, nil, "good: It is complete, and waits for nothing."},
		"failed": {
			`{"status":{"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded","message":"limit"}]}}`, nil,
			"bad: It has failed (BackoffLimitExceeded), and starts no more pods. [limit]",
		},
		"its last pods":  {`{"status":{"conditions":[{"type":"SuccessCriteriaMet","status":"True","message":"m"}]}}`, nil, "busy: It waits for its pods to end (SuccessCriteriaMet). [m]"},
		"its controller": {`{"spec":{"completions":1}}`, nil, "busy: It waits for the Job controller, which hasn’t started it yet."},
	} {
		if _, d := about(t, "Job", c.job, c.responses); d.waitsText() != c.want {
			t.Errorf("%s:\n%s", name, d.waitsText())
		}
	}
	_, d := about(t, "Job", `{"spec":{"backoffLimit":6},"status":{"failed":1}}`, pods)
	if got := d.part(askPods); got != "a | ErrImagePull / no | 0 |  | none\nb | Failed / c: exit code 127: by convention, its command wasn’t found | 1 |  | none" {
		t.Errorf("pods:\n%s", got)
	}
	if got := d.factsText(); !strings.Contains(got, "Failed: 1, at most 6 retries") {
		t.Error(got)
	}
}

func TestWhatANodeWaitsFor(t *testing.T) {
	const ofNode = `{"metadata":{"name":"node-1","labels":{"node-role.kubernetes.io/worker":""}},"spec":{"unschedulable":%t,"taints":[{"key":"a","value":"b","effect":"NoSchedule"}]},
		"status":{"capacity":{"cpu":"4","memory":"8Gi","pods":"110"},"allocatable":{"cpu":"2","memory":"4Gi","pods":"110"},"conditions":[{"type":"Ready","status":%q,"message":"m"},{"type":"MemoryPressure","status":%q}]}}`
	for name, c := range map[string]struct {
		node, want string
		responses  map[string]string
	}{
		"ready":    {fmt.Sprintf(ofNode, false, "True", "False"), "good: It is ready.", nil},
		"cordoned": {fmt.Sprintf(ofNode, true, "True", "True"), "good: It is ready.\nwarn: Its kubelet reports MemoryPressure, and may evict pods.\nwarn: It is cordoned. The scheduler puts no new pods on it until somebody uncordons it.", nil},
		"kubelet": {
			fmt.Sprintf(ofNode, false, "Unknown", "False"), "bad: It waits for its kubelet, whose last sign was 5m ago. [m]",
			map[string]string{askLease: `{"spec":{"renewTime":"2026-11-29T11:55:00.000000Z"}}`},
		},
		"broken": {fmt.Sprintf(ofNode, false, "False", "False"), "bad: It isn’t ready. Its kubelet says why. [m]", nil},
		"silent": {`{"metadata":{"name":"node-1"}}`, "busy: It waits for its kubelet, which has reported no state yet.", nil},
	} {
		if _, d := about(t, "Node", c.node, c.responses); d.waitsText() != c.want {
			t.Errorf("%s:\n%s", name, d.waitsText())
		}
	}
	pods := map[string]string{askPods: `{"items":[{"metadata":{"name":"a","namespace":"shop"},"spec":{"initContainers":[{"resources":{"requests":{"cpu":"1"}}},{"restartPolicy":"Always","resources":{"requests":{"cpu":"100m"}}}],
		"containers":[{"resources":{"requests":{"cpu":"200m","memory":"1Gi"}}}],"overhead":{"memory":"1Gi"}},"status":{"phase":"Running"}},
		{"metadata":{"name":"b"},"spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Succeeded"}}]}`}
	_, d := about(t, "Node", fmt.Sprintf(ofNode, false, "True", "False"), pods)
	if got, want := d.part("resources"), "cpu | 4000m | 2000m | 1000m (50 %)\nmemory | 8192Mi | 4096Mi | 2048Mi (50 %)\npods | 110 | 110 | 1 (1 %)"; got != want {
		t.Errorf("resources:\n%s", got)
	}
	if got := d.part("taints"); got != "a=b | NoSchedule |" {
		t.Errorf("taints:\n%s", got)
	}
	if _, d = about(t, "Node", fmt.Sprintf(ofNode, false, "True", "False"), map[string]string{askPods: "403"}); !strings.Contains(d.part("resources"), "cpu | 4000m | 2000m | unknown") {
		t.Errorf("without the pods:\n%s", d.part("resources"))
	}
}

func slicesWith(state string) string {
	return `{"items":[{"metadata":{"labels":{"kubernetes.io/service-name":"web"}},"ports":[{"name":"http","port":8080}],"endpoints":[
		{"addresses":["10.0.0.1"],"nodeName":"node-1","zone":"z","targetRef":{"kind":"Pod","name":"a"},"conditions":` + state + `}]}]}`
}

func TestWhatAServiceWaitsFor(t *testing.T) {
	const selecting = `{"spec":{"type":"ClusterIP","selector":{"app":"web"},"ports":[{"name":"http","port":80,"targetPort":"web","protocol":"TCP","nodePort":30080},{"port":81,"targetPort":8081,"protocol":"UDP"}]}}`
	pods := `{"items":[{"metadata":{"name":"a","namespace":"shop"},"spec":{"nodeName":"node-1","containers":[{"name":"c"}]},"status":{"phase":"Running"}},{"metadata":{"name":"b","namespace":"shop"},"status":{"phase":"Pending"}}]}`
	for name, c := range map[string]struct {
		service   string
		responses map[string]string
		want      string
	}{
		"served":  {selecting, map[string]string{askSlices: slicesWith(`{"ready":true}`)}, "good: It sends requests to 1 ready endpoint."},
		"no pods": {selecting, map[string]string{askSlices: `{"items":[]}`, askPods: `{"items":[]}`}, "bad: It waits for pods. Its selector selects none."},
		"no ready pods": {selecting, map[string]string{askSlices: slicesWith(`{"ready":false}`), askPods: pods}, "bad: It waits for a ready endpoint. Its selector selects 2 pods.\n" +
			"busy: The pod a is in the state Running, not ready. → /api/v1/namespaces/shop/pods/a\nbusy: The pod b is in the state Pending. → /api/v1/namespaces/shop/pods/b"},
		"nobody may say": {selecting, map[string]string{askSlices: "403", askPods: `{"items":[]}`}, ""},
		"alias":          {`{"spec":{"type":"ExternalName","externalName":"example.com"}}`, nil, "good: It is an alias in DNS for example.com, and has no endpoints."},
		"by hand":        {`{"spec":{}}`, map[string]string{askSlices: `{"items":[]}`}, "warn: It has no selector and no ready endpoint. It waits until somebody creates EndpointSlices for it."},
		"an address": {
			`{"spec":{"type":"LoadBalancer","selector":{"a":"b"}}}`,
			map[string]string{askSlices: slicesWith(`{}`), askEvents: fmt.Sprintf(event, "SyncLoadBalancerFailed", "quota", "", 1)},
			"warn: It waits for an address from a controller for load balancers. [quota (SyncLoadBalancerFailed, 2m ago)]\ngood: It sends requests to 1 ready endpoint.",
		},
	} {
		if _, d := about(t, "Service", c.service, c.responses); d.waitsText() != c.want {
			t.Errorf("%s:\n%s", name, d.waitsText())
		}
	}
	_, d := about(t, "Service", selecting, map[string]string{askSlices: slicesWith(`{"ready":false,"serving":true,"terminating":true}`), askPods: pods})
	for part, want := range map[string]string{
		"ports":     "http 80/TCP | web | 30080\n81/UDP | 8081 | none",
		"endpoints": "10.0.0.1 | terminating, still serving | http 8080 | a / Running, not ready | node-1 / zone z",
		askPods:     "b | Pending | 0 |  | none",
	} {
		if got := d.part(part); got != want {
			t.Errorf("%s:\n%s", part, got)
		}
	}
}

func TestWhatAnIngressWaitsFor(t *testing.T) {
	const spec = `{"spec":{"ingressClassName":"nginx","tls":[{"hosts":["a.example"],"secretName":"cert"}],"rules":[{"host":"a.example","http":{"paths":[
		{"path":"/","pathType":"Prefix","backend":{"service":{"name":"web","port":{"name":"http"}}}},{"path":"/x","pathType":"Exact","backend":{"service":{"name":"other","port":{"number":81}}}}]}}]},
		"status":{"loadBalancer":{"ingress":[%s]}}}`
	const table = `{"kind":"Table","columnDefinitions":[{"name":"Name"},{"name":"Type"}],"rows":[{"cells":["cert",%q]}]}`
	const services = `{"items":[{"metadata":{"name":"web"},"spec":{"ports":[{"name":"http","port":80}]}},{"metadata":{"name":"other"},"spec":{"ports":[{"port":%d}]}}]}`
	both := `{"items":[{"metadata":{"labels":{"kubernetes.io/service-name":"web"}},"endpoints":[{"addresses":["a"]}]},{"metadata":{"labels":{"kubernetes.io/service-name":"other"}},"endpoints":[{"addresses":["b"]}]}]}`
	class := `{"metadata":{"name":"nginx"},"spec":{"controller":"example.com/nginx"}}`
	well := map[string]string{askServices: fmt.Sprintf(services, 81), askSlices: both, askClass: class, "secret/cert": fmt.Sprintf(table, "kubernetes.io/tls")}
	s, d := about(t, "Ingress", fmt.Sprintf(spec, `{"ip":"1.2.3.4"}`), well)
	if got := d.waitsText(); got != "good: It has an address, and each of its Services has a ready endpoint." {
		t.Error(got)
	}
	if got := d.part("rules"); got != "a.example | / / Prefix | web / port http | 1 ready endpoint\na.example | /x / Exact | other / port 81 | 1 ready endpoint" {
		t.Error(got)
	}
	if got := d.part("tls"); got != "cert | a.example | exists / kubernetes.io/tls" {
		t.Error(got)
	}
	if s.Follows() {
		t.Error("an Ingress with a class and a certificate is followed, with a seventh request")
	}
	_, d = about(t, "Ingress", fmt.Sprintf(spec, ""), map[string]string{
		askServices: fmt.Sprintf(services, 82), askSlices: `{"items":[]}`, askClass: "404", "secret/cert": "404",
	})
	if got, want := d.waitsText(), "bad: It waits for the IngressClass nginx, which doesn’t exist. So no controller serves it.\n"+
		"warn: It waits for an address. No controller has written one into its status.\n"+
		"bad: It waits for the Service web: no ready endpoint. → /api/v1/namespaces/shop/services/web\n"+
		"bad: It waits for the Service other, which has no port 81. → /api/v1/namespaces/shop/services/other\n"+
		"bad: It waits for the Secret cert with its certificate, which doesn’t exist."; got != want {
		t.Error(got)
	}
	_, d = about(t, "Ingress", fmt.Sprintf(spec, `{"ip":"1.2.3.4"}`), map[string]string{askServices: `{"items":[]}`, askSlices: "403", "secret/cert": fmt.Sprintf(table, "Opaque")})
	if got := d.waitsText(); strings.Count(got, "which doesn’t exist") != 2 {
		t.Error(got)
	}
	if got := d.part("tls"); !strings.Contains(got, "exists, but its type is Opaque") {
		t.Error(got)
	}
	_, d = about(t, "Ingress", `{"spec":{}}`, map[string]string{askClasses: `{"items":[]}`})
	if got := d.waitsText(); !strings.Contains(got, "It names no IngressClass, and none is the default.") {
		t.Error(got)
	}
}

func TestWhatAClaimWaitsFor(t *testing.T) {
	const of = `{"metadata":{"name":"data","annotations":{%s}},"spec":{%s},"status":{"phase":"Pending"}}`
	class := func(binding, provisioner string) map[string]string {
		return map[string]string{askClass: fmt.Sprintf(`{"metadata":{"name":"fast"},"volumeBindingMode":%q,"provisioner":%q}`, binding, provisioner), askPods: `{"items":[]}`}
	}
	fast := fmt.Sprintf(of, "", `"storageClassName":"fast"`)
	user := `{"items":[{"metadata":{"name":"web","namespace":"shop"},"spec":{"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"data"}}]},"status":{"phase":"Pending"}}]}`
	used := class("WaitForFirstConsumer", "csi.example")
	used[askPods] = user
	for name, c := range map[string]struct {
		claim     string
		responses map[string]string
		want      string
	}{
		"the first pod":   {fast, class("WaitForFirstConsumer", "csi.example"), "busy: It waits for the first pod that mounts it. Its class binds volumes only then (WaitForFirstConsumer)."},
		"the scheduler":   {fast, used, "busy: It waits for the scheduler to choose a node for a pod that mounts it (WaitForFirstConsumer)."},
		"its provisioner": {fast, class("Immediate", "csi.example"), "busy: It waits for csi.example to create a volume."},
		"its provisioner, on a node": {
			fmt.Sprintf(of, `"volume.kubernetes.io/selected-node":"node-1"`, `"storageClassName":"fast"`), used, "busy: It waits for csi.example to create a volume for the node node-1.",
		},
		"somebody":         {fast, class("Immediate", noProvisioner), "warn: It waits for a PersistentVolume of the class fast that fits it. Nobody creates one by itself."},
		"its class":        {fast, map[string]string{askClass: "404"}, "bad: It waits for the StorageClass fast, which doesn’t exist."},
		"an unknown class": {fast, map[string]string{askClass: "403"}, "busy: It waits for a volume of the class fast."},
		"a default class":  {fmt.Sprintf(of, "", ""), map[string]string{askClasses: `{"items":[{"metadata":{"name":"slow"}}]}`}, "bad: It waits for a default StorageClass. It names no class, and the cluster has no default one."},
		"the default class": {
			fmt.Sprintf(of, "", ""),
			map[string]string{askClasses: `{"items":[{"metadata":{"name":"slow","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}}}]}`},
			"busy: It names no class. It waits until the default StorageClass is written into it.",
		},
		"no class": {fmt.Sprintf(of, "", `"storageClassName":""`), nil, "warn: It waits for a PersistentVolume without a class that fits it. Nobody creates one by itself."},
		"a volume": {fmt.Sprintf(of, "", `"storageClassName":"fast","volumeName":"pv"`), map[string]string{askVolume: "404"}, "warn: It waits for the volume pv, which doesn’t exist."},
		"an error": {fast, map[string]string{askClass: class("Immediate", "csi.example")[askClass], askEvents: fmt.Sprintf(event, "ProvisioningFailed", "full", "", 1)}, "busy: It waits for csi.example to create a volume. [full (ProvisioningFailed, 2m ago)]"},
		"nothing":  {`{"status":{"phase":"Bound"}}`, nil, "good: It is bound, and waits for nothing."},
		"a resize": {`{"status":{"phase":"Bound","conditions":[{"type":"FileSystemResizePending","status":"True"}]}}`, nil, "good: It is bound, and waits for nothing.\nbusy: Its volume is larger now. It waits for a pod to mount it, so that the file system grows, too."},
		"its users": {
			`{"metadata":{"name":"data","deletionTimestamp":"2026-11-29T11:00:00Z","finalizers":["kubernetes.io/pvc-protection"]},"status":{"phase":"Bound"}}`,
			map[string]string{askPods: user},
			"busy: It is being deleted.\nbusy: It waits for the finalizer kubernetes.io/pvc-protection: its controller removes it after it has cleaned up.\n" +
				"warn: The claim stays until the pod web no longer uses it. → /api/v1/namespaces/shop/pods/web",
		},
	} {
		if _, d := about(t, "PersistentVolumeClaim", c.claim, c.responses); d.waitsText() != c.want {
			t.Errorf("%s:\n%s", name, d.waitsText())
		}
	}
	_, d := about(t, "PersistentVolumeClaim", `{"metadata":{"name":"data"},"spec":{"volumeName":"pv","storageClassName":"fast"},"status":{"phase":"Bound"}}`, map[string]string{
		askPods: user, askVolume: `{"spec":{"persistentVolumeReclaimPolicy":"Delete","accessModes":[],"csi":{"driver":"csi.example"}},"status":{"phase":"Bound"}}`,
	})
	if got := d.part(askPods) + "\n" + d.part("storage"); got != "web | Pending | 0 |  | none\nPersistentVolume | Bound | csi, csi.example / when the claim is deleted: Delete" {
		t.Error(got)
	}
}

// With the request for the object and the watch, a description takes at most six requests, whatever the object names.
func TestAtMostSixRequests(t *testing.T) {
	var volumes, tls, rules []string
	for i := range 20 {
		volumes = append(volumes, fmt.Sprintf(`{"name":"v%d","persistentVolumeClaim":{"claimName":"c%d"}}`, i, i))
		tls = append(tls, fmt.Sprintf(`{"secretName":"s%d"}`, i))
		rules = append(rules, fmt.Sprintf(`{"http":{"paths":[{"backend":{"service":{"name":"b%d"}}}]}}`, i))
	}
	for _, c := range []struct{ kind, text, want string }{
		{"Pod", `{"metadata":{"name":"web","uid":"u"}}`, "events"},
		{"Pod", `{"metadata":{"name":"web"},"spec":{"volumes":[` + strings.Join(volumes[:3], ",") + `]}}`, "events claim/c0 claim/c1 claim/c2"},
		{"Pod", `{"metadata":{"name":"web"},"spec":{"volumes":[` + strings.Join(volumes, ",") + `]}}`, "events claims"},
		{"Job", `{"spec":{"selector":{"matchLabels":{"a":"b"}}}}`, "events pods"},
		{"Node", `{"metadata":{"name":"node-1"}}`, "events pods lease"},
		{"Service", `{"spec":{"selector":{"a":"b"}}}`, "events slices pods"},
		{"Service", `{"spec":{"type":"ExternalName","selector":{"a":"b"}}}`, "events"},
		{"Ingress", `{"spec":{"rules":[` + strings.Join(rules, ",") + `],"tls":[` + strings.Join(tls, ",") + `]}}`, "events services slices classes secret/s0"},
		{"PersistentVolumeClaim", `{"spec":{"storageClassName":"a","volumeName":"b"}}`, "events pods class volume"},
	} {
		s, d := about(t, c.kind, c.text, nil)
		var ids []string
		for _, r := range s.Requests() {
			if ids = append(ids, r.ID); r.What == "" || r.Accept == "" || !strings.HasPrefix(r.Path, "/api") {
				t.Errorf("%s: %+v", c.kind, r)
			}
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.kind, got, c.want)
		}
		n := 1 + len(ids)
		if s.Follows() {
			n++
		}
		if n > MostRequests {
			t.Errorf("%s: %d requests", c.kind, n)
		}
		if c.kind == "Ingress" && !strings.Contains(d.part("tls"), "as many Secrets as fit") {
			t.Errorf("the page doesn’t say that it looks up only some Secrets: %s", d.part("tls"))
		}
	}
}

// What was refused is missing from the description, and nothing is concluded from it.
func TestARefusedRequestIsSaid(t *testing.T) {
	s, d := about(t, "Job", `{"spec":{"completions":1}}`, map[string]string{askEvents: "403", askPods: "403"})
	for _, id := range []string{askEvents, askPods} {
		at := slices.IndexFunc(d.Parts, func(p Part) bool { return p.ID == id })
		if at < 0 || d.Parts[at].None != "" || !slices.Contains(d.Parts[at].Needs, id) {
			t.Errorf("%s: %+v", id, d.Parts)
		}
	}
	again, err := s.Found.Read(askPods, []byte(`{"items":[],"metadata":{"continue":"x"}}`))
	if err != nil || len(again.No) != 1 || !again.Heard[askPods] || !again.More[askPods] || s.Found.Heard[askPods] {
		t.Errorf("%v %+v", err, again)
	}
	for id, body := range map[string]string{askPods: "<html>", askEvents: `{}`, "secret/x": `{"kind":"Secret","data":{"a":"b"}}`, "strange": "{}", askClass: "[]", askVolume: "[]", askLease: "[]", "claim/x": "[]"} {
		if got, err := s.Found.Read(id, []byte(body)); err == nil || got.Heard[id] {
			t.Errorf("%s: %s is read", id, body)
		}
	}
}

func TestLongListsAreBounded(t *testing.T) {
	var pods []string
	for i := range 130 {
		pods = append(pods, fmt.Sprintf(`{"metadata":{"name":"p%d"},"status":{"phase":"Running"}}`, i))
	}
	for more, want := range map[string]string{
		"":  "30 more aren’t shown.",
		"x": "The list is longer. Fieldmark read only the first 130. It shows 100 of them.",
	} {
		_, d := about(t, "Node", `{"metadata":{"name":"node-1"}}`, map[string]string{askPods: `{"metadata":{"continue":"` + more + `"},"items":[` + strings.Join(pods, ",") + `]}`})
		if got := d.part(askPods); !strings.HasSuffix(got, want) || strings.Count(got, "\n") != mostShown {
			t.Errorf("%d lines, %s", strings.Count(got, "\n"), got[len(got)-80:])
		}
	}
}
