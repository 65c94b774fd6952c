const prefix = 'Code did not arrive: '

/**
 * Marks errors of code that couldn't be fetched, without a connection or after a newer deployment. The router recognizes the browsers' own
 * messages and would reload the page, which offline shows only the browser's error page. Our message reaches the error screen instead.
 */
export function markMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = prefix + payload.message
  })
}

export const isMissingCode = (error: unknown): boolean => error instanceof Error && error.message.startsWith(prefix)
