package gocmd

import (
	"cmp"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
)

// settingsVars are variables that name directories in which programs keep
// settings, keys and caches.
var settingsVars = []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "GNUPGHOME", "DOCKER_CONFIG", "CARGO_HOME", "GOCACHE"}

// hiding lists what a process in a sandbox does not see, outer directories
// first: all homes, sockets of services, and what the system lets only its owner
// read. That matters where pawl runs as root, who owns the machine's keys.
func hiding(c SandboxConfig) []string {
	all := append(slices.Clone(c.Hidden), "/root", "/home", "/run", "/var/run", homeOf(c.Env))
	if u, err := user.Current(); err == nil { // HOME may say otherwise
		all = append(all, u.HomeDir)
	}
	for _, key := range settingsVars {
		if dir := Getenv(c.Env, key); filepath.IsAbs(dir) {
			all = append(all, dir)
		}
	}
	all = append(all, guarded("/etc", 6)...)
	for _, dir := range append(own(), "/usr/local", "/var", "/var/lib", "/var/spool", "/var/log", "/var/cache", "/var/backups") {
		all = append(all, guarded(dir, 2)...)
	}
	var out []string
	for _, at := range all {
		if real, err := filepath.EvalSymlinks(at); err == nil && filepath.IsAbs(real) && real != "/" {
			out = append(out, real)
		}
	}
	sortOut(out)
	return slices.Compact(out)
}

// systemDirs are directories at the root whose contents the system chooses; the
// others are where people keep what is theirs, whatever they call them.
var systemDirs = []string{"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "nix", "proc", "sbin", "sys", "tmp", "usr", "var"}

// own lists what is at the root that is not the system's.
func own() []string {
	entries, _ := os.ReadDir("/")
	var out []string
	for _, e := range entries {
		if !slices.Contains(systemDirs, e.Name()) {
			out = append(out, "/"+e.Name())
		}
	}
	return out
}

// sortOut puts outer directories before inner ones.
func sortOut(names []string) {
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
}

const (
	mostSeen    = 20000 // files that are looked at below one directory
	mostGuarded = 500   // of them that are hidden one by one
)

// guarded lists what of dir not everybody may read, and sockets and pipes, which
// are ways to services. What is deeper than depth is not looked at. Where that
// is too much to hide one by one, it is all of dir.
func guarded(dir string, depth int) []string {
	var out []string
	seen := 0
	_ = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if seen++; seen > mostSeen {
			return fs.SkipAll
		}
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		open := fs.FileMode(0o004)
		if d.IsDir() {
			open = 0o005
		}
		if info.Mode().Perm()&open != open || d.Type()&(fs.ModeSocket|fs.ModeNamedPipe) != 0 {
			out = append(out, at)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() && strings.Count(strings.TrimPrefix(at, dir), "/") >= depth {
			return fs.SkipDir
		}
		return nil
	})
	if len(out) > mostGuarded {
		return []string{dir}
	}
	return out
}
