package main

import (
	"context"
	"flag"
)

func gateFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.gates, "n", 10, "gates on a change that leaves all as it was")
	f.IntVar(&s.power, "regressed", 2, "gates on a change that makes one benchmark 5 % slower")
}

func runGate(ctx context.Context, s *settings) error {
	list := []subject{gated}
	items := mix(deal("gate", list, 0, s.gates, 0, 0), deal("gate", list, gateEffect, s.power, 0, 0))
	return s.campaign(ctx, items, s.gate)
}

// gate judges the work tree, which is at a variant, against the tag base.
func (s *settings) gate(ctx context.Context, n *neighbour, it item, r *Record) error {
	m, err := s.module(ctx, it.sub)
	if err != nil {
		return err
	}
	tag, err := s.variant(ctx, m, r.Seed, r.Steps)
	if err != nil {
		return err
	}
	if err := m.checkout(ctx, tag); err != nil {
		return err
	}
	r.Run, r.Pawl, err = s.callPawl(ctx, n, m.dir, "gate", "-json", "-q", "-screen=false", "-per-benchmark", s.perBenchmark, "-base", "base", m.pattern())
	if err != nil {
		return err
	}
	return m.checkout(ctx, "base")
}
