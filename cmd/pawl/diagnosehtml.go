package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

// writeDiagnosisPage writes a diagnosis with the flame graphs of its profiles
// as a page to the file name; to none when that is empty.
func writeDiagnosisPage(e *env, name string, d *model.Diagnosis, sources []diagnose.Source, own string) error {
	if name == "" {
		return nil
	}
	flames, err := diagnose.Flames(sources, nil, diagnose.Options{Own: own})
	if err != nil {
		return err
	}
	command := []string{"pawl", "diagnose", "-html", name}
	if own != "" {
		command = append(command, "-own", own)
	}
	var buf bytes.Buffer
	if err := report.DiagnosisHTML(&buf, d, report.DiagnosisExtra{Command: append(command, d.Args...), Flames: flames}); err != nil {
		return err
	}
	if err := os.WriteFile(within(e.dir, name), buf.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w; name a file in a folder that is there and can be written", err)
	}
	e.printf("pawl: the page is %s\n", name)
	return nil
}
