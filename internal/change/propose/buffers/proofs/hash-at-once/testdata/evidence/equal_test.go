package equal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestFind(t *testing.T) {
	old, now := before.Cache{}, after.Cache{}
	for n := range 200 {
		content := bytes.Repeat([]byte{byte(n)}, n)
		sum := sha256.Sum256(content)
		old[hex.EncodeToString(sum[:])], now[hex.EncodeToString(sum[:])] = n+1, n+1
		if x, y := old.Find(content), now.Find(content); x != y || x != n+1 {
			t.Errorf("%d bytes: before %d, after %d", n, x, y)
		}
	}
}
