package manifest

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// workflow reads the jobs of a GitHub workflow.
func (f *file) workflow() {
	for _, root := range f.documents() {
		outer := f.environment(entry(root, "env"))
		pairs(entry(root, "jobs"), func(id, job *yaml.Node) {
			env := append(slices.Clone(outer), f.environment(entry(job, "env"))...)
			for _, step := range items(entry(job, "steps")) {
				run := entry(step, "run")
				if run == nil || !posix(scalar(entry(step, "shell"))) {
					continue
				}
				to := purpose(Check, id.Value, scalar(entry(job, "name")), path.Base(f.File), scalar(entry(root, "name")))
				if of := purpose(to, scalar(entry(step, "name"))); of != Release { // a step of a release may be for something else
					to = of
				}
				f.shell(f.scalarText(run).without("${{", "}}"), script{
					name: id.Value, env: append(slices.Clone(env), f.environment(entry(step, "env"))...), purpose: to,
				})
			}
		})
	}
}

func posix(shell string) bool {
	return shell == "" || strings.HasPrefix(shell, "bash") || strings.HasPrefix(shell, "sh")
}

// gitlab reads the jobs of a GitLab pipeline.
func (f *file) gitlab() {
	for _, root := range f.documents() {
		outer := f.environment(entry(root, "variables"))
		pairs(root, func(id, job *yaml.Node) {
			env := append(slices.Clone(outer), f.environment(entry(job, "variables"))...)
			for _, key := range []string{"before_script", "script"} {
				var all text
				for _, line := range items(entry(job, key)) {
					if line.Kind == yaml.ScalarNode {
						all = all.plus(f.scalarText(line)).plus(fixed("\n", f.offset(line)))
					}
				}
				f.shell(all, script{name: id.Value, env: env, purpose: purpose(Check, id.Value, scalar(entry(job, "stage")), path.Base(f.File))})
			}
		})
	}
}

// goreleaser reads the builds of a goreleaser configuration.
func (f *file) goreleaser() {
	for _, root := range f.documents() {
		outer := f.environment(entry(root, "env"))
		for _, b := range items(entry(root, "builds")) {
			if builder := scalar(entry(b, "builder")); builder == "" || builder == "go" {
				f.released(b, outer)
			}
		}
	}
}

// released reads one build of goreleaser.
func (f *file) released(n *yaml.Node, outer []Setting) {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 || scalar(entry(n, "skip")) == "true" {
		return
	}
	b := Build{At: f.at(f.offset(n)), Name: scalar(entry(n, "id")), Env: append(slices.Clone(outer), f.environment(entry(n, "env"))...)}
	b.Purpose = purpose(Release, b.Name, scalar(entry(n, "binary")), path.Base(f.File))
	if b.Purpose == Check {
		b.Purpose = Release // what is called local is released, too
	}
	if main := scalar(entry(n, "main")); main != "" {
		b.Packages = []string{main}
	}
	flags := entry(n, "flags")
	list := items(flags)
	for i := 0; i < len(list); i++ {
		s := f.settingOf("", list[i])
		name, value, valued := strings.Cut("-"+strings.TrimLeft(s.Value, "-"), "=")
		s.Start, s.End = f.wholeLine(s.Start, s.End)
		switch {
		case valued:
		case i+1 < len(list) && !slices.Contains(switches, name) && !strings.Contains(name, unknown):
			i++ // its value is the next item, so that it is no line to take out
			next := f.settingOf("", list[i])
			value, s.Open, s.Start, s.End = next.Value, s.Open || next.Open, 0, 0
		default:
			value = "true"
		}
		s.Name, s.Value = name, value
		b.Flags = append(b.Flags, s)
		b.Open = b.Open || s.Open
	}
	for _, key := range []string{"ldflags", "gcflags", "asmflags", "tags"} {
		var all []string
		var first *Setting
		for _, item := range items(entry(n, key)) {
			s := f.settingOf("-"+key, item)
			if all = append(all, s.Value); first == nil {
				first = &s
			}
		}
		if first != nil {
			first.Value, first.Start, first.End = strings.Join(all, map[bool]string{true: ",", false: " "}[key == "tags"]), 0, 0
			b.Flags = append(b.Flags, *first)
		}
	}
	var levels []string
	for _, item := range items(entry(n, "goamd64")) {
		levels = append(levels, item.Value)
	}
	if len(levels) > 0 {
		at := entry(n, "goamd64")
		b.Env = append(b.Env, Setting{Name: "GOAMD64", Value: slices.Min(levels), At: f.at(f.offset(at))})
	}
	b.Insert = f.flagsInsert(n, flags)
	f.Builds = append(f.Builds, b)
}

// wholeLine widens a part of a list's item to its line, where it has that for
// itself.
func (f *file) wholeLine(start, end int) (from, to int) {
	if end == 0 {
		return 0, 0
	}
	from, to = start, end
	for from > 0 && f.Text[from-1] != '\n' {
		from--
	}
	for to < len(f.Text) && f.Text[to] != '\n' {
		to++
	}
	line := strings.Trim(string(f.Text[from:to]), " -\t\r\"'")
	if line != strings.Trim(string(f.Text[start:end]), " -") || to == len(f.Text) {
		return 0, 0
	}
	return from, to + 1
}

// flagsInsert is where goreleaser takes one more flag: before the first one of the
// list, or in a new list before the first key.
func (f *file) flagsInsert(build, flags *yaml.Node) Insert {
	indent := "\n" + strings.Repeat(" ", build.Column-1)
	switch {
	case build.Style&yaml.FlowStyle != 0:
		return Insert{}
	case flags == nil:
		return Insert{At: f.offset(build), Before: "flags:" + indent + "  - ", After: indent}
	case flags.Kind != yaml.SequenceNode || flags.Style&yaml.FlowStyle != 0 || len(flags.Content) == 0:
		return Insert{}
	}
	at := f.offset(flags)
	return Insert{At: at, Before: "- ", After: "\n" + strings.Repeat(" ", flags.Column-1)}
}
