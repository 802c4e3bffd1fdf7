package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/report/trends"
)

func TestTrendText(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		got := specimen.Written(t, func(b *bytes.Buffer) error { return trends.Text(b, specimen.Trend(), sheet.Options{Width: width}) })
		specimen.Golden(t, fmt.Sprintf("trends-%d.txt", width), got)
	}
	got := specimen.Written(t, func(b *bytes.Buffer) error { return trends.Text(b, &model.Trend{Rate: 0.05}, sheet.Options{}) })
	if got != "no figures yet: pawl gate and pawl compare keep some\n" {
		t.Errorf("of nothing: %q", got)
	}
}

// What the pictures show stands in the page as text, and nothing comes from outside.
func TestTrendPage(t *testing.T) {
	t.Parallel()
	page := specimen.Written(t, func(b *bytes.Buffer) error { return trends.HTML(b, specimen.Trend(), nil, nil) })
	specimen.WellFormed(t, page)
	for _, want := range []string{
		"4 of 6 series shifted", "Worse since 2026-06-13 000000000054, 25.0 µs → 27.1 µs, +8.4 %, p ≤ 0.001",
		"Better since 2026-06-25", "Shifted since 000000000054, 0 → 0.9", "shifts: 2", "<td>25.2 µs</td>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if m := regexp.MustCompile(`https?://|url\(|@import|ZgotmplZ|<script>alert|NaN|Inf`).FindString(page); m != "" {
		t.Errorf("the page has %s", m)
	}
}

// Ten thousand points fit into a page that can be sent: the tables go first.
func TestTrendPageStaysSmall(t *testing.T) {
	t.Parallel()
	tr := specimen.Trend()
	for len(tr.Series) < 400 {
		tr.Series = append(tr.Series, tr.Series[:6]...)
	}
	page := specimen.Written(t, func(b *bytes.Buffer) error { return trends.HTML(b, tr, nil, nil) })
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}
