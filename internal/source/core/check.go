package core

// CheckPort looks for mistakes in the name of a kernel port, and opens nothing.
func (u *URI) CheckPort() error {
	_, err := parseUmad(u)
	return err
}
