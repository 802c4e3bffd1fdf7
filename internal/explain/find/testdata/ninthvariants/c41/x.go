package c41

import (
	"encoding/json"
	"os"
)

// V1 generic
type country struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

func load[T any](path string) []T {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var all []T
	_ = json.Unmarshal(data, &all)
	return all
}

var countries = load[country]("data/countries.json")

func Name(code string) string {
	for _, c := range countries {
		if c.Code == code {
			return c.Name
		}
	}
	return ""
}
