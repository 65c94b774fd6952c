/** What a search box asks for: its text without spaces around it, or null when nothing is left. */
export function searchText(typed: string | undefined): string | null {
  return typed?.trim() || null
}

/** The address of the search page of the specification. */
export function searchUrl(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`
}
