package check

import (
	"bytes"
	"testing"
)

func TestProgressIsOneLineThatIsTakenBack(t *testing.T) {
	var b bytes.Buffer
	for _, p := range []*progress{{out: &b, word: "Checked", of: 2}, {of: 2}} {
		p.step()
		p.step()
		p.clearLine()
	}
	if got := b.String(); got != "\rChecked 1 of 2\rChecked 2 of 2\r\x1b[K" {
		t.Errorf("%q", got)
	}
}
