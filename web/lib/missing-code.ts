const prefix = 'Code did not arrive: '

/**
 * Marks the errors of code that could not be fetched: without a connection, or when a newer deployment has taken the place of ours. The
 * router knows a browser's own words for these and would reload the page by itself, which offline leaves nothing but the browser's error
 * page; our words it hands on to the error screen.
 */
export function markMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = prefix + payload.message
  })
}

export const isMissingCode = (error: unknown): boolean => error instanceof Error && error.message.startsWith(prefix)
