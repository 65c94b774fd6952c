const key = 'dashboard.business'

/** The slug of the business that was last chosen on this device: whoever runs several goes on where they were. */
export function lastBusiness(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // A browser may forbid keeping anything.
    return null
  }
}

export function rememberBusiness(slug: string): void {
  try {
    localStorage.setItem(key, slug)
  } catch {
    // Then the first one is shown next time.
  }
}
