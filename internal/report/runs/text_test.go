package runs

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

func TestText(t *testing.T) {
	for name, make := range specimen.Runs {
		for _, width := range []int{60, 80, 120} {
			got := specimen.Written(t, func(b *bytes.Buffer) error { return Text(b, make(), sheet.Options{Width: width}) })
			specimen.Golden(t, fmt.Sprintf("text-%s-%d.txt", name, width), got)
		}
	}
}

func TestPlan(t *testing.T) {
	for name, make := range specimen.Runs {
		for _, width := range []int{60, 80, 120} {
			got := specimen.Written(t, func(b *bytes.Buffer) error { return Plan(b, make(), sheet.Options{Width: width}) })
			specimen.Golden(t, fmt.Sprintf("plan-%s-%d.txt", name, width), got)
		}
	}
}

func TestStory(t *testing.T) {
	specimen.Golden(t, "story.txt", specimen.Written(t, func(b *bytes.Buffer) error { return Story(b, specimen.Run(), sheet.Options{}) }))
}

func TestMarkdown(t *testing.T) {
	specimen.Golden(t, "kept.md", specimen.Written(t, func(b *bytes.Buffer) error { return Markdown(b, specimen.Run()) }))
	specimen.Golden(t, "none.md", specimen.Written(t, func(b *bytes.Buffer) error { return Markdown(b, specimen.NothingKept()) }))
}
