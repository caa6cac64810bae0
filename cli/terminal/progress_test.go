package terminal

import (
	"bytes"
	"testing"
)

func TestProgressIsOneLineThatIsTakenBack(t *testing.T) {
	var b bytes.Buffer
	for _, p := range []*Progress{{Out: &b, Word: "Checked", Of: 2}, {Of: 2}, {Out: &b, Word: "Lists read:"}} {
		p.Step()
		p.Step()
		p.ClearLine()
	}
	if got := b.String(); got != "\rChecked 1 of 2\rChecked 2 of 2\r\x1b[K\rLists read: 1\rLists read: 2\r\x1b[K" {
		t.Errorf("%q", got)
	}
}
