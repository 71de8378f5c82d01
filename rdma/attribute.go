package rdma

// Attribute reads one file of the port's sysfs directory as it is, without the
// newline at its end: "state" gives "4: ACTIVE", "gids/0" a GID. The text is at
// most 4096 bytes. The error, an *Error, wraps the cause: os.ErrNotExist,
// unix.EINVAL for an empty table entry, unix.ENODEV when the device is not in
// sysfs.
func (p *Port) Attribute(name string) (string, error) {
	a, err := p.open()
	if err != nil {
		return "", err
	}
	defer a.dir.close()
	text, err := a.dir.text(name)
	if err != nil {
		return "", &Error{Op: "read", Device: p.Device, Port: p.Num, Attribute: name, Path: a.dir.name(name), Err: err}
	}
	return text, nil
}
