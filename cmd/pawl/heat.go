package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/explain/find"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/rules/rule"
)

const heatManual = `
Heat turns pprof files into a small file of what each line costs, for drivers
that cannot read profiles, and prints its name with its digest:

	go vet -vettool=$(which pawl) -pawl.heat=$(pawl heat cpu.pprof) ./...

The digest is part of the flag since go vet caches by the text of its flags.`

func runHeat(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags()
	out := fs.String("o", "heat.json", "`file` to write")
	files, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, usageError("heat needs a PROFILE; pawl help heat")
	}
	costs, err := readCosts(ctx, e, files)
	if err != nil {
		return 0, usageError("%v", err)
	}
	name := foreign.Path(e.dir, *out)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, usageError("-o: %v", err)
	}
	if err := errors.Join(find.WriteHeat(f, find.Heat(costs)), f.Close()); err != nil {
		return 0, err
	}
	named, err := rule.Digested(name)
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(e.data(), named)
	return exitOK, nil
}
