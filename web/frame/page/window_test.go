package page

import "testing"

// TestWindow: whatever can be seen is laid out, and the window and the room around it make up the whole.
func TestWindow(t *testing.T) {
	for _, rows := range []int{0, 1, 7, 60, 61, 10_000} {
		for _, height := range []int{0, 1, 800, 5000} {
			for _, top := range []int{-50, 0, 1, 500, RowHeight * 5000, RowHeight*10_000 - 800, RowHeight * 20_000} {
				w := Scrolled{Top: top, Height: height}.Window(rows)
				if w.First < 0 || w.Count < 0 || w.Below < 0 || w.First%stride != 0 || w.Above != w.First*RowHeight || w.Above+w.Count*RowHeight+w.Below != rows*RowHeight {
					t.Errorf("%d rows, %d pixels at %d: %+v", rows, height, top, w)
				}
				end := rows * RowHeight
				seen := max(0, min(top, end-height))
				if w.Above > seen || w.Above+w.Count*RowHeight < min(seen+height, end) {
					t.Errorf("%d rows, %d pixels at %d: not all of it is in %+v", rows, height, top, w)
				}
				if most := max(firstRows, height/RowHeight+2*max(margin, height/RowHeight)+1) + stride; w.Count > most {
					t.Errorf("%d rows, %d pixels at %d: %d are laid out", rows, height, top, w.Count)
				}
			}
		}
	}
}
