package trends

import (
	"io"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Text writes the shifts of a trend, a line each.
func Text(w io.Writer, t *model.Trend, o sheet.Options) error {
	s := sheet.New(o)
	s.Para(sheet.Bold, "", headline(t))
	var table [][]sheet.Cell
	for _, x := range t.Series {
		for _, h := range x.Shifts {
			table = append(table, []sheet.Cell{
				sheet.Left(x.Benchmark.String()).In(sheet.Bold), sheet.Left(x.Metric), sheet.Left(tone(x.Better, h)),
				sheet.Right(change(h)), sheet.Left(value(x.Metric, h.Before) + " → " + value(x.Metric, h.After)), sheet.Left(since(x.Points[h.At])),
			})
		}
	}
	if len(table) > 0 {
		s.Blank()
		list(s, table)
		s.Blank()
		s.Para(sheet.Dim, "", chance(t))
	}
	s.Warnings(t.Warnings)
	return s.Flush(w)
}

// list writes the table. Where it is too wide, each benchmark has a line of its
// own, since what comes last, the commit, is what one looks for.
func list(s *sheet.Sheet, table [][]sheet.Cell) {
	if s.Spread(table) <= s.Width() {
		s.Table("", table)
		return
	}
	var shifts [][]sheet.Cell
	for i, row := range table {
		shifts = append(shifts, row[1:])
		if i+1 == len(table) || table[i+1][0].Text != row[0].Text {
			s.Para(sheet.Bold, "", row[0].Text)
			s.Table("  ", shifts)
			shifts = nil
		}
	}
}
