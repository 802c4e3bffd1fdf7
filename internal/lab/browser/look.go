package browser

import (
	"context"
	"fmt"
)

// A Look is how a page is shown.
type Look struct {
	Width, Height int // of the window, in CSS pixels; 0 leaves both to the browser
	Dark          bool
	Print         bool // as on paper
}

// String names a look: "400 dark".
func (l Look) String() string {
	s := fmt.Sprintf("%d light", l.Width)
	if l.Dark {
		s = fmt.Sprintf("%d dark", l.Width)
	}
	if l.Print {
		s += " print"
	}
	return s
}

// Show sets the size of the window, the theme and the medium. Nothing moves
// smoothly, so that a test need not wait for it.
func (p *Page) Show(ctx context.Context, l Look) error {
	theme, media := "light", "screen"
	if l.Dark {
		theme = "dark"
	}
	if l.Print {
		media = "print"
	}
	features := []map[string]string{
		{"name": "prefers-color-scheme", "value": theme},
		{"name": "prefers-reduced-motion", "value": "reduce"},
	}
	if err := p.call(ctx, "Emulation.setEmulatedMedia", map[string]any{"media": media, "features": features}, nil); err != nil {
		return fmt.Errorf("showing the page %s: %w", l, err)
	}
	size := map[string]any{"width": l.Width, "height": l.Height, "deviceScaleFactor": 1, "mobile": false}
	if err := p.call(ctx, "Emulation.setDeviceMetricsOverride", size, nil); err != nil {
		return fmt.Errorf("showing the page %s: %w", l, err)
	}
	return nil
}

// Scripts says whether the pages that are opened from now on may run scripts.
// Eval works either way.
func (p *Page) Scripts(ctx context.Context, on bool) error {
	if err := p.call(ctx, "Emulation.setScriptExecutionDisabled", map[string]any{"value": !on}, nil); err != nil {
		return fmt.Errorf("turning scripts on or off: %w", err)
	}
	return nil
}
