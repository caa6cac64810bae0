package static

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// vision is how people with each kind of color vision see linear RGB: the matrices of Machado, Oliveira and Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), for a whole deficiency.
var vision = map[string][3][3]float64{
	"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// Two hues of managers differ by at least this much, in OKLab, for everybody. Where one differs by 0.02, people notice it side by side.
const leastDistance = 0.1

// The hues of managers are told apart with each kind of color vision, and letters on them can be read (WCAG 2: 4.5 to 1).
func TestHuesAreToldApart(t *testing.T) {
	light, dark := map[string][3]float64{}, map[string][3]float64{}
	for _, k := range loaded(t, files).Tokens() {
		if strings.HasPrefix(k.Name, "hue-") || k.Name == "on-hue" {
			light[k.Name], dark[k.Name] = linear(t, k.Light), linear(t, k.Dark)
		}
	}
	if len(light) != 9 {
		t.Fatalf("%d tokens: %v", len(light), light)
	}
	for theme, colors := range map[string]map[string][3]float64{"light": light, "dark": dark} {
		for i := 1; i <= 8; i++ {
			one := colors[fmt.Sprintf("hue-%d", i)]
			if c := contrast(one, colors["on-hue"]); c < 4.5 {
				t.Errorf("%s: letters on hue %d have a contrast of %.2f", theme, i, c)
			}
			for j := i + 1; j <= 8; j++ {
				for who, m := range vision {
					if d := distance(oklab(seen(m, one)), oklab(seen(m, colors[fmt.Sprintf("hue-%d", j)]))); d < leastDistance {
						t.Errorf("%s: hues %d and %d differ by %.3f with %s", theme, i, j, d, who)
					}
				}
			}
		}
	}
}

// linear is a color such as #0a1b2c as linear RGB.
func linear(t *testing.T, hex string) (c [3]float64) {
	t.Helper()
	var parts [3]uint8
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &parts[0], &parts[1], &parts[2]); err != nil {
		t.Fatalf("%s: %v", hex, err)
	}
	for i, p := range parts {
		v := float64(p) / 255
		if c[i] = v / 12.92; v > 0.04045 {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

func seen(m [3][3]float64, c [3]float64) (s [3]float64) {
	for i := range m {
		s[i] = min(1, max(0, m[i][0]*c[0]+m[i][1]*c[1]+m[i][2]*c[2]))
	}
	return s
}

func oklab(c [3]float64) [3]float64 {
	l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
	m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
	s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

func contrast(a, b [3]float64) float64 {
	luminance := func(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05 }
	return max(luminance(a), luminance(b)) / min(luminance(a), luminance(b))
}
