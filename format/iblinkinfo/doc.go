// Package iblinkinfo reads and writes the links of a fabric as iblinkinfo of
// infiniband-diags prints them: for each port its state, width and speed, the
// port at the other end, and what the link could be and is not.
package iblinkinfo
