package report_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/journal"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func TestLog(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		got := specimen.Written(t, func(b *bytes.Buffer) error {
			return journal.Text(b, []model.Run{*specimen.Run(), *specimen.NothingKept(), *specimen.NothingToTry(), *specimen.Several()}, nil, sheet.Options{Width: width})
		})
		specimen.Golden(t, fmt.Sprintf("log-%d.txt", width), got)
	}
	specimen.Golden(t, "log-empty.txt", specimen.Written(t, func(b *bytes.Buffer) error { return journal.Text(b, nil, nil, sheet.Options{}) }))
}
