// TEMPORARY STUB so that cmd/pawl builds while the real functions are being
// written: delete this file as soon as they are there.
package unpaired

import (
	"context"
	"errors"
	"io"

	"github.com/pawl-dev/pawl/internal/model"
)

type Input struct {
	Name string
	R    io.Reader
}

type Options struct{ Alpha, MinEffect float64 }

func Compare(ctx context.Context, base, cand Input, o Options) (*model.Comparison, error) {
	return nil, errors.New("not yet")
}
