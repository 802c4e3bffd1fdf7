package x

import (
	"encoding/json"
	"os"
)

// V3 in a closure
var zones = func() map[string]string {
	b, err := os.ReadFile("/etc/zones.json")
	if err != nil {
		return nil
	}
	m := map[string]string{}
	_ = json.Unmarshal(b, &m)
	return m
}()

func Zone(n string) string { return zones[n] }
