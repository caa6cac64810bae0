package components

// Meter is a small bar: how much of a limit, or else of a request, is in use.
type Meter struct {
	Used  float64 // a share between 0 and 1
	Mark  float64 // the place of the request, as a share; 0: none
	Tone  Tone
	Words string // the same in words
}

// nearLimit is the share of a limit from which the bar warns.
const nearLimit = 0.9

// NewMeter is the bar of a figure, with the name of its limit and the function that writes figures; nil if there is neither a request nor a limit.
// Zero is none.
func NewMeter(used, request, limit float64, name string, written func(float64) string) *Meter {
	full := limit
	if full == 0 {
		full = request
	}
	if full <= 0 {
		return nil
	}
	m := &Meter{Used: min(1, used/full), Words: written(used) + " in use"}
	if request > 0 {
		m.Words += ", " + written(request) + " requested"
		if limit > 0 {
			m.Mark = min(1, request/full)
		}
	}
	switch {
	case limit == 0:
		m.Words += ", no limit"
	default:
		m.Words += ", " + name + " " + written(limit)
	}
	switch {
	case limit > 0 && used >= nearLimit*limit:
		m.Tone = Bad
	case request > 0 && used > request:
		m.Tone = Warn
	}
	return m
}
