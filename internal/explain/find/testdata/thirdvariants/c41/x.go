package c41

import (
	"encoding/json"
	"os"
)

// V5 two functions
var settings = mustLoad("settings.json")

func mustLoad(name string) map[string]string {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var m map[string]string
	if err := json.Unmarshal(data, &m); err != nil {
		panic(err)
	}
	return m
}
