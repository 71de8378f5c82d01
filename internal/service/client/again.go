package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"time"
)

// Times between two tries of what does not answer.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

// backOff is how long to wait before the next try: longer each time.
type backOff struct{ next time.Duration }

// wait waits, or until the context ends, whose error it gives.
func (b *backOff) wait(ctx context.Context) error {
	pause := max(b.next, firstPause)
	b.next = min(2*pause, lastPause)
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Retry asks until there is an answer, with longer and longer pauses; lost is told the
// first error. It gives up, with that error, when the context ends or IsFinal.
func Retry(ctx context.Context, lost func(error), ask func(context.Context) error) error {
	var b backOff
	for told := false; ; told = true {
		err := ask(ctx)
		if err == nil || IsFinal(err) || ctx.Err() != nil {
			return err
		}
		if !told {
			lost(err)
		}
		if err := b.wait(ctx); err != nil {
			return err
		}
	}
}

// IsFinal reports whether an error of a Client stays if the same is asked again: what the
// service refuses or does not have, what is no service, a certificate that nobody vouches
// for. A service that is not there, has too much to do or has failed may come back.
func IsFinal(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	if errors.As(err, &certificate) || errors.As(err, &record) || errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	var e *Error
	if !errors.As(err, &e) {
		return true // not of the network: a mistake
	}
	switch e.Status {
	case 0, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return e.Status < 500
}
