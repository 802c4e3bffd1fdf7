package main

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/worth"
)

// words is a flag that may be given several times.
type words []string

func (w *words) String() string { return strings.Join(*w, " ") }

func (w *words) Set(text string) error {
	*w = append(*w, text)
	return nil
}

// production reads what -profile and -min-worth say.
func (s *settings) production(e *env) (*worth.Production, float64, error) {
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
	files := make([]string, len(s.profiles))
	for i, name := range s.profiles {
		files[i] = within(e.dir, name)
	}
	p, err := worth.Read(files...)
	if err != nil {
		return nil, 0, usageError("-profile: %v", err)
	}
	return p, least, nil
}
