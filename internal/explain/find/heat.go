package find

import (
	"encoding/json"
	"fmt"
	"io"
	"path"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Heat turns costs of lines into what rules take.
func Heat(costs []model.LineCost) *rule.Heat {
	h := &rule.Heat{Version: 1, Lines: map[string]map[int]rule.Cost{}}
	for _, c := range costs {
		file := path.Join(c.Pkg, c.File)
		if h.Lines[file] == nil {
			h.Lines[file] = map[int]rule.Cost{}
		}
		if c.Share > h.Lines[file][c.Line].Share {
			h.Lines[file][c.Line] = rule.Cost{Share: c.Share, Resource: c.Resource}
		}
	}
	return h
}

// WriteHeat writes heat as rule.ReadHeat reads it. Costs below a thousandth
// are left out: no threshold asks for them.
func WriteHeat(w io.Writer, h *rule.Heat) error {
	small := &rule.Heat{Version: h.Version, Lines: map[string]map[int]rule.Cost{}}
	for file, lines := range h.Lines {
		for line, c := range lines {
			if c.Share < 0.001 {
				continue
			}
			if small.Lines[file] == nil {
				small.Lines[file] = map[int]rule.Cost{}
			}
			small.Lines[file][line] = c
		}
	}
	enc := json.NewEncoder(w)
	if err := enc.Encode(small); err != nil {
		return fmt.Errorf("writing heat: %w", err)
	}
	return nil
}
