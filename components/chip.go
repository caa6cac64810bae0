package components

// Chip is a short fact about what a page shows.
type Chip struct {
	ID    string
	Name  string
	Value string
	Words string // shown after the value in soft letters, as far as there is room; all of it belongs into what the chip opens, too
	Tone  Tone
}

// chip is the condition in short. Only a bad one says its reason and its message without being opened.
func (c Condition) chip() Chip {
	chip := Chip{Name: c.Type, Value: c.Status, Tone: VerdictTone(c.Verdict)}
	if chip.Tone == Bad || chip.Tone == Warn {
		chip.Words = c.Reason
		if c.Reason != "" && c.Message != "" {
			chip.Words += ": "
		}
		chip.Words += c.Message
	}
	return chip
}
