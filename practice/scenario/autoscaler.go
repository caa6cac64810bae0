package scenario

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// desired is the number of replicas at the nth turn: one more each time up to the greatest number, then one less down to
// the smallest.
func (a Autoscaler) desired(n int64) int32 {
	span := int64(a.Max - a.Min)
	if span == 0 {
		return a.Min
	}
	step := n % (2 * span)
	return a.Min + int32(min(step, 2*span-step))
}

// autoscale writes how many replicas the load asks for to the scale subresource, where it is another number than
// the present one: the way of the horizontal pod autoscaler. It starts half of its interval later than other
// actors with the same interval, so that each value stays for a while.
func (r *runner) autoscale(ctx context.Context, i int, a Autoscaler) error {
	if err := r.ensureTarget(ctx, a); err != nil {
		return err
	}
	scales := r.typed.AppsV1().Deployments(a.Namespace)
	return r.repeat(ctx, i, everySeconds(a.EverySeconds).offbeat(), func(ctx context.Context, n int64) (act, error) {
		scale, err := scales.GetScale(ctx, a.Name, metav1.GetOptions{})
		if err != nil {
			return nothing, err
		}
		desired := a.desired(n)
		if scale.Spec.Replicas == desired {
			return nothing, nil
		}
		scale.Spec.Replicas = desired
		_, err = scales.UpdateScale(ctx, a.Name, scale, metav1.UpdateOptions{FieldManager: a.Manager})
		return change, err
	})
}
