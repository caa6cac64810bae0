package call

// Bars compares two numbers as bars.
type Bars struct {
	Name                  string
	First, Second         string
	FirstPart, SecondPart int // of the larger of the two, in thousandths
}

// Compared makes the bars of two numbers. The function words formats a number.
func Compared(name string, first, second int64, words func(int64) string) Bars {
	top := max(first, second, 1)
	return Bars{Name: name, First: words(first), Second: words(second), FirstPart: int(1000 * first / top), SecondPart: int(1000 * second / top)}
}
