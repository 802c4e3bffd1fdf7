package claims

import (
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Text writes a run for a terminal: a row for each rule, with the claim
// below it, and the reason where it does not simply hold.
func Text(w io.Writer, r *model.Evidence, o sheet.Options) error {
	s := sheet.New(o)
	s.AsIs("", summary(r))
	if len(r.Results) > 0 {
		s.Para(sheet.Normal, "", on(r.Env)+"; x is before ÷ after, with its interval.")
		s.Blank()
		table(r, s, o)
	}
	if len(r.Exempt) > 0 {
		s.Blank()
		s.Para(sheet.Normal, "", "Not measured:")
		for _, g := range groups(r.Exempt) {
			s.Para(sheet.Normal, "  ", g.names("%s (%s)")+": "+g.why)
		}
	}
	for _, warning := range r.Warnings {
		s.Para(sheet.Normal, "! ", warning.Seen+". "+warning.Try)
	}
	return s.Flush(w)
}

// rows returns the table, with or without the column of bytes, a line for each row.
// No line is cut.
func rows(r *model.Evidence, o sheet.Options, bytes bool) []string {
	head := []sheet.Cell{sheet.Left("rule"), sheet.Left("ids"), sheet.Left("claimed"), sheet.Left("measured"), sheet.Left("allocs/op"), sheet.Left("B/op"), sheet.Left("verdict")}
	lines := [][]sheet.Cell{head}
	for i := range r.Results {
		res := &r.Results[i]
		lines = append(lines, []sheet.Cell{
			sheet.Left(res.Rule), sheet.Left(strings.Join(res.IDs, " ")), sheet.Left(claim(res)), sheet.Left(Measured(res)),
			sheet.Left(change(res, "allocs/op")), sheet.Left(change(res, "B/op")), sheet.Left(string(res.Verdict)),
		})
	}
	if !bytes {
		for i, row := range lines {
			lines[i] = slices.Delete(row, 5, 6)
		}
	}
	o.Width = math.MaxInt
	s := sheet.New(o)
	s.Table("", lines)
	return strings.Split(strings.TrimSuffix(s.String(), "\n"), "\n")
}

// table writes the rows, with what stands below each.
func table(r *model.Evidence, s *sheet.Sheet, o sheet.Options) {
	lines := rows(r, o, true)
	if o.Width > 0 && slices.ContainsFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > o.Width }) {
		lines = rows(r, o, false)
	}
	s.Raw(lines[0] + "\n")
	for i, line := range lines[1:] {
		res := &r.Results[i]
		s.Raw(line + "\n")
		s.Para(sheet.Normal, "    ", res.Claimed)
		if res.Verdict == model.EvidenceHolds {
			continue
		}
		for why := range strings.Lines(res.Why) {
			s.Para(sheet.Normal, "    ! ", why)
		}
	}
}
