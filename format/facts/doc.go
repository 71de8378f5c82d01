// Package facts puts together what files tell about one fabric. Each reader tells
// facts, some fields of an attribute at a time, with the file and the line where
// they stand; a Set makes a fabric of them.
//
// The first file that tells a field is believed. Where a later one differs, the
// fabric gets a problem of kind fabric.FilesDisagree, or fabric.LinkConflict for
// links, that names both lines. What nobody tells may be guessed.
package facts
