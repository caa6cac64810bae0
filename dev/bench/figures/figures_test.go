package figures

import (
	"testing"
)

func TestAQuantileIsOneOfTheValues(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(100 - i) // not sorted
	}
	for _, c := range []struct {
		all  []float64
		part float64
		want float64
	}{
		{hundred, 0.5, 50},
		{hundred, 0.98, 98},
		{hundred, 1, 100},
		{hundred, 0, 1},
		{[]float64{7, 3, 5}, 0.5, 5},
		{[]float64{7, 3, 5}, 0.95, 7},
		{[]float64{4, 3, 2, 1}, 0.5, 2},
		{[]float64{9}, 0.02, 9},
		{nil, 0.5, 0},
	} {
		if got := Quantile(c.all, c.part); got != c.want {
			t.Errorf("%v of %v: got %v, want %v", c.part, c.all, got, c.want)
		}
	}
	if hundred[0] != 100 {
		t.Error("the values were sorted in place")
	}
}
