package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"time"
)

// Names of the headers.
const (
	DeliveryHeader  = "Ibscope-Delivery"
	TimestampHeader = "Ibscope-Timestamp"
	SignatureHeader = "Ibscope-Signature"
)

// Sign is the value of SignatureHeader: "sha256=" and the hexadecimal HMAC-SHA256, by
// the target's secret, of the value of TimestampHeader, a dot, and the body.
func Sign(secret []byte, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// Why Verify does not trust a request.
var (
	ErrSignature = errors.New("the signature is not right")
	ErrStale     = errors.New("the time of the request is too far from now")
)

// Verify checks a request as its receiver should: that it is signed by the secret, and
// that its time is not further from now than tolerance, so that nobody repeats it
// later. The errors are ErrSignature and ErrStale.
func Verify(secret []byte, timestamp, signature string, body []byte, now time.Time, tolerance time.Duration) error {
	if !hmac.Equal([]byte(signature), []byte(Sign(secret, timestamp, body))) {
		return ErrSignature
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return ErrStale
	}
	return nil
}
