package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// width is the width of each picture, in units of at most one pixel. So its letters stay readable on a page that is 700 pixels wide.
const width = 680

// at is a number as the value of an attribute.
func at(n int) string { return strconv.Itoa(n) }

// point is a point in a picture.
type point struct{ x, y float64 }

// through makes points from pairs of coordinates.
func through(xy []int) []point {
	points := make([]point, 0, len(xy)/2)
	for i := 0; i+1 < len(xy); i += 2 {
		points = append(points, point{float64(xy[i]), float64(xy[i+1])})
	}
	return points
}

// towards is the point at the distance far from p in the direction of q, but at most halfway to q.
func (p point) towards(q point, far float64) point {
	dx, dy := q.x-p.x, q.y-p.y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return p
	}
	far = min(far, length/2)
	return point{p.x + dx/length*far, p.y + dy/length*far}
}

// corner is the radius of a line's corners.
const corner = 8

// route is the data of an SVG path through all points, with round corners.
func route(xy ...int) string {
	points := through(xy)
	var d strings.Builder
	for i, p := range points {
		switch {
		case i == 0:
			fmt.Fprintf(&d, "M%s", p)
		case i == len(points)-1:
			fmt.Fprintf(&d, "L%s", p)
		default:
			fmt.Fprintf(&d, "L%sQ%s %s", p.towards(points[i-1], corner), p, p.towards(points[i+1], corner))
		}
	}
	return d.String()
}

// The size of the head of an arrow: its length, and half its width.
const (
	headLength = 8
	headSpread = 4
)

// head is the data of an SVG path: the head of an arrow to the last point.
func head(xy ...int) string {
	points := through(xy)
	if len(points) < 2 {
		return ""
	}
	tip, from := points[len(points)-1], points[len(points)-2]
	length := math.Hypot(tip.x-from.x, tip.y-from.y)
	if length == 0 {
		return ""
	}
	ux, uy := (tip.x-from.x)/length, (tip.y-from.y)/length
	base := point{tip.x - ux*headLength, tip.y - uy*headLength}
	left := point{base.x - uy*headSpread, base.y + ux*headSpread}
	right := point{base.x + uy*headSpread, base.y - ux*headSpread}
	return fmt.Sprintf("M%sL%sL%sZ", tip, left, right)
}

// String is the point as SVG paths write it, rounded to a tenth.
func (p point) String() string { return tenth(p.x) + " " + tenth(p.y) }

func tenth(n float64) string { return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) }
