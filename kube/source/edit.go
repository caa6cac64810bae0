package source

// EditError says in words why a text can't be changed as asked.
type EditError struct{ Words string }

func (e *EditError) Error() string { return e.Words }
