package status

import "github.com/fieldmark/fieldmark/kube/concept"

// FieldManagerConflict is the reason of the causes that a server gives for refusing an apply: each names a field that another manager
// owns.
const FieldManagerConflict = "FieldManagerConflict"

// Topic is what explains the refusal.
func (s Status) Topic() *concept.Topic {
	r := concept.Refusal{Code: s.Code, Reason: s.Reason}
	for _, c := range s.Causes {
		r.Managers = r.Managers || c.Reason == FieldManagerConflict
	}
	t := r.Topic()
	return &t
}
