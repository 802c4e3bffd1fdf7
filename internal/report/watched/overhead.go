package watched

import (
	"fmt"
	"io"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Overhead writes what watching costs a program.
func Overhead(w io.Writer, o *model.Overhead, view sheet.Options) error {
	s := sheet.New(view)
	s.Para(sheet.Bold, "", fmt.Sprintf("Watching %s, with a control: what it adds to the CPU time per %s.", o.Service, o.Per))
	line := func(name string, x, lo, hi float64) {
		text := words.Signed(x) + ", too few pairs for an interval"
		if o.Bounded() {
			text = fmt.Sprintf("%s, between %s and %s at 95 %%", words.Signed(x), words.Signed(lo), words.Signed(hi))
		}
		s.Para(sheet.Normal, name, text)
	}
	line("  during a capture  ", o.During, o.DuringLo, o.DuringHi)
	line("  in all            ", o.All, o.AllLo, o.AllHi)
	s.Para(sheet.Dim, "  settings          ", fmt.Sprintf("a CPU profile of %d s and the others, every %v", o.Seconds, time.Duration(o.Interval*float64(time.Second))))
	text := fmt.Sprintf("%s of stretches with a capture and without, in %s", words.Plural(o.Pairs, "pair"), words.Seconds(o.Took))
	if o.Left > 0 {
		text += fmt.Sprintf("; %d left out", o.Left)
	}
	s.Para(sheet.Dim, "  measured          ", text)
	return s.Flush(w)
}
