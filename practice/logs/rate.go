package logs

// Rate is how many lines a second a container writes after its start, on average. Some containers write nothing.
func (l *Log) Rate() float64 {
	if l.voice.line == nil {
		return 0
	}
	return l.rate
}
