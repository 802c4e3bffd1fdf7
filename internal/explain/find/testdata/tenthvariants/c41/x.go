package c41

import (
	"encoding/json"
	"fmt"
	"os"
)

// V1 variable of the package, two functions
var zones = must(load("/etc/gateway/zones.json"))

func load(path string) (map[string][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("zones: %w", err)
	}
	var all map[string][]string
	err = json.Unmarshal(data, &all)
	return all, err
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func Hosts(zone string) []string { return zones[zone] }
