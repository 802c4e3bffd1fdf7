package c19

import (
	"encoding/json"
	"io"
)

// V1 decoder, named type, method
type document map[string]any

type importer struct{ points float64 }

func (i *importer) Read(r io.Reader) error {
	var doc document
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return err
	}
	games, _ := doc["games"].([]any)
	for _, g := range games {
		game, ok := g.(map[string]any)
		if !ok {
			continue
		}
		switch p := game["points"].(type) {
		case float64:
			i.points += p
		}
	}
	return nil
}
