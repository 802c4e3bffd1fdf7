// Package watched shows what pawl watch has kept, and what a canary was found to cost.
package watched

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostGaps is how many gaps of a service are shown unless all are asked for.
const mostGaps = 5

// Text writes what there is of each service.
func Text(w io.Writer, all []model.Watched, o sheet.Options) error {
	s := sheet.New(o)
	if len(all) == 0 {
		s.Para(sheet.Normal, "", "Nothing is kept; pawl watch NAME=http://HOST:PORT/debug/pprof captures a service.")
	}
	for _, one := range all {
		s.Part()
		service(s, one)
	}
	return s.Flush(w)
}

func service(s *sheet.Sheet, w model.Watched) {
	if w.Captures == 0 {
		s.Para(sheet.Bold, "", w.Name+": nothing was captured")
	} else {
		s.Para(sheet.Bold, "", fmt.Sprintf("%s: %s, %s to %s, %s", w.Name, words.Plural(w.Captures, "capture"),
			w.From.Local().Format(figure.Stamp), w.Until.Local().Format(time.TimeOnly), words.Bytes(float64(w.Bytes))))
	}
	var kinds []string
	for _, k := range w.Profiles {
		kinds = append(kinds, fmt.Sprintf("%s %d", k.Kind, k.Profiles))
	}
	if len(kinds) > 0 {
		s.Para(sheet.Normal, "  profiles  ", strings.Join(kinds, ", "))
	}
	for _, m := range w.Missing {
		s.Para(sheet.Normal, "  missing   ", fmt.Sprintf("%s in %s, in the last one because of: %s", m.Kind, words.Plural(m.Captures, "capture"), m.Why))
	}
	if w.Taking > 0 {
		s.Para(sheet.Normal, "  cost      ", fmt.Sprintf("taking them took %s %% of a core, %s %% of the program's CPU time, by its own CPU profiles", words.Three(100*w.TakingCore), words.Three(100*w.Taking)))
	}
	gaps := w.Gaps
	if !s.Verbose() && len(gaps) > mostGaps {
		s.Para(sheet.Dim, "  gaps      ", fmt.Sprintf("%d; the last %d are (all with -v)", len(gaps), mostGaps))
		gaps = gaps[len(gaps)-mostGaps:]
	}
	for _, g := range gaps {
		if g.Instance != "" {
			g.Why = g.Instance + ": " + g.Why
		}
		s.Para(sheet.Normal, "  gap       ", fmt.Sprintf("%s to %s: %s", g.From.Local().Format(time.TimeOnly), g.Until.Local().Format(time.TimeOnly), g.Why))
	}
}
