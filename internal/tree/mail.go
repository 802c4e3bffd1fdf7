package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// writePatch writes the next patch of the series.
func (r *Recorder) writePatch(ctx context.Context, message, diff string) (string, error) {
	if err := os.MkdirAll(r.patchDir(), 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(r.patchDir(), PatchName(r.number+1, message))
	from := "pawl <pawl@localhost>"
	if r.snap.Place.Git {
		if who, err := r.git.line(ctx, "var", "GIT_AUTHOR_IDENT"); err == nil {
			if i := strings.LastIndex(who, ">"); i >= 0 {
				from = who[:i+1]
			}
		}
	}
	return path, writeFile(path, mail(message, diff, from, time.Now()), 0o600)
}

// PatchName returns the name of the file of patch number n with a message.
func PatchName(n int, message string) string { return fmt.Sprintf("%04d-%s.patch", n, slug(message)) }

// Restated returns the patch with another message, as number n of a series.
func (p PatchFile) Restated(message string, n, of int) ([]byte, error) {
	data, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, fmt.Errorf("reading a patch: %w", err)
	}
	head, _, ok := strings.Cut(string(data), "\nSubject: ")
	_, diff, also := strings.Cut(string(data), "\n---\n\n")
	if !ok || !also {
		return nil, fmt.Errorf("%s is no patch that pawl wrote", p.Path)
	}
	return letter(head+"\n", fmt.Sprintf("[PATCH %d/%d]", n, of), message, diff), nil
}

// numbered returns the patches of the series in the directory dir by their
// numbers, which have gaps where the user has undone a change.
func numbered(dir string) (map[int]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := make(map[int]string)
	for _, e := range entries {
		digits, _, ok := strings.Cut(e.Name(), "-")
		n, err := strconv.Atoi(digits)
		if ok && err == nil && strings.HasSuffix(e.Name(), ".patch") {
			out[n] = filepath.Join(dir, e.Name())
		}
	}
	return out, nil
}

// mail writes a change as git format-patch does. Lines of the message that
// git apply, patch or git am would take for more than text get "| " in front.
func mail(message, diff, from string, now time.Time) []byte {
	head := "From " + strings.Repeat("0", 40) + " Mon Sep 17 00:00:00 2001\nFrom: " + from + "\nDate: " + now.Format(time.RFC1123Z) + "\n"
	return letter(head, "[PATCH]", message, diff)
}

// letter writes a mail from its first headers on.
func letter(head, tag, message, diff string) []byte {
	subject, body, _ := strings.Cut(strings.TrimSpace(message), "\n")
	var b strings.Builder
	b.WriteString(head + "Subject: " + tag + " " + subject + "\n")
	b.WriteString("MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n")
	for line := range strings.SplitSeq(strings.Trim(body, "\r\n"), "\n") {
		if marker(line) {
			b.WriteString("| ")
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("---\n\n" + diff)
	return []byte(b.String())
}

// marker reports whether a line means something to a reader of patches. GNU
// patch reads an indented diff too.
func marker(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return slices.ContainsFunc([]string{"diff ", "---", "+++ ", "***", "@@ ", "Index: ", "Prereq:", "From ", "GIT binary"}, func(m string) bool {
		return strings.HasPrefix(line, m)
	})
}

// slug returns the first line of the message as part of a file name.
func slug(message string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(words.FirstLine(message)) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 52 {
			break
		}
	}
	return cmp.Or(strings.Trim(b.String(), "-"), "change")
}

// shellQuote quotes a path for a POSIX shell where it needs it.
func shellQuote(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-+,:@%=", c))
	}) {
		return s
	}
	return words.Quote(s)
}
