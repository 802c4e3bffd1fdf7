package catalogue

import "github.com/pawl-dev/pawl/rules/rule"

// missingData are entries about encodings, texts, files and start-up.
func missingData() []rule.Rule {
	return append(missingFiles(), []rule.Rule{
		{
			Name: "unboundedcache", IDs: []string{"C34"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: pointed,
			Title:     "a map of the package that only grows",
			Why:       "It is a leak with a key; each collection marks all of it.",
			WhenNot:   "The keys are few by design, or it is filled at start-up.",
			Signature: "runtime.mapassign below the line in inuse_space profiles that grow",
		},
		{
			Name: "initwork", IDs: []string{"C41"}, Seeds: []string{"000", "001"}, Tier: rule.Special, Missing: notYet,
			Title:     "I/O or heavy work in init, or in variables of a package",
			Why:       "Every start of every program that imports the package pays for it: tests, tools and health checks too.",
			WhenNot:   "It is a registry, or a program whose every run needs it: then the work is only moved.",
			Signature: "GODEBUG=inittrace=1 prints the time and the allocations of each package",
		},
		{
			Name: "lazyregexp", IDs: []string{"C42"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: notYet,
			Title:     "costly regular expressions of a package are compiled at each start",
			Why:       "Behind sync.OnceValue the first use pays, and who does not use it pays nothing.",
			WhenNot:   "The patterns are small, or every run uses them. A mistake in a pattern then shows at the first use instead of at start.",
			Signature: "regexp.MustCompile below a package's init in GODEBUG=inittrace=1 and in CPU profiles of the start",
		},
	}...)
}

// missingFiles are entries about files and processes.
func missingFiles() []rule.Rule {
	return []rule.Rule{
		{
			Name: "lookpath", IDs: []string{"C65"}, Seeds: []string{"000"}, Tier: rule.Profiled, Missing: notYet,
			Title:     "PATH is searched again and again",
			Why:       "exec.LookPath asks the system once for each directory of PATH; an index of them answers for many commands.",
			WhenNot:   "PATH or the directories change in between.",
			Signature: "os/exec.LookPath above syscall.fstatat in CPU profiles",
		},
		{
			Name: "fsyncfile", IDs: []string{"C66"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: notYet,
			Title:     "each of many files is synced by itself",
			Why:       "A sync waits for the disk; one for all files of a transaction waits once.",
			WhenNot:   "Each file has to be safe before the next one is begun.",
			Signature: "os.(*File).Sync in execution traces and block time",
		},
		{
			Name: "treeclone", IDs: []string{"C68"}, Seeds: []string{"000"}, Tier: rule.Special, Missing: notYet,
			Title:     "a whole tree of files is copied for each command",
			Why:       "What a command touches is mostly a few files; copying these alone took a twenty-fifth of the time.",
			WhenNot:   "The copy is a backup.",
			Signature: "filepath.WalkDir above os.(*File).ReadFrom in CPU profiles",
		},
	}
}
