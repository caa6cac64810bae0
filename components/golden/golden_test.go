package golden

import "testing"

func TestDifferenceShowsOnlyWhatDiffers(t *testing.T) {
	if got, want := Difference("a\nb\nc\nd", "a\nx\ny\nd"), "from line 2 on:\n- b\n- c\n+ x\n+ y\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
