package c69

import (
	"fmt"
	"os"
	"path/filepath"
)

// V1 closure, missed

type page struct {
	slug string
	html []byte
}

func publish(site string, pages []page) error {
	write := func(p page) error {
		dir := filepath.Join(site, "public")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("publish: %w", err)
		}
		return os.WriteFile(filepath.Join(dir, p.slug+".html"), p.html, 0o644)
	}
	for _, p := range pages {
		if err := write(p); err != nil {
			return err
		}
	}
	return nil
}
