/** Which labels were made on this device: the codes of a hunt's plants. A browser that keeps nothing knows of none. */

const keyOf = (huntId: string) => `labels:${huntId}`

export function printedCodes(huntId: string): ReadonlySet<string> {
  try {
    const codes: unknown = JSON.parse(localStorage.getItem(keyOf(huntId)) ?? '[]')
    return new Set(Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [])
  } catch {
    return new Set()
  }
}

export function rememberPrinted(huntId: string, codes: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(huntId), JSON.stringify([...new Set([...printedCodes(huntId), ...codes])]))
  } catch {
    // Full or forbidden: then nothing is known of them.
  }
}
