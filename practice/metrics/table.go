package metrics

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// include says what of its object a row of a Table has.
type include string

// The values of the parameter includeObject.
const (
	includeNone     include = "None"
	includeMetadata include = "Metadata"
	includeObject   include = "Object"
)

// measurement is one object in a form for all kinds.
type measurement struct {
	meta   metav1.ObjectMeta
	usage  corev1.ResourceList
	object runtime.Object
}

// tableOf is a Table with the columns of the metrics server.
func tableOf(list metav1.ListMeta, all []measurement, what include) *metav1.Table {
	t := &metav1.Table{
		TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "Table"},
		ListMeta: list, Rows: []metav1.TableRow{},
		ColumnDefinitions: []metav1.TableColumnDefinition{
			{Name: "Name", Type: "string", Format: "name", Description: "Name of the resource"},
			{Name: "cpu", Type: "string", Format: "quantity", Description: "Processor in use, on average over the window"},
			{Name: "memory", Type: "string", Format: "quantity", Description: "Memory in use: the working set"},
			{Name: "Window", Type: "string", Format: "duration", Description: "The time that the measurement covers"},
		},
	}
	for _, m := range all {
		row := metav1.TableRow{Cells: []any{m.meta.Name, m.usage.Cpu().String(), m.usage.Memory().String(), Window.String()}}
		switch what {
		case includeNone:
		case includeObject:
			row.Object.Object = m.object
		default:
			row.Object.Object = &metav1.PartialObjectMetadata{
				TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"}, ObjectMeta: m.meta,
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func window() metav1.Duration { return metav1.Duration{Duration: Window} }

func stamp(at time.Time) metav1.Time { return metav1.NewTime(at) }
