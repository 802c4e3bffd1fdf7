package judge_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pawl-dev/pawl/judge"
)

// A candidate that costs 4 % less, on a machine with a noise of 2 % per pair.
func ExampleSequence() {
	r := rand.New(rand.NewPCG(1, 2))
	s := judge.NewSequence(judge.AdoptRules())
	for !s.Decision().Done {
		base := 250 * math.Exp(0.014*r.NormFloat64()) // ns/op
		candidate := 240 * math.Exp(0.014*r.NormFloat64())
		if err := s.Add(math.Log(candidate / base)); err != nil {
			fmt.Println(err)
			return
		}
	}
	d := s.Decision()
	fmt.Printf("%s: %+.1f %% [%+.1f, %+.1f] after %d pairs\n", d.Answer, 100*d.Estimate, 100*d.Lo, 100*d.Hi, d.Units)
	fmt.Println("a slowdown of 3 % excluded:", s.ExcludesSlowdown(0.03, 0.05))
	// Output:
	// faster: -4.9 % [-7.5, -0.4] after 8 pairs
	// a slowdown of 3 % excluded: true
}

func ExampleSees() {
	rules := judge.AdoptRules()
	fmt.Printf("sees %.1f %% in %d pairs\n", 100*judge.Sees(0.025, rules, 60), 60)
	fmt.Printf("a gain of 5 %% takes about %d pairs, no gain about %d\n", judge.UnitsFor(0.025, 0.05, rules), judge.UnitsFor(0.025, 0, rules))
	// Output:
	// sees 1.5 % in 60 pairs
	// a gain of 5 % takes about 9 pairs, no gain about 57
}
