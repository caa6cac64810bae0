package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// drawn is a picture of many colors: mostly paper, a line, and a gradient as the edges of letters have it.
func drawn(t *testing.T, file string, line color.RGBA) {
	t.Helper()
	shown := image.NewRGBA(image.Rect(0, 0, 300, 40))
	for x := range 300 {
		for y := range 40 {
			switch {
			case y == 5:
				shown.Set(x, y, line)
			case y == 20:
				shown.Set(x, y, color.RGBA{uint8(x * 255 / 300), uint8(x * 255 / 300), uint8(x * 200 / 300), 255})
			default:
				shown.Set(x, y, color.RGBA{250, 249, 245, 255})
			}
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, shown); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAPictureIsWrittenOnlyIfItDiffers(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	kept := filepath.Join(to, "home-light.png")
	red, green := color.RGBA{180, 20, 20, 255}, color.RGBA{20, 120, 60, 255}
	drawn(t, filepath.Join(from, "home-light.png"), red)
	if err := keepAll(from, to); err != nil {
		t.Fatal(err)
	}
	shown, err := read(kept)
	if err != nil {
		t.Fatal(err)
	}
	if few, is := shown.(*image.Paletted); !is || len(few.Palette) > mostColors || rgb(shown.At(9, 5)) != red {
		t.Errorf("the picture has lost the color of its line, or has too many: %v", shown.At(9, 5))
	}

	before := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(kept, before, before); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		line    color.RGBA
		written bool
	}{{red, false}, {green, true}} {
		drawn(t, filepath.Join(from, "home-light.png"), step.line)
		if err := keepAll(from, to); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(kept)
		if err != nil {
			t.Fatal(err)
		}
		if written := !info.ModTime().Equal(before); written != step.written {
			t.Errorf("with a line of %v it was written: %v", step.line, written)
		}
	}
	if err := keepAll(t.TempDir(), to); err == nil {
		t.Error("no screenshots are no failure")
	}
}
