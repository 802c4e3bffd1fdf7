package section

import (
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Bar draws a share, and behind it another that is less certain.
func Bar(s *sheet.Sheet, sure, more float64) string {
	width := min(40, max(10, s.Width()-56))
	full, half, none := "█", "▒", "░"
	if s.ASCII() {
		full, half, none = "#", "+", "."
	}
	a := min(width, int(sure*float64(width)+0.5))
	b := min(width, int((sure+more)*float64(width)+0.5))
	if a == 0 && sure > 0 {
		a, b = 1, max(b, 1)
	}
	return strings.Repeat(full, a) + strings.Repeat(half, b-a) + strings.Repeat(none, width-b)
}

// A ShareBar is a share as a bar, of 100: what is sure, what is estimated on top
// of it, and the interval.
type ShareBar struct {
	Sure, More, MoreX string
	Lo, Span          string // empty without an interval
	Label             string
}

// NewShareBar draws a share, what is estimated on top of it, and its interval from lo
// to hi, all as fractions of 1.
func NewShareBar(share, more, lo, hi float64) ShareBar {
	b := ShareBar{Sure: page.Decimal(BarLength(share)), MoreX: page.Decimal(BarLength(share)), More: page.Decimal(BarLength(share+more) - BarLength(share)), Label: barLabel(share, more)}
	if hi > lo && hi-lo < 1 {
		b.Lo, b.Span = page.Decimal(BarLength(lo)), page.Decimal(BarLength(hi)-BarLength(lo))
	}
	return b
}

// BarLength is a share as a length of 100; none where it is no number.
func BarLength(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return 100 * math.Min(1, math.Max(0, x))
}

func barLabel(x, more float64) string {
	if more < 0.0005 {
		return figure.Share(x)
	}
	return figure.Share(x) + " and about " + figure.Share(more) + " in the scheduler"
}
