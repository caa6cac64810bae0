package describe

import (
	"encoding/json"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
)

// Of each object, these types have the fields that a description needs, by their names in the API.

// intOrString is a number or a name.
type intOrString struct{ value any }

// UnmarshalJSON implements json.Unmarshaler.
func (v *intOrString) UnmarshalJSON(data []byte) error {
	var n json.Number
	if json.Unmarshal(data, &n) == nil {
		v.value = n.String()
		return nil
	}
	var text string
	_ = json.Unmarshal(data, &text) // anything else is no port
	v.value = text
	return nil
}

func (v intOrString) text() string { text, _ := v.value.(string); return text }

type meta struct {
	Namespace   string            `json:"namespace"`
	Name        string            `json:"name"`
	UID         string            `json:"uid"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Created     time.Time         `json:"creationTimestamp"`
	Deleted     time.Time         `json:"deletionTimestamp"`
}

// Probe is a probe of a container.
type Probe struct {
	HTTP *struct {
		Scheme string      `json:"scheme"`
		Host   string      `json:"host"`
		Port   intOrString `json:"port"`
		Path   string      `json:"path"`
	} `json:"httpGet"`
	TCP *struct {
		Host string      `json:"host"`
		Port intOrString `json:"port"`
	} `json:"tcpSocket"`
	GRPC *struct {
		Port    intOrString `json:"port"`
		Service string      `json:"service"`
	} `json:"grpc"`
	Exec *struct {
		Command []string `json:"command"`
	} `json:"exec"`
	Delay     int `json:"initialDelaySeconds"`
	Timeout   int `json:"timeoutSeconds"`
	Period    int `json:"periodSeconds"`
	Failures  int `json:"failureThreshold"`
	Successes int `json:"successThreshold"`
}

type amounts struct {
	Requests map[string]string `json:"requests"`
	Limits   map[string]string `json:"limits"`
}

type container struct {
	Name    string `json:"name"`
	Image   string `json:"image"`
	Restart string `json:"restartPolicy"`
	Target  string `json:"targetContainerName"`
	Ports   []struct {
		Name     string `json:"name"`
		Port     int    `json:"containerPort"`
		Protocol string `json:"protocol"`
	} `json:"ports"`
	Resources amounts `json:"resources"`
	Mounts    []struct {
		Name     string `json:"name"`
		Path     string `json:"mountPath"`
		ReadOnly bool   `json:"readOnly"`
	} `json:"volumeMounts"`
	Startup   *Probe `json:"startupProbe"`
	Readiness *Probe `json:"readinessProbe"`
	Liveness  *Probe `json:"livenessProbe"`
}

type state struct {
	Waiting *struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"waiting"`
	Running *struct {
		Started time.Time `json:"startedAt"`
	} `json:"running"`
	Terminated *terminated `json:"terminated"`
}

type terminated struct {
	Code     int       `json:"exitCode"`
	Signal   int       `json:"signal"`
	Reason   string    `json:"reason"`
	Message  string    `json:"message"`
	Started  time.Time `json:"startedAt"`
	Finished time.Time `json:"finishedAt"`
}

type containerStatus struct {
	Name     string `json:"name"`
	State    state  `json:"state"`
	Last     state  `json:"lastState"`
	Ready    bool   `json:"ready"`
	Started  *bool  `json:"started"`
	Restarts int    `json:"restartCount"`
}

type podCondition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type toleration struct {
	Key      string `json:"key"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
	Effect   string `json:"effect"`
	Seconds  *int   `json:"tolerationSeconds"`
}

type address struct {
	IP       string `json:"ip"`
	Hostname string `json:"hostname"`
}

type pod struct {
	Metadata meta `json:"metadata"`
	Spec     struct {
		Node           string                       `json:"nodeName"`
		Scheduler      string                       `json:"schedulerName"`
		Account        string                       `json:"serviceAccountName"`
		Restart        string                       `json:"restartPolicy"`
		Priority       string                       `json:"priorityClassName"`
		Selector       map[string]string            `json:"nodeSelector"`
		Init           []container                  `json:"initContainers"`
		Containers     []container                  `json:"containers"`
		Ephemeral      []container                  `json:"ephemeralContainers"`
		Volumes        []map[string]json.RawMessage `json:"volumes"`
		Tolerations    []toleration                 `json:"tolerations"`
		Overhead       map[string]string            `json:"overhead"`
		Resources      amounts                      `json:"resources"`
		Gates          []struct{ Name string }      `json:"schedulingGates"`
		ReadinessGates []struct {
			Type string `json:"conditionType"`
		} `json:"readinessGates"`
	} `json:"spec"`
	Status struct {
		Phase     string `json:"phase"`
		Reason    string `json:"reason"`
		Message   string `json:"message"`
		QoS       string `json:"qosClass"`
		Nominated string `json:"nominatedNodeName"`
		IP        string `json:"podIP"`
		IPs       []struct {
			IP string `json:"ip"`
		} `json:"podIPs"`
		Conditions []podCondition    `json:"conditions"`
		Init       []containerStatus `json:"initContainerStatuses"`
		Containers []containerStatus `json:"containerStatuses"`
		Ephemeral  []containerStatus `json:"ephemeralContainerStatuses"`
	} `json:"status"`
}

// into reads the fields of the subject. What has another shape than the API says is left out.
func (s Subject) into(v any) {
	text, err := json.Marshal(s.Object.WithoutManagedFields())
	if err == nil {
		_ = json.Unmarshal(text, v)
	}
}

func parse[T any](o object.Object) (v T) {
	Subject{Object: o}.into(&v)
	return v
}
