// Command pictures keeps the pictures of pages in docs/pictures: it makes screenshots small, and writes those whose pixels differ from the kept ones. So two
// runs over the same pages change no file.
//
//	go run ./dev/pictures SCREENSHOTS docs/pictures
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// mostBytes is the largest picture that is kept.
const mostBytes = 100 << 10

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pictures SCREENSHOTS KEPT")
		os.Exit(2)
	}
	if err := keepAll(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func keepAll(from, to string) error {
	taken, err := filepath.Glob(filepath.Join(from, "*.png"))
	if err != nil || len(taken) == 0 {
		return fmt.Errorf("%s has no screenshots", from)
	}
	written := 0
	for _, name := range taken {
		changed, err := keep(name, filepath.Join(to, filepath.Base(name)))
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		if changed {
			written++
			fmt.Println(filepath.Base(name))
		}
	}
	fmt.Printf("%d of %d pictures differ from those in %s, and were written.\n", written, len(taken), to)
	return nil
}

// keep writes a screenshot with few colors, unless the file already shows the same.
func keep(screenshot, file string) (changed bool, err error) {
	shown, err := read(screenshot)
	if err != nil {
		return false, err
	}
	few := reduce(shown)
	if kept, err := read(file); err == nil && same(few, kept) {
		return false, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	f, err := os.Create(file)
	if err != nil {
		return false, fmt.Errorf("creating the picture: %w", err)
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := errors.Join(encoder.Encode(f, few), f.Close()); err != nil {
		return false, err
	}
	info, err := os.Stat(file)
	if err == nil && info.Size() > mostBytes {
		err = fmt.Errorf("it has %d bytes, more than %d: choose a state with less to see", info.Size(), mostBytes)
	}
	return true, err
}

func read(name string) (image.Image, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	shown, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	return shown, nil
}

// same tells whether two pictures show the same.
func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if rgb(a.At(x, y)) != rgb(b.At(x, y)) {
				return false
			}
		}
	}
	return true
}

// mostColors is the most colors of a picture. Pages have fewer plain ones; the others are the edges of letters.
const mostColors = 64

// reduce gives each pixel the closest of the colors that the picture has most of. Those that a page has little of, but are far from all others, are
// not lost: a color counts more, the farther it is from those that were chosen before.
func reduce(shown image.Image) *image.Paletted {
	counts := map[color.RGBA]int{}
	area := shown.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			counts[rgb(shown.At(x, y))]++
		}
	}
	few := image.NewPaletted(area, chosen(counts))
	index := map[color.RGBA]uint8{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := rgb(shown.At(x, y))
			i, known := index[c]
			if !known {
				i = uint8(few.Palette.Index(c))
				index[c] = i
			}
			few.SetColorIndex(x, y, i)
		}
	}
	return few
}

func chosen(counts map[color.RGBA]int) color.Palette {
	// The order of a map differs from run to run, and the palette must not.
	colors := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	far := make([]int, len(colors)) // from the closest color that was chosen, squared
	for i := range far {
		far[i] = 3 * 255 * 255
	}
	var palette color.Palette
	for len(palette) < min(mostColors, len(colors)) {
		best := 0
		for i, c := range colors {
			if far[i]*counts[c] > far[best]*counts[colors[best]] {
				best = i
			}
		}
		palette = append(palette, colors[best])
		for i, c := range colors {
			far[i] = min(far[i], distance(c, colors[best]))
		}
	}
	return palette
}

func distance(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}

func rgb(c color.Color) color.RGBA { return color.RGBAModel.Convert(c).(color.RGBA) }
