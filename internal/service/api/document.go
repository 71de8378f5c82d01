package api

func (a *API) openapi(r *request) error {
	r.w.Header().Set("Content-Type", jsonMedia)
	_, _ = r.w.Write(a.document())
	return nil
}
