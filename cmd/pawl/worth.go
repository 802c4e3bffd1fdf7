package main

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/worth"
)

// several is a flag that may be given several times.
type several []string

func (w *several) String() string { return strings.Join(*w, " ") }

func (w *several) Set(text string) error {
	*w = append(*w, text)
	return nil
}

// production reads what -profile and -min-worth say.
func (s *settings) production(ctx context.Context, e *env) (*worth.Production, float64, error) {
	least := 0.0
	if s.minWorth != "" {
		var err error
		if least, err = worth.ParseMin(s.minWorth); err != nil {
			return nil, 0, usageError("-min-worth %s: %v", s.minWorth, err)
		}
		if len(s.profiles) == 0 {
			return nil, 0, usageError("-min-worth needs -profile: %s", worth.Advice().Try)
		}
	}
	if len(s.profiles) == 0 {
		return nil, 0, nil
	}
	opened, done, err := e.open(ctx, s.profiles, "cpu", "heap")
	defer done()
	if err != nil {
		return nil, 0, err
	}
	files := make([]string, len(opened))
	for i, f := range opened {
		files[i] = f.file
	}
	p, err := worth.Read(ctx, files...)
	if err != nil {
		return nil, 0, usageError("-profile: %v", err)
	}
	return p, least, nil
}
