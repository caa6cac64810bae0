package describe

import (
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/kube/table"
)

type job struct {
	Spec struct {
		Parallelism *int   `json:"parallelism"`
		Completions *int   `json:"completions"`
		Backoff     *int   `json:"backoffLimit"`
		Deadline    *int   `json:"activeDeadlineSeconds"`
		TTL         *int   `json:"ttlSecondsAfterFinished"`
		Suspend     bool   `json:"suspend"`
		Mode        string `json:"completionMode"`
	} `json:"spec"`
	Status struct {
		Active     int            `json:"active"`
		Ready      int            `json:"ready"`
		Succeeded  int            `json:"succeeded"`
		Failed     int            `json:"failed"`
		Started    time.Time      `json:"startTime"`
		Completed  time.Time      `json:"completionTime"`
		Conditions []podCondition `json:"conditions"`
	} `json:"status"`
}

func jobRequests(s Subject) []Request { return s.selectedPods() }

// selectedPods is the request for the pods that the subject selects.
func (s Subject) selectedPods() []Request {
	_, selector, ok := reference.PodSelector(manifest.Tree(s.Object.WithoutManagedFields().Fields))
	if !ok {
		return nil
	}
	return []Request{s.list(askPods, "the pods", apipath.Collection("", "v1", s.namespace(), "pods"), mostPods, "labelSelector", selector.String())}
}

func describeJob(s Subject) Description {
	j := parse[job](s.Object)
	d := Description{}
	done := strconv.Itoa(j.Status.Succeeded)
	if j.Spec.Completions != nil {
		done += " of " + strconv.Itoa(*j.Spec.Completions)
	}
	d.fact("Succeeded", Text{Text: done})
	d.fact("Active", Text{Text: strconv.Itoa(j.Status.Active) + ", " + strconv.Itoa(j.Status.Ready) + " ready"})
	failed := strconv.Itoa(j.Status.Failed)
	if j.Spec.Backoff != nil {
		failed += ", at most " + strconv.Itoa(*j.Spec.Backoff) + " retries"
	}
	tone := Calm
	if j.Status.Failed > 0 {
		tone = Warn
	}
	d.fact("Failed", Text{Text: failed, Tone: tone})
	if j.Spec.Parallelism != nil {
		d.fact("Parallelism", Text{Text: strconv.Itoa(*j.Spec.Parallelism)})
	}
	if j.Spec.Mode == "Indexed" {
		d.fact("Completion mode", Text{Text: "Indexed"})
	}
	s.jobTimes(&d, j)
	s.controller(&d)
	s.jobWaits(&d, j)
	pods := Part{ID: askPods, Title: "Pods", Head: []string{"Pod", "State", "Restarts", "Age", "Node"}, Needs: []string{askPods}, Rows: s.podRows(s.Found.Pods, onNode)}
	if s.heard(askPods) {
		pods.None = "The Job has no pod."
	}
	d.Parts = append(d.Parts, pods.bounded(s.Found.More[askPods]))
	return d
}

func (s Subject) jobTimes(d *Description, j job) {
	if !j.Status.Started.IsZero() {
		d.fact("Started", Text{Text: s.Age(j.Status.Started) + " ago"})
	}
	if !j.Status.Completed.IsZero() {
		d.fact("Completed", Text{Text: s.Age(j.Status.Completed) + " ago, after " + table.Duration(j.Status.Completed.Sub(j.Status.Started))})
	}
	if j.Spec.Deadline != nil {
		d.fact("Deadline", Text{Text: seconds(*j.Spec.Deadline) + " after its start"})
	}
	if j.Spec.TTL != nil {
		d.fact("Deleted", Text{Text: seconds(*j.Spec.TTL) + " after its end"})
	}
}

// jobWaits says what a Job waits for.
func (s Subject) jobWaits(d *Description, j job) {
	is := map[string]podCondition{}
	for _, c := range j.Status.Conditions {
		if c.Status == "True" {
			is[c.Type] = c
		}
	}
	if _, complete := is["Complete"]; complete {
		d.wait(Good, "It is complete, and waits for nothing.", "")
		return
	}
	if c, failed := is["Failed"]; failed {
		d.wait(Bad, "It has failed ("+c.Reason+"), and starts no more pods.", c.Message)
		return
	}
	for _, decided := range []string{"FailureTarget", "SuccessCriteriaMet"} { // these come before the other two
		if c, ending := is[decided]; ending {
			d.wait(Busy, "It waits for its pods to end ("+decided+").", c.Message)
			return
		}
	}
	switch {
	case j.Spec.Suspend:
		d.wait(Warn, "It is suspended. It starts no pods until spec.suspend is false.", "")
		return
	case j.Status.Started.IsZero():
		d.wait(Busy, "It waits for the Job controller, which hasn’t started it yet.", "")
	case j.Spec.Completions != nil:
		d.wait(Busy, "It waits for "+times(max(0, *j.Spec.Completions-j.Status.Succeeded), "more pod to succeed.", "more pods to succeed."), "")
	default:
		d.wait(Busy, "It waits until one of its pods succeeds, and the others end.", "")
	}
	if deadline := j.Spec.Deadline; deadline != nil && !j.Status.Started.IsZero() {
		if left := j.Status.Started.Add(time.Duration(*deadline) * time.Second).Sub(s.Now); left > 0 {
			d.wait(Busy, "Its deadline is in "+table.Duration(left)+". Then the Job fails.", "")
		}
	}
	if quoted := s.quote("", "FailedCreate"); quoted != "" && j.Status.Active == 0 {
		d.wait(Bad, "The Job controller can’t create its pods.", quoted)
	}
	s.podsThatWait(d)
}

// mostWaits is how many pods or addresses are named among what an object waits for. The parts below have all of them.
const mostWaits = 3

// podsThatWait says which pods of the object aren't well.
func (s Subject) podsThatWait(d *Description) {
	n := 0
	for _, p := range s.Found.Pods {
		if p.Over || p.Ready || p.Tone == Good || p.State == "Terminating" {
			continue
		}
		if n++; n <= mostWaits {
			d.waitFor(tone(p), "The pod "+p.Name+" is in the state "+p.State+".", p.Why, Text{Text: "Describe the pod", Path: pathOf("", "v1", p.Namespace, "pods", p.Name)})
		}
	}
	if n > mostWaits {
		d.wait(Warn, times(n-mostWaits, "more pod isn’t ready.", "more pods aren’t ready."), "")
	}
}

func tone(p Pod) Tone {
	if p.Tone == Bad {
		return Bad
	}
	return Busy
}
