package podlog

// chosen reads a color of a larger palette, and tells how many codes it takes: 5 and a number, or 2 with red, green and blue.
func chosen(codes []int) (Color, int) {
	switch {
	case len(codes) >= 3 && codes[1] == 5:
		return numbered(codes[2]), 3
	case len(codes) >= 5 && codes[1] == 2:
		return nearest(codes[2], codes[3], codes[4]), 5
	}
	return NoColor, len(codes)
}

// The palette of 256 colors: eight and their bright ones, a cube with six levels of each color, and a ramp of grays.
const (
	cube  = 16
	ramp  = 232
	whole = 256
	full  = 255
)

func numbered(n int) Color {
	switch {
	case n < 0 || n >= whole:
		return NoColor
	case n < cube:
		return Black + Color(n%8)
	case n >= ramp:
		gray := (n - ramp) * full / (whole - 1 - ramp)
		return nearest(gray, gray, gray)
	}
	n -= cube
	level := func(l int) int { return l * full / 5 }
	return nearest(level(n/36), level(n/6%6), level(n%6))
}

// nearest is the color that a mixture is nearest to: by the parts of it that are more than half of the strongest one.
func nearest(red, green, blue int) Color {
	strongest := max(red, green, blue)
	if strongest > full || min(red, green, blue) < 0 {
		return NoColor
	}
	const dark = 64
	if strongest < dark {
		return Black
	}
	c := Black
	for bit, part := range []int{red, green, blue} {
		if 2*part > strongest {
			c += 1 << bit
		}
	}
	return c
}
