const prefix = 'Code did not arrive: '

/**
 * Marks errors from code that couldn't be fetched, because the browser is offline or a newer version was deployed. The router recognizes
 * the browsers' own messages and would reload the page, which would show only the browser's error page when offline. With our message,
 * the error screen appears instead.
 */
export function markMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = prefix + payload.message
  })
}

export const isMissingCode = (error: unknown): boolean => error instanceof Error && error.message.startsWith(prefix)
