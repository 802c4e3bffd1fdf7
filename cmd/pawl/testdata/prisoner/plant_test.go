package prisoner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// plant leaves traps where a test may write, and where it should not be able to,
// for what runs outside and for the next pawl. What works of them shows in the
// victim's directory.
func plant() {
	copied, _ := os.Getwd()
	if !strings.Contains(copied, "/pawl/work/") {
		return // the one who runs this as it is
	}
	w := work()
	pwn := "#!/bin/sh\necho pwned > " + victim + "/pwned-by-$(basename $0)\n"
	write := func(name, text string) {
		_ = os.MkdirAll(filepath.Dir(name), 0o700)
		_ = os.WriteFile(name, []byte(text), 0o700)
	}
	link := func(to, at string) { _ = os.Symlink(to, at) }

	// Programs that somebody outside may start.
	for _, name := range []string{"go", "gcc", "cc", "as", "ld", "collect2", "git", "sh", "pkg-config", "toolexec", "fsmonitor", "textconv"} {
		write(filepath.Join(copied, name), pwn)
		write(filepath.Join(copied, "bin", name), pwn)
	}
	// Settings that the go command and git may find.
	write(filepath.Join(copied, ".git", "config"), "[core]\n\tfsmonitor = "+copied+"/fsmonitor\n\thooksPath = "+copied+"/bin\n")
	write(filepath.Join(copied, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(filepath.Join(copied, ".gitattributes"), "* diff=x filter=x\n")
	write(filepath.Join(copied, "go.env"), "GOFLAGS=-toolexec="+copied+"/toolexec\n")
	write(filepath.Join(copied, "vendor", "modules.txt"), "# nothing\n")
	write(home+"/.config/go/env", "GOFLAGS=-toolexec="+copied+"/toolexec\n")
	write(home+"/.gitconfig", "[core]\n\tfsmonitor = "+copied+"/fsmonitor\n")
	write(home+"/.profile", "touch "+victim+"/pwned-by-profile\n")
	write(filepath.Join(w, "go.work"), "go 1.24\nuse "+copied+"\n")
	// Code that the next build may take.
	write(filepath.Join(copied, "zz_planted.go"), "package prisoner\n\nfunc init() { panic(\"ESCAPED by a planted source\") }\n")
	write(filepath.Join(copied, "zz_planted.s"), "#include \""+home+"/.ssh/id_rsa\"\n")
	write(filepath.Join(copied, "zz_planted.ld"), "INPUT("+home+"/.ssh/id_rsa)\n")
	// Overlays, which the go command outside may read.
	overlays, _ := filepath.Glob(w + "/scratch/*/overlay/overlay/*.json")
	for _, name := range append(overlays, w+"/scratch/overlay.json") {
		write(name, fmt.Sprintf(`{"Replace": {%q: %q}}`, copied+"/prisoner.go", copied+"/zz_planted.go"))
	}
	// Links where the next pawl removes, empties or writes.
	for _, at := range []string{w + "/fs", w + "/scratch", w + "/out", w + "/stage", filepath.Dir(copied), copied} {
		_ = os.Rename(at, at+"-away")
		link(victim, at)
	}
	link(victim, filepath.Join(copied, "testdata"))
	link(victim+"/file", filepath.Join(copied, "default.pgo"))
	for i := range 20 {
		at := fmt.Sprintf("%s/out/%d", w, i)
		if strings.Contains(strings.Join(append(os.Environ(), os.Args...), " "), at+"/") {
			continue // what this very process is to write
		}
		for _, name := range []string{"profile", "cover.txt", "drive.jsonl", "inputs.jsonl"} {
			link(victim+"/file", filepath.Join(at, name))
		}
		link(victim, at)
	}
	runs, _ := filepath.Glob(tree + "/.pawl/runs/*/profiles")
	for _, dir := range append(runs, tree+"/.pawl/runs/20200101T000000-try/profiles") {
		for _, name := range []string{"Join.base.cpu.pprof", "Join.base.mem.pprof", "sandbox"} {
			_ = os.Remove(filepath.Join(dir, name))
			link(victim+"/file", filepath.Join(dir, name))
		}
	}
	_ = syscall.Mkfifo(filepath.Join(copied, "zz_pipe.go"), 0o600) // who opens it waits
	for _, name := range []string{"/planted-by-prisoner", "/.ssh/authorized_keys", "/notes.txt"} {
		write(home+name, "prisoner")
	}
	write(tree+"/zz_planted.go", "package prisoner\n")
	write(gocache+"/planted", "prisoner")
	write(modcache+"/planted", "prisoner")
	_ = os.RemoveAll(tree + "/.pawl")
	_ = os.RemoveAll(victim)
}
