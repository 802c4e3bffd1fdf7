package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func TestWrapKeepsFiguresWhole(t *testing.T) {
	t.Parallel()
	got := sheet.Wrap("cpu −37.1 % [−38.9, −35.2] %, stock wall 51.2 µs and a/very/long/path/that/does/not/fit.go", 20)
	want := []string{"cpu −37.1 %", "[−38.9, −35.2] %,", "stock wall 51.2 µs", "and", "a/very/long/path/that/does/not/fit.go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	if got := sheet.Wrap("as production does [33.3 %, 100.0 %], and", 34); got[0] != "as production does [33.3 %," {
		t.Errorf("a figure is not whole: %q", got)
	}
	const said = "pawl: the module is in go1.27 and cannot be read\n  GOTOOLCHAIN=go1.27.4 go install example.com/m@latest\nshort\n"
	const want = "pawl: the module\n  is in go1.27 and\n  cannot be read\n  GOTOOLCHAIN=go1.27.4 go install example.com/m@latest\nshort\n"
	if diff := cmp.Diff(want, sheet.Fit(said, 20)); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

// Pawl's own colours and its line of progress come through, and a colour that
// it does not use does not.
func TestSheetShown(t *testing.T) {
	t.Parallel()
	s := sheet.New(sheet.Options{Color: true})
	for _, st := range []sheet.Style{sheet.Bold, sheet.Dim, sheet.Green, sheet.Yellow, sheet.Red} {
		if own := s.Paint(st, "x"); quote.Shown(own) != own {
			t.Errorf("%q becomes %q", own, quote.Shown(own))
		}
	}
	const line = "\r\x1b[K measuring"
	if got := quote.Shown(line); got != line {
		t.Errorf("%q becomes %q", line, got)
	}
	const evil = "\x1b[8mhidden\x1b[2J\x1b]0;t\x07\r"
	if got, want := quote.Shown(s.Paint(sheet.Red, "a")+evil), s.Paint(sheet.Red, "a")+quote.Text(evil); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
