// Package svg writes a drawing of a fabric as SVG: a light picture that prints well,
// with what a box or a line stands for as its tooltip. The same drawing gives the
// same bytes.
package svg
