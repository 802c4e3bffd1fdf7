package c40

import "context"

// V1 across two functions, missed

type task func(context.Context)

type runner struct {
	tasks chan task
}

func (r *runner) tryNext(ctx context.Context) bool {
	select {
	case t := <-r.tasks:
		t(ctx)
		return true
	default:
		return false
	}
}

func (r *runner) run(ctx context.Context) {
	for ctx.Err() == nil {
		r.tryNext(ctx)
	}
}
