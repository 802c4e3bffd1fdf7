package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestEvidence(t *testing.T) {
	v := specimen.Verdict(model.Slower, 0.041, 0.032, 0.05, 24)
	v.Metric, v.Level, v.Course = "cpu/op", 0.95, nil
	v.Course = specimen.Course(v)
	e := NewEvidence(v, 0.02)
	if e == nil {
		t.Fatal("no picture")
	}
	if got := strings.Count(e.Dots, "M"); got != 24 {
		t.Errorf("%d dots of 24 duets", got)
	}
	if e.Tone != "slower" {
		t.Errorf("tone %q", e.Tone)
	}
	for _, want := range []string{"24 duets", "+4.1 %"} {
		if !strings.Contains(e.Spread, want) {
			t.Errorf("no %q in %q", want, e.Spread)
		}
	}
	if want := "95 % interval after 13 duets"; !strings.Contains(e.Narrowing, want) || !strings.HasSuffix(e.Narrowing, "after 24 duets +4.1 %, [+3.2, +5.0] %") {
		t.Errorf("the interval in words: %q", e.Narrowing)
	}
	var names []string
	for _, g := range e.Rules {
		names = append(names, g.Text)
	}
	if got := strings.Join(names, "; "); got != "no change; +2 % counts; +4.1 %" {
		t.Errorf("lines: %s", got)
	}
}

// The names of lines that lie close together keep apart, and the estimate's
// stays where it is.
func TestEvidenceNamesKeepApart(t *testing.T) {
	for _, change := range []float64{-0.004, -0.0001, 0, 0.0001, 0.004, 0.3} {
		v := specimen.Verdict(model.NoEffect, change, change-0.006, change+0.006, 30)
		v.Course = specimen.Course(v)
		e := NewEvidence(v, 0.01)
		var ys []float64
		for _, g := range e.Rules {
			var y float64
			if _, err := fmt.Sscan(g.Label, &y); err != nil {
				t.Fatal(err)
			}
			for _, other := range ys {
				if math.Abs(y-other) < 12 {
					t.Errorf("%v: %q is %.1f from another name", change, g.Text, math.Abs(y-other))
				}
			}
			ys = append(ys, y)
		}
	}
}

// What was not recorded, or is no figure, has no picture; and a picture's
// coordinates are within it.
func TestEvidenceOfOddCourses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, v := range map[string]model.Verdict{
		"none":     {Change: 0.1},
		"empty":    {Change: 0.1, Course: new(model.Course)},
		"nan":      {Change: nan, Course: &model.Course{Ratios: []float64{1, 1.1}}},
		"inf unit": {Change: 0.1, Course: &model.Course{Ratios: []float64{1, inf}}},
		"negative": {Change: 0.1, Course: &model.Course{Ratios: []float64{1, -1}}},
	} {
		if NewEvidence(v, 0) != nil {
			t.Errorf("%s: a picture", name)
		}
	}
	v := model.Verdict{Change: -0.5, Lo: -1, Hi: 1e6, Units: 5, Course: &model.Course{
		Ratios: []float64{0.5, 0.5, 0.5, 0.5, 90}, Steps: []model.CourseStep{{Units: 1, Change: nan, Lo: inf, Hi: nan}, {Units: 5, Change: -0.5, Lo: -1, Hi: 1e6}},
	}}
	e := NewEvidence(v, 0.02)
	if e == nil || e.Away != "1 beyond the ends" {
		t.Fatalf("an outlier: %+v", e)
	}
	for _, path := range []string{e.Dots, e.Band, e.Line, e.Seen} {
		if strings.ContainsAny(path, "NIe") {
			t.Errorf("a coordinate is no number: %s", path)
		}
	}
	if e.Band != "" {
		t.Errorf("an interval without ends is drawn: %s", e.Band)
	}
}
