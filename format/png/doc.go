// Package png paints a drawing of a fabric as a PNG image: what package svg writes,
// without tooltips. Pictures beyond the size that image viewers open are painted
// smaller.
package png
