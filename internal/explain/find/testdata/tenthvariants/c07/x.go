package c07

import (
	"errors"
	"fmt"
)

type Task struct {
	ID   int64
	Body []byte
}

// V1 method, used in one case of a select
type Queue struct {
	name string
	ch   chan Task
}

func (q *Queue) Offer(t Task) error {
	full := fmt.Sprintf("queue %s: no room for task %d of %d bytes", q.name, t.ID, len(t.Body))
	select {
	case q.ch <- t:
		return nil
	default:
		return errors.New(full)
	}
}
