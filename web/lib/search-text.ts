/** Trimmed search text; null if empty. */
export function searchText(typed: string | undefined): string | null {
  return typed?.trim() || null
}

/** Address of the search page, as specified. */
export function searchUrl(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`
}
