// Package gs holds what the classes of general services have in common (IBA
// vol. 1, 13.4.8): ClassPortInfo, InformInfo and the long form of Notice. The
// packages of the classes make attributes of them.
package gs

//go:generate go run ../../internal/madgen -dir .
