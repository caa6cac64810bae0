package status

// HTTP status codes that the API's rules speak of. They stand here because net/http is a large thing for a browser's
// program to link for the sake of some numbers.
const (
	CodeOK               = 200
	CodeUnauthorized     = 401
	CodeForbidden        = 403
	CodeNotFound         = 404
	CodeMethodNotAllowed = 405
	CodeGone             = 410
	CodeTooManyRequests  = 429
	CodeInternalError    = 500
)
