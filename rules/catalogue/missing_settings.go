package catalogue

import "github.com/pawl-dev/pawl/rules/rule"

// audited is why no analyzer looks at build files.
const audited = "pawl tune reports it, from the files that say how the program is built and run"

// missingBuild are the entries about how a program is built.
func missingBuild() []rule.Rule {
	return []rule.Rule{
		{
			Name: "trimpath", IDs: []string{"B01"}, Seeds: []string{"000", "001"}, Tier: rule.Special, Missing: audited,
			Title:     "a release without -trimpath",
			Why:       "With it the same sources give the same binary in any directory. That is about builds, not about speed.",
			Signature: "none; go version -m shows it",
		},
		{
			Name: "buildvcs", IDs: []string{"B02"}, Seeds: []string{"000"}, Tier: rule.Special,
			Missing:   "pawl tune lists where it is set and what that does, and finds nothing wrong with either",
			Title:     "a build that has to be the same for each commit, with -buildvcs",
			Why:       "The commit becomes part of the binary, so that each one gives another. That is about builds, not about speed.",
			WhenNot:   "Somebody wants to know from the binary what it was built from, which go version -m shows: most do.",
			Signature: "none; go version -m shows it",
		},
		{
			Name: "stripped", IDs: []string{"B03"}, Seeds: []string{"000", "001"}, Tier: rule.Special, Missing: audited,
			Title:     "a binary with debug information in an image",
			Why:       "-ldflags=-s makes it smaller by three tenths, not faster. It implies -w since Go 1.22. Profiles and stack traces need neither.",
			WhenNot:   "Somebody will use a debugger on it.",
			Signature: "none",
		},
		{
			Name: "nooptimize", IDs: []string{"B04"}, Seeds: []string{"000"}, Tier: rule.Always, Missing: audited,
			Title:     "a release built with -gcflags of -N or -l, or with -race",
			Why:       "They switch off optimisation and inlining, for debuggers. The race detector takes several times the CPU time and memory.",
			WhenNot:   "The target is one for debugging or for tests.",
			Signature: "small functions that are never inlined in CPU profiles; go version -m shows the flags",
		},
		{
			Name: "pgo", IDs: []string{"B05"}, Seeds: []string{"000", "001"}, Tier: rule.Special,
			Missing:   "pawl tune -pgo-check finds an old one, and pawl tune -pgo FILE proves what a profile gains and keeps it as a commit",
			Title:     "no profile for the compiler, or an old one",
			Why:       "With default.pgo in the directory of package main the compiler inlines more where it is hot and calls methods directly. Builds take longer.",
			Gap:       "The gain has to be measured: of three programs one got faster by 6 %, and two have benchmarks that got slower by 5 %. It does nothing for a cold start.",
			Signature: "go version -m shows -pgo; functions of the profile that are no longer in the program",
		},
		{
			Name: "goamd64", IDs: []string{"B06"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: audited,
			Title:     "GOAMD64 for the processors in use",
			Why:       "Higher levels let the compiler use newer instructions.",
			Gap:       "Measured on seven programs, v3 took 0.96 to 1.33 times as long as v1: compare before it becomes the default.",
			Signature: "none; go version -m shows GOAMD64",
		},
		{
			Name: "nocgo", IDs: []string{"B07"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: audited,
			Title:     "cgo in a program that needs none",
			Why:       "CGO_ENABLED=0 gives a static binary. The tags netgo and osusergo beside it do nothing.",
			WhenNot:   "Names or users come from the system's own services, or a package needs C.",
			Signature: "runtime.cgocall below net.(*Resolver) in CPU profiles",
		},
		{
			Name: "modreadonly", IDs: []string{"B11"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: audited,
			Title:     "builds with -mod=mod, which may change go.mod",
			Why:       "What is built need not be what the commit says. -mod=readonly need not be written: it has been the default since Go 1.16, but for modules with a vendor directory.",
			WhenNot:   "The command is there to change go.mod.",
			Signature: "none",
		},
	}
}

// missingSettings are the entries about how a program is run.
func missingSettings() []rule.Rule {
	return []rule.Rule{
		{
			Name: "gogc", IDs: []string{"B08"}, Seeds: []string{"000", "001", "004"}, Tier: rule.Special, Missing: audited,
			Title:     "GOGC for the memory that is there",
			Why:       "GOGC=off without a GOMEMLIMIT lets the heap grow until the process is killed. A higher value means fewer collections and a larger heap: 400 instead of 100 took 43 % off the CPU time of a program that allocates much, for twice the memory.",
			WhenNot:   "Memory is what is short.",
			Signature: "runtime.gcBgMarkWorker with a large part of CPU profiles; /cpu/classes/gc/total:cpu-seconds",
		},
		{
			Name: "gomemlimit", IDs: []string{"B09"}, Seeds: []string{"000", "001", "004"}, Tier: rule.Special, Missing: audited,
			Title: "GOMEMLIMIT in containers",
			Why: "It keeps a process with a spike of garbage from being killed. At or above the container's own limit it comes too late, and a value " +
				"such as 512Mi, which is no unit of Go's, stops the program at its start.",
			Gap: "It never lowers the CPU time of the collector, as is claimed: a limit can only make collections more frequent, and near the live heap it " +
				"more than doubled their cost.",
			Signature: "cycles that come faster than GOGC says, in GODEBUG=gctrace=1",
		},
	}
}

// missingWays are the entries about ways of working.
func missingWays() []rule.Rule {
	return []rule.Rule{
		{
			Name: "profilefirst", IDs: []string{"P01"}, Seeds: []string{"000", "002"}, Tier: rule.Always,
			Missing:   "pawl optimize works this way",
			Title:     "profile first, change one thing, measure, keep it or take it back",
			Why:       "Where the time goes is seldom where one thinks, and of several changes at once nobody knows which one helped.",
			Signature: "none",
		},
		{
			Name: "repeatedruns", IDs: []string{"P02"}, Seeds: []string{"000", "002"}, Tier: rule.Always,
			Missing:   "pawl compare does it, in pairs and with a verdict; docs/judge.md has the reasons",
			Title:     "repeated runs, compared by a test",
			Why:       "One run of each version compares two moments of the machine.",
			Signature: "none",
		},
		{
			Name: "benchmarkform", IDs: []string{"P03"}, Seeds: []string{"002"}, Tier: rule.Always,
			Missing:   "pawl bench-stub writes such benchmarks; modernize's bloop (not part of go fix) rewrites the loop of others, and pawl compare counts allocations without ReportAllocs too",
			Title:     "benchmarks that report allocations and leave set-up out",
			Why:       "Set-up that is timed hides the difference, and a result that nobody uses may not be computed.",
			Signature: "set-up below a benchmark in its own profile",
		},
		{
			Name: "objectsandspace", IDs: []string{"P04"}, Seeds: []string{"002"}, Tier: rule.Always,
			Missing:   "pawl find ranks lines by objects, by bytes and by CPU time",
			Title:     "allocations by count and by size, down to the line",
			Why:       "Many small objects cost the allocator, large ones the collector and the caches: they are different lists.",
			Signature: "alloc_objects and alloc_space",
		},
		{
			Name: "tracefirst", IDs: []string{"P05"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: "pawl trace reports what goroutines waited for, by cause, group and place",
			Title:     "execution traces for latency",
			Why:       "A CPU profile does not show waiting; a trace says for what: network, locks, system calls, the scheduler.",
			Signature: "wall time well above CPU time",
		},
		{
			Name: "regressiongate", IDs: []string{"P06"}, Seeds: []string{"000"}, Tier: rule.Always,
			Missing:   "pawl gate is that, with records of what must stay true",
			Title:     "a gate in CI against slowdowns",
			Why:       "What nobody measures gets slower a little at a time.",
			Signature: "none",
		},
		{
			Name: "privatepprof", IDs: []string{"P07"}, Seeds: []string{"000"}, Tier: rule.Always,
			Missing:   "pawl diagnose takes profiles from a URL, and package admin of this module is such a listener; there is no continuous capture yet. gosec G108 sees the import of net/http/pprof",
			Title:     "profiles from production, on a port of their own",
			Why:       "The profile of the program at work is the one that counts, and its handlers are not for the public.",
			Signature: "none",
		},
		{
			Name: "symbols", IDs: []string{"P08"}, Seeds: []string{"001", "004"}, Tier: rule.Always,
			Missing:   "pawl diagnose leads from the runtime's symbols to lines of the module and entries of this catalogue",
			Title:     "reading the runtime's symbols in a profile",
			Why:       "mallocgc, morestack, cgocall or selectgo at the top of a profile each stand for a defect further down.",
			Signature: "the signatures of all other entries",
		},
	}
}
