package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Limits on what is read as a patch, in bytes. One change of a program is a
// few hundred lines; the difference of two versions may hold what generators
// wrote. Reading takes some thirty times the size in memory.
const (
	patchMax   = 4 << 20
	versionMax = 16 << 20
)

// errNoChange is the answer to what has no part about any file.
var errNoChange = errors.New("the patch changes nothing: give a unified diff, as git diff prints it")

// readFiles parses a patch of at most limit bytes. What is no unified diff is
// named for what it is, where that can be seen.
func readFiles(patch []byte, limit int) ([]filePatch, error) {
	if len(patch) > limit {
		return nil, patchTooLarge(int64(len(patch)), limit)
	}
	if err := unreadable(patch); err != nil {
		return nil, fmt.Errorf("reading the patch: %w", err)
	}
	patch = bytes.TrimPrefix(patch, []byte("\xef\xbb\xbf"))
	files, err := parsePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("reading the patch: %w; it may be cut off or edited: make it anew with git diff", brief(err))
	}
	if len(files) == 0 {
		return nil, notUnified(patch)
	}
	if err := leftOver(patch, files); err != nil {
		return nil, fmt.Errorf("reading the patch: %w", err)
	}
	return files, nil
}

// unreadable refuses bytes that are no text in ASCII's family.
func unreadable(patch []byte) error {
	begins := func(s string) bool { return bytes.HasPrefix(patch, []byte(s)) }
	switch {
	case begins("\x1f\x8b"), begins("BZh"), begins("\xfd7zXZ"), begins("PK\x03\x04"), begins("\x28\xb5\x2f\xfd"):
		return errors.New("it is compressed: unpack it first")
	case begins("\xff\xfe"), begins("\xfe\xff"):
		return errors.New("it is in UTF-16, which a redirection in PowerShell writes: use git diff --output=FILE")
	case bytes.Contains(patch, []byte("\x1b[")) && bytes.Contains(patch, []byte("\x1b[m")):
		return errors.New("it has the colours of a terminal in it: use git diff --no-color")
	}
	return nil
}

// notUnified says what a text without any part about a file is instead.
func notUnified(patch []byte) error {
	if len(bytes.TrimSpace(patch)) == 0 {
		return errors.New("the patch is empty and changes nothing: give a unified diff, as git diff prints it")
	}
	text := "\n" + string(patch[:min(len(patch), 1<<16)])
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("\n@@ -"):
		return errors.New("reading the patch: its hunks belong to no file: the lines --- and +++ before them are missing")
	case has("\ndiff --cc ") || has("\ndiff --combined ") || has("\n@@@ "):
		return errors.New("reading the patch: it is the combined diff of a merge: use git diff with the two commits")
	case has("\n***************"):
		return errors.New("reading the patch: it is a context diff: use diff -u or git diff")
	case has("<html") || has("<!DOCTYPE"):
		return errors.New("reading the patch: it is a web page: fetch the page's .diff or .patch form")
	case bytes.IndexByte(patch, 0) >= 0:
		return errors.New("reading the patch: it is no text: give a unified diff, as git diff prints it")
	}
	return errNoChange
}

// leftOver refuses a hunk that goes on after as many lines as its header
// says: the rest would be taken for prose, and be lost.
func leftOver(patch []byte, files []filePatch) error {
	lines := splitLines(patch)
	for _, f := range files {
		for _, h := range f.hunks {
			i := h.line // the line after its header
			for left := len(h.lines); i < len(lines) && (left > 0 || strings.HasPrefix(lines[i], `\`)); i++ {
				if !strings.HasPrefix(lines[i], `\`) {
					left--
				}
			}
			if i >= len(lines) {
				continue
			}
			next := strings.TrimRight(lines[i], "\r\n")
			signature := next == "--" || next == "-- " || strings.HasPrefix(next, "--- ")
			if strings.HasPrefix(next, "+") || strings.HasPrefix(next, "-") && !signature {
				return fmt.Errorf("%s: the hunk at line %d goes on at line %d, after all the lines that its header counts: it may have been edited by hand: make it anew with git diff",
					shown(f.name()), h.line, i+1)
			}
		}
	}
	return nil
}

// name is the file that f is about, as written.
func (f filePatch) name() string {
	switch {
	case f.new != devNull && f.new != "":
		return f.new
	case f.old != devNull:
		return f.old
	}
	return ""
}

// refusal says why f cannot become edits, with what to do instead; empty when
// it can.
func (f filePatch) refusal() string {
	link := f.mode == modeSymlink
	switch {
	case f.link:
		return "changes a submodule, whose files are not in the patch: run pawl in the submodule"
	case link && f.created:
		return "makes a symlink, and a change can only make plain files: leave it out"
	case link:
		return "changes a symlink or makes one of a file: leave it out"
	case f.binary != "" || f.without:
		return "changes a binary file, and a change is text: leave it out"
	case f.deleted:
		return "deletes the file, and a change can only edit files and add them: keep it with its package clause alone"
	case f.renamed:
		return "renames the file: keep it where it is, and edit it there"
	case f.from != "" || f.to != "":
		return "copies a file: git diff --no-renames shows the copy as a new file"
	case f.refuse != "" && f.created:
		return f.refuse + ": make it without being executable"
	case f.refuse != "":
		return f.refuse + ": leave that out"
	}
	return ""
}

// OpenPatch reads a patch file for ReadPatch or ApplyPatch, and no more of it
// than tells them that it is too large: a name may be that of a device, or of
// a dump of gigabytes.
func OpenPatch(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening a patch: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("opening a patch: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, and no patch: name a file", name)
	}
	if info.Mode().IsRegular() && info.Size() > versionMax {
		return nil, patchTooLarge(info.Size(), versionMax)
	}
	data, err := io.ReadAll(io.LimitReader(f, versionMax+1))
	if err != nil {
		return nil, fmt.Errorf("reading the patch %s: %w", name, err)
	}
	return data, nil
}

func patchTooLarge(size int64, limit int) error {
	return fmt.Errorf("the patch has %.1f MiB, and %d MiB is the most that is read: leave out what is generated or vendored, or name a commit instead",
		float64(size)/(1<<20), limit>>20)
}
