package catalogue

import (
	"slices"

	"github.com/pawl-dev/pawl/rules/rule"
)

// missing returns the entries of the catalogue that have no analyzer, in the
// order of their ids. Missing gives the reason, and begins with "not yet",
// "obsolete:", "elsewhere:" and the tools of others, or "pawl VERB", which does
// it in another way. A test of cmd/pawl holds the texts to the verbs, rules and
// transformations that there are.
func missing() []Entry {
	rules := slices.Concat(missingMemory(), missingRuntime(), missingBuild(), missingSettings(), missingWays())
	out := make([]Entry, len(rules))
	for i, r := range rules {
		out[i] = Entry{Rule: r}
	}
	return byID(out)
}

// missingMemory are entries about what is allocated, and where it lies.
func missingMemory() []rule.Rule {
	return []rule.Rule{
		{
			Name: "escapes", IDs: []string{"C32"}, Seeds: []string{"000", "002", "003"}, Tier: rule.Always,
			Missing:   "pawl find -escapes reports what is new on the heap since the base; with -profile, pawl find shows the compiler's notes for lines that cost",
			Title:     "values that escape to the heap in hot packages",
			Why:       "What escapes is allocated; the compiler says why it does, if asked.",
			Signature: "runtime.newobject below a line in alloc_objects profiles",
		},
	}
}

// missingRuntime are entries about goroutines, locks and the runtime.
func missingRuntime() []rule.Rule {
	return []rule.Rule{
		{
			Name: "deferunlock", IDs: []string{"C28"}, Seeds: []string{"004"}, Tier: rule.Obsolete,
			Missing: "obsolete: a defer outside of loops costs about a nanosecond",
			Title:   "defer of Unlock in a small hot function",
			Why: "Since Go 1.14 the compiler writes out defers at the ends of a function, without a record on the heap; measured on Go 1.26 the difference is 1 ns. " +
				"Unlocking by hand leaves the mutex locked after a panic. Only defers that pile up in a loop cost (C27).",
			Signature: "runtime.deferreturn in CPU profiles, where a function has defers in a loop, more than eight of them, or many of them and many returns",
		},
		{
			Name: "numgoroutine", IDs: []string{"C55"}, Seeds: []string{"004"}, Tier: rule.Obsolete,
			Missing: "obsolete: runtime.NumGoroutine adds up some counters, and what is to replace it costs as much",
			Title:   "runtime.NumGoroutine is polled",
			Why: "It is said to walk all goroutines under a lock. It does not: it is arithmetic on counters of the scheduler and took 3 to 8 ns with 100,000 " +
				"goroutines alive. A counter of one's own, kept for each request, costs 6 ns a request.",
			Signature: "none",
		},
	}
}
