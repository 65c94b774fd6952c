// Answered by the server: plain links that load a page.
export const signInUrl = '/api/login'
export const signOutUrl = '/api/logout'
