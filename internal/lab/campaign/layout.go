package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
)

// alignments are the linker's own on amd64, and that of what pawl builds.
var alignments = []int{32, 64}

func layoutFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.n, "n", 5, "random orders beside the first")
	f.IntVar(&s.duets, "duets", 12, "duets of each")
}

// runLayout shows what the order of functions alone does to a benchmark: links
// of one build in random orders, each against the first, at two alignments.
func runLayout(ctx context.Context, s *settings) error {
	return s.calibrated(ctx, func(c *calibrator, sub subject) error {
		for _, align := range alignments {
			moved, err := c.orders(ctx, align, s.n, s.duets)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.stdout, "| %s | %d |", sub.bench, align)
			for _, x := range moved {
				fmt.Fprintf(s.stdout, " %+.1f", 100*x)
			}
			fmt.Fprintln(s.stdout, " % |")
		}
		return nil
	})
}

// orders returns what each of n random orders changes in the time of the first.
func (c *calibrator) orders(ctx context.Context, align, n, duets int) ([]float64, error) {
	var links []*bench.Binary
	for i := range n + 1 {
		b, err := c.suite.Build(ctx, c.pkg, fmt.Sprintf("order%d", i), gocmd.BuildOpts{
			Overlay: true, Flags: []string{fmt.Sprintf("-ldflags=-w -funcalign=%d -randlayout=%d", align, i+1)},
		})
		if err != nil {
			return nil, err
		}
		links = append(links, b)
	}
	ds := make([][]float64, n)
	for k := range duets * n { // in turns, so that no order has one moment for itself
		i := k / settingLen % n
		d, err := c.unit(ctx, links[0], links[i+1], k%settingLen == 0)
		if err != nil {
			return nil, err
		}
		ds[i] = append(ds[i], d)
	}
	out := make([]float64, n)
	for i := range ds {
		out[i] = math.Expm1(trimmed(ds[i]))
	}
	return out, nil
}
