package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Cached returns what Cache kept for a key, and whether there is anything. A
// damaged entry counts as absent: the sum of the content stands before it.
func (s *Store) Cached(kind, key string) ([]byte, bool) {
	data, err := os.ReadFile(s.entry(kind, key))
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	sum, content := data[:sha256.Size], data[sha256.Size:]
	if want := sha256.Sum256(content); !bytes.Equal(sum, want[:]) {
		return nil, false
	}
	return content, true
}

// Cache keeps data for a key, in place of what was kept before. The kind names
// what is cached. The key must name everything that the data depends on, for
// nothing here ever expires; the user may delete the directory at any time.
func (s *Store) Cache(kind, key string, data []byte) error {
	path := s.entry(kind, key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("caching %s: %w", kind, err)
	}
	sum := sha256.Sum256(data)
	err := Replace(path, func(w io.Writer) error {
		_, err := w.Write(append(sum[:], data...))
		return err
	})
	if err != nil {
		return fmt.Errorf("caching %s: %w", kind, err)
	}
	return nil
}

func (s *Store) entry(kind, key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(s.dir, "cache", plain(kind), hex.EncodeToString(sum[:]))
}
