package catalogue

import (
	"slices"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Missing says why there is no rule, and begins with one of these: "not yet",
// "obsolete:", "elsewhere:" and the tools of others, or "pawl VERB", which does
// it in another way. A test of cmd/pawl holds the texts to the verbs, rules and
// transformations that there are.
const (
	notYet = "not yet"
	// pointed is of entries that a signature of pawl diagnose names.
	pointed = "not yet in source; pawl diagnose points here from profiles"
)

// missing returns the entries of the catalogue that have no analyzer, in the
// order of their ids, with the reason in Missing.
func missing() []Entry {
	rules := slices.Concat(missingMemory(), missingCalls(), missingRuntime(), missingData(), missingBuild(), missingSettings(), missingWays())
	slices.SortFunc(rules, func(a, b rule.Rule) int { return slices.Compare(a.IDs, b.IDs) })
	out := make([]Entry, len(rules))
	for i, r := range rules {
		out[i] = Entry{Rule: r}
	}
	return out
}

// missingMemory are entries about what is allocated, and where it lies.
func missingMemory() []rule.Rule {
	return []rule.Rule{
		{
			Name: "tempbuffer", IDs: []string{"C04"}, Seeds: []string{"000", "001", "004"}, Tier: rule.Profiled, Missing: "pawl optimize does it for what a benchmark runs, by the transformation pool; pawl find has no rule for it",
			Title:     "a large buffer is made and dropped on each call",
			Why:       "Memory of some kilobytes that lives for one call is cleared on each and feeds the collector; a sync.Pool keeps it.",
			WhenNot:   "The buffer stays on the stack, as up to 64 KiB does where it does not escape, or somebody keeps a part of it.",
			Signature: "runtime.mallocgc and runtime.memclrNoHeapPointers below the line, in CPU and alloc_space profiles",
		},
		{
			Name: "anyvalue", IDs: []string{"C10"}, Seeds: []string{"001"}, Tier: rule.Profiled, Missing: notYet,
			Title:     "values kept as any, and replaced on each update",
			Why:       "Each update boxes the new value on the heap. An atomic of the value's own type is changed in place.",
			WhenNot:   "The value really has several types.",
			Gap:       "sync.Map.LoadOrStore with a new value as its argument allocates on each call too, also where the key is there: Load comes first.",
			Signature: "runtime.convT and its kin in alloc_objects profiles",
		},
		{
			Name: "itemalloc", IDs: []string{"C18"}, Seeds: []string{"001"}, Tier: rule.Profiled, Missing: pointed,
			Title:     "a fresh heap object for each item that goes through a channel",
			Why:       "An object that is made at one end of a pipeline and dropped at the other can go back and be used again.",
			WhenNot:   "The last stage keeps it, or there are several consumers.",
			Signature: "one line with a large part of alloc_objects, above a channel send",
		},
		{
			Name: "pointerslice", IDs: []string{"C29"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: "pawl optimize makes one allocation for all where a benchmark runs the loop, by the transformation backing-array; pawl find has no rule for it",
			Title:     "a slice of pointers where one of values would do",
			Why:       "Each element is an allocation of its own, and a walk over the slice jumps through memory.",
			WhenNot:   "Elements are compared by identity, can be nil, are large, or others keep pointers to them.",
			Signature: "one allocation for each element in alloc_objects profiles; a flat loop that is slow for what it does in CPU profiles",
		},
		{
			Name: "pointermap", IDs: []string{"C30"}, Seeds: []string{"001"}, Tier: rule.Profiled, Missing: pointed,
			Title:     "a map of pointers where one of values would do",
			Why:       "Each value is an allocation of its own, and the collector follows each pointer. Values of up to 128 bytes lie in the map itself.",
			WhenNot:   "Values are larger than 128 bytes, which the map keeps by pointer anyway, are shared, or changed in place.",
			Signature: "runtime.gcBgMarkWorker and runtime.scanobject in CPU profiles of a program with large maps",
		},
		{
			Name: "escapes", IDs: []string{"C32"}, Seeds: []string{"000", "002", "003"}, Tier: rule.Profiled,
			Missing:   "pawl find shows the compiler's own escape notes for lines that cost",
			Title:     "values that escape to the heap in hot packages",
			Why:       "What escapes is allocated; the compiler says why it does, if asked.",
			Signature: "runtime.newobject below a line in alloc_objects profiles",
		},
	}
}

// missingCalls are entries about what is called, and how often.
func missingCalls() []rule.Rule {
	return []rule.Rule{
		{
			Name: "deadformat", IDs: []string{"C07"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: "pawl optimize does it for what a benchmark runs, by the transformations dead-format, lazy-error and box-on-cold-path: texts of basic operands, and of errors; other texts not yet",
			Title:     "a text is formatted that is used on some paths only",
			Why:       "Formatting costs whether or not somebody reads the result; inside the branch that does, it is paid there only.",
			WhenNot:   "An argument has side effects, or is changed in between.",
			Signature: "fmt.Sprintf in CPU and alloc_objects profiles, below a line whose result is seldom used",
		},
		{
			Name: "fieldbyname", IDs: []string{"C21"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: "pawl optimize does it for what a benchmark runs, by the transformation reflect-cache; pawl find has no rule for it",
			Title:     "reflect looks up a field by its name on each call",
			Why:       "FieldByName searches the fields, embedded ones too; a switch, or an index found once for each type, does not.",
			WhenNot:   "It is at start-up, or the set of types is open.",
			Signature: "reflect.Value.FieldByName and reflect.(*structType).FieldByName in CPU profiles",
		},
		{
			Name: "reflectrows", IDs: []string{"C22"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: notYet,
			Title:     "rows are mapped to structs by reflection on a request path",
			Why:       "A typed scan costs a ninth of a reflective one.",
			WhenNot:   "The library is generic, or the query takes most of the time.",
			Signature: "reflect.Value.Field and reflect.Value.Set in CPU profiles, below database/sql",
		},
		{
			Name: "contextbag", IDs: []string{"C33"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: notYet,
			Title:     "a context carries options or a large value",
			Why:       "WithValue allocates and boxes, Value walks up the chain, and nothing is typed. A parameter is free.",
			WhenNot:   "The value is a small identifier of the request.",
			Signature: "context.WithValue in alloc_objects profiles, context.value in CPU profiles",
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
