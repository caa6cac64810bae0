// Package metrics makes up what the pods and nodes of a practice cluster use, and serves it as metrics.k8s.io, as the metrics server does.
//
// A figure is a function of its container and of the time: nothing is measured or stored. Each measurement ends at a multiple of Window.
//
//	     pod starts       first figures: the container ran during a whole window
//	          │                │
//	│ window ·│···· │ window ··│·· │ window ···· │
package metrics

import (
	"hash/fnv"
	"io"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/fieldmark/fieldmark/practice/kubelet"
)

// Window is the time that one measurement covers.
const Window = 10 * time.Second

const (
	milli = int64(time.Millisecond) // a thousandth of a processor, in nanoseconds a second
	kibi  = 1 << 10
	mebi  = 1 << 20

	// What a container without requests uses is a share of these.
	usualCPU    = 50 * milli
	usualMemory = 96 * mebi

	// A line of a log costs this much.
	cpuPerLine    = milli / 5
	memoryPerLine = 4 * kibi
	mostForLines  = 64 * mebi
)

// used is what a container, a pod or a node uses.
type used struct {
	cpu    int64 // nanoseconds a second
	memory int64 // bytes
}

func (u used) plus(other used) used { return used{u.cpu + other.cpu, u.memory + other.memory} }

// resourceList is the figures as the metrics server writes them.
func (u used) resourceList() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewScaledQuantity(u.cpu, resource.Nano),
		corev1.ResourceMemory: *resource.NewQuantity(u.memory/kibi*kibi, resource.BinarySI),
	}
}

// measured is the end of the last measurement.
func measured(now time.Time) time.Time { return now.UTC().Truncate(Window) }

// containerUse is what a container uses that ran during the whole window before a time; ok is false for others.
func containerUse(pod *corev1.Pod, status corev1.ContainerStatus, at time.Time) (u used, ok bool) {
	running := status.State.Running
	if running == nil || running.StartedAt.After(at.Add(-Window)) {
		return u, false
	}
	r := resourcesOf(pod, status.Name)
	lines := kubelet.Activity(pod, status.Name)
	w := waves{seed: seedOf(string(pod.UID), status.Name), at: at}
	u.cpu = int64(float64(or(r.Requests.Cpu().ScaledValue(resource.Nano), usualCPU)) * w.cpu())
	u.cpu += int64(lines * float64(cpuPerLine))
	u.memory = int64(float64(or(r.Requests.Memory().Value(), usualMemory)) * w.memory(at.Sub(running.StartedAt.Time)))
	u.memory += min(int64(lines*memoryPerLine), mostForLines)
	return used{
		cpu:    bounded(u.cpu, r.Limits.Cpu().ScaledValue(resource.Nano)),
		memory: bounded(u.memory, r.Limits.Memory().Value()/100*97), // at its limit, the kernel would end the container
	}, true
}

func or(value, otherwise int64) int64 {
	if value == 0 {
		return otherwise
	}
	return value
}

// bounded is a value of at most a limit; 0 is no limit.
func bounded(value, limit int64) int64 {
	if limit > 0 {
		return min(value, limit)
	}
	return value
}

// resourcesOf are the requests and limits of a container of any kind. Ephemeral containers have none.
func resourcesOf(pod *corev1.Pod, name string) corev1.ResourceRequirements {
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for _, c := range list {
			if c.Name == name {
				return c.Resources
			}
		}
	}
	return corev1.ResourceRequirements{}
}

// nodeUse is what a node uses: its pods, the programs of Kubernetes, and the system. It is less than the node has.
func nodeUse(node *corev1.Node, pods []used, at time.Time) used {
	w := waves{seed: seedOf(string(node.UID), node.Name), at: at}
	sum := used{
		cpu:    int64(float64(180*milli)*(0.8+w.cpu())) + int64(len(pods))*2*milli,
		memory: int64(float64(900*mebi)*(0.7+0.3*w.memory(time.Hour))) + int64(len(pods))*4*mebi,
	}
	for _, u := range pods {
		sum = sum.plus(u)
	}
	return used{
		cpu:    bounded(sum.cpu, node.Status.Capacity.Cpu().ScaledValue(resource.Nano)/100*95),
		memory: bounded(sum.memory, node.Status.Capacity.Memory().Value()/100*95),
	}
}

// waves are shares that vary slowly with time. They follow from the seed.
type waves struct {
	seed uint64
	at   time.Time
}

func seedOf(parts ...string) uint64 {
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = io.WriteString(h, part+"\x00") // a hash takes everything
	}
	return h.Sum64()
}

// share is at least 0 and less than 1, and differs for each n.
func (w waves) share(n uint64) float64 {
	z := w.seed + (n+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// swing is between -1 and 1, and returns after a period.
func (w waves) swing(n uint64, period time.Duration) float64 {
	turns := float64(w.at.Unix())/period.Seconds() + w.share(n)
	return math.Sin(2 * math.Pi * turns)
}

// cpu is a share of a request, between 0.09 and 0.63: an autoscaler with a usual target doesn't act.
func (w waves) cpu() float64 {
	noise := w.share(uint64(w.at.Unix())) - 0.5
	return (0.15 + 0.3*w.share(0)) * (1 + 0.2*w.swing(1, 7*time.Minute) + 0.12*w.swing(2, 97*time.Second) + 0.16*noise)
}

// memory is a share of a request: it grows in the first minutes, and later goes up and down with the work of a garbage collector.
func (w waves) memory(since time.Duration) float64 {
	_, phase := math.Modf(float64(w.at.Unix())/(211+120*w.share(3)) + w.share(4))
	grown := 1 - 0.4*math.Exp(-since.Minutes()/2)
	return (0.5 + 0.3*w.share(5)) * grown * (0.92 + 0.14*phase)
}
